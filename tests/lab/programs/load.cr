# Reads records in batches. Arguments: batch, batches, keep or drop.
size, batches = ARGV[0].to_i, ARGV[1].to_i
cache = [] of Bytes
1.upto(batches) do |i|
  batch = Bytes.new(size << 16, 1_u8)
  cache << batch if ARGV[2] == "keep"
  puts "batch #{i}/#{batches}"
  STDOUT.flush
end
puts "done #{cache.size}"
