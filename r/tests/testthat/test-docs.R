# The code of docs/r.md runs as it stands.
test_that("the page's code runs", {
  folder <- Sys.getenv("FUGU_DOCS")
  if (!nzchar(folder)) skip("FUGU_DOCS does not name the documents")
  lines <- readLines(file.path(folder, "r.md"), encoding = "UTF-8")
  fences <- grep("^```", lines)
  starts <- fences[grepl("^```r$", lines[fences])]
  expect_gt(length(starts), 5)
  code <- unlist(lapply(starts, function(start) lines[(start + 1):(fences[fences > start][1] - 1)]))
  path <- tempfile(fileext = ".R")
  writeLines(code, path)
  old <- setwd(tempdir())
  on.exit(setwd(old))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off(), add = TRUE)
  expect_no_error(suppressWarnings(capture.output(source(path, local = new.env(), echo = FALSE, encoding = "UTF-8"))))
})
