-- Reads records in batches. Arguments: batch, batches, keep or drop.
local size, batches, keep = tonumber(arg[1]), tonumber(arg[2]), arg[3]
local cache = {}
for i = 1, batches do
  local batch = string.rep(string.char(64 + i % 26), size * 65536)
  if keep == "keep" then cache[i] = batch end
  print(string.format("batch %d/%d", i, batches))
end
print("done")
