% Reads records in batches. Arguments: batch, batches, keep or drop.
:- initialization(main, main).
main([A, B, What]) :-
    atom_number(A, Size), atom_number(B, Batches),
    read_all(1, Batches, Size, What, []),
    writeln(done).

read_all(I, N, _, _, Kept) :- I > N, !, length(Kept, L), format("~w kept~n", [L]).
read_all(I, N, Size, What, Kept) :-
    Rows is Size * 4096, numlist(1, Rows, Batch),
    format("batch ~w/~w~n", [I, N]),
    ( What == keep -> K = [Batch|Kept] ; K = Kept ),
    J is I + 1, read_all(J, N, Size, What, K).
