# SPDX-License-Identifier: BSD-3-Clause
# Rtsne: a map of made-up points, by forces that a tree gathers. Prints its cost, then its time.
library(Rtsne)
set.seed(1)
x <- matrix(runif(800 * 10), 800)
begin <- proc.time()[3]
r <- Rtsne(x, num_threads = as.integer(Sys.getenv("OMP_NUM_THREADS")), max_iter = 400)
seconds <- proc.time()[3] - begin
cat(sprintf("%.3f\n", sum(r$costs)))
cat(sprintf("seconds map %.3f\n", seconds))
