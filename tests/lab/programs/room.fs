\ Takes room in the dictionary. The words come in front: cells, how often.
: fill-it ( cells times -- ) 0 do i 1+ . ." blocks of " dup . ." cells" cr dup cells allot loop drop ;
