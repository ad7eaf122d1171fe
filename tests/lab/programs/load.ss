; Reads records in batches. Arguments: batch, batches, keep or drop.
(let* ([words (command-line-arguments)]
       [size (string->number (car words))]
       [batches (string->number (cadr words))])
  (let loop ([i 1] [cache '()])
    (when (<= i batches)
      (let ([batch (make-bytevector (* size 65536) 1)])
        (printf "batch ~a/~a~n" i batches)
        (flush-output-port)
        (loop (+ i 1) (if (string=? (caddr words) "keep") (cons batch cache) cache))))))
(display "done\n")
(exit 0)
