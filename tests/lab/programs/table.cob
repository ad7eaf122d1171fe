       identification division.
       program-id. tables.
       environment division.
       input-output section.
       file-control.
           select prices assign to "prices.dat"
           organization is line sequential.
       data division.
       file section.
       fd prices.
       01 price pic x(80).
       working-storage section.
       01 how pic x(8).
       01 i pic 9(9) comp.
       01 entries.
          05 entry-of occurs ROWS times.
             10 price-of pic x(1000).
       procedure division.
           accept how from command-line.
           display "pricing ROWS entries".
           if how = "read" open input prices.
           perform varying i from 1 by 1 until i > ROWS
               move "open" to price-of (i)
           end-perform.
           display "done".
           stop run.
