# Workers that each read the table. Arguments: workers, MiB of the table.
$stdout.sync = true
count, size = ARGV.map(&:to_i)
puts "starting #{count} workers"
children = (1..count).map do |i|
  fork do
    table = 'x' * (size << 20)
    puts "worker #{i}: #{table.size >> 20} MiB read"
    sleep 1
  end
end
failed = children.count do |child|
  _, status = Process.wait2(child)
  puts "worker #{child} ended by signal #{status.termsig}" if status.signaled?
  !status.success?
end
abort "#{failed} of #{count} workers failed" if failed.positive?
puts 'done'
