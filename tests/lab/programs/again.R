# Fits models on samples; where one does not fit it takes a smaller sample. Arguments: size, how many.
args <- commandArgs(trailingOnly = TRUE)
size <- as.integer(args[1])
for (i in seq_len(as.integer(args[2]))) {
  repeat {
    fit <- tryCatch(mean(runif(size * 131072)), error = function(e) {
      message("fit failed (", conditionMessage(e), "), taking half of the sample")
      NULL
    })
    if (!is.null(fit)) break
    size <- size %/% 2
  }
  cat(sprintf("fold %d/%s: mean %.4f\n", i, args[2], fit))
}
cat("all folds done\n")
