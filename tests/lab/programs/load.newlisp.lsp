; Reads records in batches. Arguments: batch, batches, keep or drop.
(set 'words (-3 (main-args)))
(set 'size (int (words 0)) 'batches (int (words 1)) 'cache '())
(for (i 1 batches)
  (set 'batch (sequence 1 (* size 2048)))
  (if (= (words 2) "keep") (push batch cache))
  (println "batch " i "/" batches))
(println "done")
(exit 0)
