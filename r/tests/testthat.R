library(testthat)
library(fugu)

test_check("fugu")
