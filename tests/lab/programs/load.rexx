/* Reads records in batches. Arguments: batch, batches, keep, drop or wrong. */
parse arg size batches how
do i = 1 to batches
  batch = copies('x', size * 65536)
  if how = 'keep' then cache.i = batch
  say 'batch' i'/'batches
end
if how = 'wrong' then say 1 + cache
say 'done'
