// Reads records in batches. Arguments: batch, batches, keep or drop.
def (size, batches) = [args[0] as int, args[1] as int]
def cache = []
for (i in 1..batches) {
    def batch = (1..size).collect { new byte[65536] }
    if (args[2] == "keep") cache << batch
    println "batch $i/$batches"
}
println "done"
