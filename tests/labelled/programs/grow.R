# Binds a frame that grows in each turn.
args <- commandArgs(TRUE)
if (args[1] == "vector") x <- numeric(as.numeric(args[2])) else {
  rows <- list()
  for (i in 1:100000) {
    rows[[i]] <- rnorm(50000)
    if (i %% 50 == 0) cat("file", i, "read\n")
  }
}
