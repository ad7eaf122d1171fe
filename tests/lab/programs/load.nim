# Reads records in batches. Arguments: batch, batches, keep or drop.
import os, strutils
let size = parseInt(paramStr(1))
let batches = parseInt(paramStr(2))
var cache: seq[string]
for i in 1 .. batches:
  let batch = repeat('x', size shl 16)
  if paramStr(3) == "keep": cache.add(batch)
  echo "batch ", i, "/", batches
  flushFile(stdout)
echo "done ", cache.len
