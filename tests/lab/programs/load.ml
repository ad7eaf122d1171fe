(* Reads records in batches. Arguments: batch, batches, keep or drop. *)
let () =
  let size = int_of_string Sys.argv.(1) and batches = int_of_string Sys.argv.(2) in
  let cache = ref [] in
  for i = 1 to batches do
    let batch = Bytes.make (size * 65536) 'x' in
    if Sys.argv.(3) = "keep" then cache := batch :: !cache;
    Printf.printf "batch %d/%d\n%!" i batches
  done;
  print_endline "done"
