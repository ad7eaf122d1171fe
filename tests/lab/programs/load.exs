# Reads records in batches. Arguments: batch, batches, keep, drop or wrong.
[size, batches, what] = System.argv()
{size, batches} = {String.to_integer(size), String.to_integer(batches)}
Enum.reduce(1..batches, [], fn i, kept ->
  batch = :binary.copy(<<rem(i, 256)>>, size * 65536)
  IO.puts("batch #{i}/#{batches}")
  case what do
    "keep" -> [batch | kept]
    "wrong" -> Map.fetch!(%{rows: size}, :columns)
    _ -> kept
  end
end)
IO.puts("done")
