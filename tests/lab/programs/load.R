# Reads records in batches. Arguments: batch, batches, keep or drop.
args <- commandArgs(trailingOnly = TRUE)
size <- as.integer(args[1]); batches <- as.integer(args[2])
cache <- list()
for (i in seq_len(batches)) {
  batch <- runif(size * 8192)
  if (args[3] == "keep") cache[[i]] <- batch
  cat(sprintf("batch %d/%d\n", i, batches))
}
cat("done\n")
