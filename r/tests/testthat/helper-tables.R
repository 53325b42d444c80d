# Small tables that the tests share, and the program that their plans are compared with.

people <- function() {
  data.frame(
    race = rep(c("A", "B", "A", "B", "A", "B", "A", "B", "A", "A", "B", "A"), 50),
    job = rep(c("cook", "clerk", "nurse", "cook", "cook", "clerk", "nurse", "nurse", "clerk", "cook", "cook", "clerk"), 50),
    hours = rep(c(40L, 38L, 20L, 40L, 38L, 38L, 20L, 20L, 40L, 38L, 40L, 40L), 50),
    sex = rep(c("f", "m", "f", "f", "m", "m", "m", "f", "f", "m", "f", "m"), 50)
  )
}

program <- function() {
  path <- Sys.getenv("FUGU")
  if (!nzchar(path)) testthat::skip("FUGU does not name the program to compare with")
  path
}

write_table <- function(data) {
  path <- tempfile(fileext = ".csv")
  utils::write.csv(data, path, row.names = FALSE, na = "", fileEncoding = "UTF-8")
  path
}

run <- function(...) {
  arguments <- vapply(list(...), function(text) shQuote(as.character(text)), "")
  lines <- suppressWarnings(system2(program(), arguments, stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(lines, "status"))) stop(paste(lines, collapse = "\n"))
  lines
}

bytes_of <- function(path) readBin(path, "raw", file.size(path))

program_plan <- function(table, ...) {
  path <- tempfile(fileext = ".json")
  run("calibrate", table, ..., "-o", path)
  bytes_of(path)
}

plan_of <- function(data, asked, wishes) {
  suppressWarnings(do.call(calibrate, c(list(do.call(scenario, c(list(data), asked))), wishes)))
}

hidden_job <- function(data = people(), epsilon = 0.5, ...) {
  calibrate(scenario(data, secret = "race", public = "job", ...), epsilon = epsilon)
}
