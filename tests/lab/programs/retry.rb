# Reads records; a batch that does not fit is read in halves. Arguments: batch, batches.
$stdout.sync = true
size, batches = ARGV.map(&:to_i)
batches.times do |i|
  'x' * (size << 16)
  puts "batch #{i + 1}/#{batches} of #{size}"
rescue NoMemoryError => e
  size /= 2
  warn "#{e.class}: #{e.message}; retrying with batches of #{size}"
  retry
end
puts 'done'
