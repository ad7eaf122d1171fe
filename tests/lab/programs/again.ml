(* Sorts runs; one that does not fit is cut in two. Arguments: MiB, how many. *)
let () =
  let size = ref (int_of_string Sys.argv.(1)) and runs = int_of_string Sys.argv.(2) in
  let sorted = ref 0 in
  while !sorted < runs do
    try
      ignore (Bytes.make (!size lsl 20) 'x');
      incr sorted;
      Printf.printf "run %d/%d sorted\n%!" !sorted runs
    with Out_of_memory ->
      size := !size / 2;
      Printf.printf "Out_of_memory: run is cut to %d MiB\n%!" !size
  done;
  print_endline "merged"
