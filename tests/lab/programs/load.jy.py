# Reads records in batches. Arguments: batch, batches, keep or drop.
import sys

size, batches, keep = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
cache = []
for i in range(1, batches + 1):
    batch = [bytearray(65536) for _ in range(size)]
    if keep == "keep":
        cache.append(batch)
    print("batch %d/%d" % (i, batches))
    sys.stdout.flush()
print("done")
