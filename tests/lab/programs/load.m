% Reads records in batches. Arguments: batch, batches, keep or drop.
words = argv ();
n = str2num (words{1}); batches = str2num (words{2}); keep = words{3};
cache = {};
for i = 1:batches
  batch = ones (8192, n);
  if strcmp (keep, "keep") cache{i} = batch; end
  printf ("batch %d/%d\n", i, batches);
end
printf ("done\n");
