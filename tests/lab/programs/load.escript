#!/usr/bin/env escript
%% Reads records in batches. Arguments: batch, batches, keep, drop or wrong; MiB that a process may have.
main([Size, Batches, What | Limit]) ->
    N = list_to_integer(Batches),
    Body = fun() -> read(1, N, list_to_integer(Size), What, []), io:format("done~n") end,
    {Pid, Ref} = spawn_opt(Body, [monitor | [{max_heap_size, list_to_integer(L) * 131072} || L <- Limit]]),
    receive {'DOWN', Ref, process, Pid, normal} -> ok;
            {'DOWN', Ref, process, Pid, Why} -> io:format("reader ~p ended: ~p~n", [Pid, Why]), halt(1) end.

read(I, N, _, What, Kept) when I > N -> What =/= "wrong" orelse hd([]), length(Kept);
read(I, N, Size, What, Kept) ->
    Batch = lists:seq(1, Size * 4096),
    io:format("batch ~p/~p (~p rows)~n", [I, N, length(Batch)]),
    read(I + 1, N, Size, What, case What of "keep" -> [Batch | Kept]; _ -> Kept end).
