# Invariant PRAM from its definition (Gouweleeuw, Kooiman, Willenborg and de Wolf 1998), as sdcMicro applies it.
#
# invariant_pram.R FILE EPSILON TIMES answers in JSON. FILE has a secret and a category in each row. P keeps a category with
# probability d and else takes another, each as likely; Q is P turned round by Bayes' theorem, and R = a P Q + (1 - a) I leaves
# the frequencies as they are on average. Of all d on a grid, the largest a at most 1 for which no output changes the odds
# of two secrets by more than e^EPSILON is taken, and of these matrices the one that leaves most rows as they are; or, where
# none keeps epsilon, none. Only the drawing is timed, over the column repeated TIMES.
arguments <- commandArgs(trailingOnly = TRUE)
table <- read.csv(arguments[1], colClasses = "character")
epsilon <- as.numeric(arguments[2])
counts <- table(table[[1]], table[[2]])
laws <- counts / rowSums(counts)
shares <- colSums(counts) / sum(counts)
n <- length(shares)

loss <- function(R) {
  masses <- laws %*% R
  max(apply(masses, 2, function(column) if (min(column) > 0) log(max(column) / min(column)) else if (max(column) > 0) Inf else 0))
}
invariant <- function(d, a) {
  P <- matrix((1 - d) / (n - 1), n, n)
  diag(P) <- d
  Q <- t(P * shares) / colSums(P * shares)
  a * P %*% Q + (1 - a) * diag(n)
}
found <- NULL
for (d in seq(1 / n, 0.99, length.out = 100)) {
  if (loss(invariant(d, 1)) > epsilon) next
  # Not more noise than is needed: the least a, by halves.
  low <- 0
  high <- 1
  for (step in 1:40) {
    middle <- (low + high) / 2
    if (loss(invariant(d, middle)) <= epsilon) high <- middle else low <- middle
  }
  R <- invariant(d, high)
  kept <- sum(shares * diag(R))
  if (is.null(found) || kept > found$kept) found <- list(kept = kept, d = d, a = high, R = R)
}
if (is.null(found)) {
  cat('{"kept": null}\n')
  quit()
}
column <- rep(match(table[[2]], names(shares)), as.integer(arguments[3]))
set.seed(1)
released <- integer(length(column))
start <- proc.time()[["elapsed"]]
for (value in seq_len(n)) {
  rows <- which(column == value)
  released[rows] <- sample.int(n, length(rows), replace = TRUE, prob = found$R[value, ])
}
seconds <- proc.time()[["elapsed"]] - start
cat(sprintf('{"kept": %.6f, "loss": %.6f, "seconds": %.4f, "rows": %d, "kept_rows": %.6f, "d": %.4f, "a": %.4f, "version": "%s"}\n',
            found$kept, loss(found$R), seconds, length(column), mean(released == column), found$d, found$a,
            paste(R.version$major, R.version$minor, sep = ".")))
