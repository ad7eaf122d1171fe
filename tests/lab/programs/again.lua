-- Reads tables; one that does not fit is read in halves. Arguments: MiB, how many.
local size, count = tonumber(arg[1]), tonumber(arg[2])
local done = 0
while done < count do
  local fine, why = pcall(string.rep, "x", size << 20)
  if fine then
    done = done + 1
    print(string.format("table %d of %d read", done, count))
  else
    size = size // 2
    print(string.format("[warn] %s, next try with %d MiB", why, size))
  end
end
print("finished")
