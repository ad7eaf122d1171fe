(* Reads records in batches. Arguments behind --: batch, batches, keep or drop. *)
val [batches, size, keep] = map (fn i => List.nth (rev (CommandLine.arguments ()), i)) [1, 2, 0]
fun number s = valOf (Int.fromString s)
fun go (i, cache) =
    if i > number batches then cache
    else
        let val batch = Array.array (number size * 8192, i)
        in
            print ("batch " ^ Int.toString i ^ "/" ^ batches ^ "\n");
            go (i + 1, if keep = "keep" then batch :: cache else [])
        end;
print ("done " ^ Int.toString (length (go (1, []))) ^ "\n");
