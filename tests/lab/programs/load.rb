# Reads records in batches. Arguments: batch, batches, keep or drop.
$stdout.sync = true
size, batches, keep = ARGV[0].to_i, ARGV[1].to_i, ARGV[2]
cache = []
batches.times do |i|
  batch = 'x' * (size << 16)
  cache << batch if keep == 'keep'
  puts "batch #{i + 1}/#{batches}"
end
puts 'done'
