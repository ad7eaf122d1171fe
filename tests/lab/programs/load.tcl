# Reads records in batches. Arguments: batch, batches, keep or drop.
lassign $argv size batches keep
set cache {}
for {set i 1} {$i <= $batches} {incr i} {
    set batch [string repeat "record $i " [expr {$size * 7000}]]
    if {$keep eq "keep"} { lappend cache $batch }
    puts "batch $i/$batches"
}
puts done
