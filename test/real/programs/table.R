# SPDX-License-Identifier: BSD-3-Clause
# data.table: sums of groups, sorting, writing and reading. Prints what was found, then its time.
suppressMessages(library(data.table))
setDTthreads(as.integer(Sys.getenv("OMP_NUM_THREADS")))
set.seed(1)
n <- 2e6
d <- data.table(a = sample(1e5, n, TRUE), b = runif(n))
begin <- proc.time()[3]
for (i in 1:3) {
	r <- d[, .(s = sum(b), m = max(b)), by = a]
	sorted <- setkey(copy(d), a, b)
}
fwrite(d[1:300000], "table.csv")
back <- fread("table.csv")
seconds <- proc.time()[3] - begin
cat(sprintf("%.6f %.9f %.6f %d\n", sum(r$s * r$a), sum(sorted$b[1:1000]), sum(back$b), nrow(back)))
cat(sprintf("seconds table %.3f\n", seconds))
