# Answers `FILE` (one probability a line) with the seconds that DivideFFT takes, and its masses.
library(PoissonBinomial)
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  if (line == "version") {
    cat(sprintf('{"version": "%s", "r": "%s.%s"}\n', packageVersion("PoissonBinomial"), R.version$major, R.version$minor))
  } else {
    p <- scan(line, quiet = TRUE)
    time <- system.time(masses <- dpbinom(NULL, p, method = "DivideFFT"))
    cat(sprintf('{"seconds": %.6f, "cpu": %.6f, "masses": [%s]}\n', time[["elapsed"]],
                time[["user.self"]] + time[["sys.self"]], paste(sprintf("%.17g", masses), collapse = ",")))
  }
  flush(stdout())
}
