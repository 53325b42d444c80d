fugu_error_of <- function(code) {
  tryCatch({
    code
    NULL
  }, fugu_error = function(error) error)
}

test_that("errors are conditions with kind, hint and status", {
  error <- fugu_error_of(scenario(people(), secret = "rase", public = "job"))
  expect_identical(error$kind, "usage")
  expect_identical(error$status, 2L)
  expect_true(nzchar(error$hint))
  expect_s3_class(error, c("fugu_usage_error", "fugu_error", "error", "condition"), exact = TRUE)
})

test_that("no epsilon is assumed", {
  expect_error(calibrate(scenario(people(), secret = "race", public = "job")), "no epsilon is given")
  expect_error(compare(scenario(people(), secret = "race", public = "job")), "no epsilon is given")
})

test_that("unknown arguments are errors with a hint", {
  expect_error(scenario(people(), secret = "race", public = "job", min_gruop = 5), "did you mean 'min_group'")
  expect_error(scenario(people(), secret = "race", public = "job", "sex"), "has no name")
  expect_error(calibrate(scenario(people(), secret = "race", public = "job"), epsilon = TRUE), "not a number")
  expect_error(calibrate(scenario(people(), secret = "race", public = "job"), epsilon = NA_real_), "not a number")
  expect_true("known" %in% arguments("scenario")$name)
})

test_that("missing fields are refused unless somebody says what they do", {
  data <- people()
  data$job[5] <- NA
  expect_error(scenario(data, secret = "race", public = "job"), class = "fugu_data_error")
  plan <- hidden_job(data, missing = "drop")
  expect_identical(nrow(release(data, plan)), 599L)
  data$hours <- as.double(data$hours)
  data$hours[7] <- NaN
  expect_error(scenario(data, secret = "race", public = "hours"), "missing")
  data$hours[7] <- Inf
  expect_error(scenario(data, secret = "race", public = "hours"), "not a finite number")
})

test_that("tables without rows or columns are refused", {
  expect_error(scenario(people()[0, ], secret = "race", public = "job"), class = "fugu_error")
  expect_error(scenario(people()[, 0], secret = "race", public = "job"), class = "fugu_usage_error")
  expect_error(scenario(data.frame(), secret = "race", public = "job"), class = "fugu_error")
  expect_error(inspect(people()[0, ]), class = "fugu_data_error")
  expect_error(release(people()[0, ], hidden_job()), class = "fugu_error")
  expect_error(scenario(1:3, secret = "race", public = "job"), "not a table")
})

test_that("columns that cannot be read matter only where they are asked for", {
  data <- people()
  data$list <- as.list(seq_len(600))
  data$matrix <- matrix(0, 600, 2)
  data$raw <- as.raw(seq_len(600) %% 256)
  data$complex <- complex(600, 1, 1)
  data$lt <- as.POSIXlt(as.POSIXct("2026-01-01", tz = "UTC") + seq_len(600))
  data$local <- as.POSIXct("2026-01-01", tz = "Europe/Berlin") + seq_len(600)
  data$took <- as.difftime(seq_len(600), units = "mins")
  data$inner <- data.frame(a = seq_len(600))
  released <- release(data, hidden_job(data))
  expect_identical(names(released), "job")
  for (name in c("list", "matrix", "raw", "complex", "lt", "local", "took", "inner")) {
    expect_error(scenario(data, secret = "race", public = name), class = "fugu_data_error")
  }
  expect_warning(seen <- inspect(data), "list")
  expect_length(seen$columns, 4)
})

test_that("columns of one name are refused where they are used", {
  data <- people()
  names(data)[4] <- "job"
  expect_error(scenario(data, secret = "race", public = "job"), class = "fugu_usage_error")
  expect_error(release(data, hidden_job()), "several columns 'job'")
})

test_that("texts are UTF-8, or refused without being shown", {
  data <- people()
  latin <- data
  latin$job[latin$job == "cook"] <- "k\xf6chin"
  Encoding(latin$job) <- "latin1"
  utf8 <- data
  utf8$job[utf8$job == "cook"] <- "k\u00f6chin"
  expect_identical(to_json(hidden_job(latin)), to_json(hidden_job(utf8)))
  expect_true("k\u00f6chin" %in% release(latin, hidden_job(latin))$job)
  broken <- data
  broken$job[broken$job == "cook"] <- "k\xf6chin"
  Encoding(broken$job) <- "bytes"
  error <- fugu_error_of(scenario(broken, secret = "race", public = "job"))
  expect_identical(error$kind, "data")
  expect_false(grepl("chin", conditionMessage(error), fixed = TRUE))
})

test_that("levels of nobody and NA as a level change nothing", {
  data <- people()
  data$job <- factor(data$job, levels = c("spy", "nurse", "cook", "clerk"))
  expect_identical(to_json(hidden_job(data)), to_json(hidden_job()))
  data$job <- addNA(factor(replace(people()$job, 4, NA)))
  expect_error(scenario(data, secret = "race", public = "job"), class = "fugu_data_error")
  data$job <- structure(c(9L, rep(1L, 599)), levels = "cook", class = "factor")
  expect_error(scenario(data, secret = "race", public = "job"), "has no level")
})

test_that("long labels go through", {
  data <- people()
  long <- strrep("ab\u00fc ", 5000)
  data$job[data$job == "cook"] <- long
  released <- release(data, hidden_job(data))
  expect_true(long %in% released$job || trimws(long) %in% released$job)
})

test_that("whole numbers of 64 bits are read as they are", {
  data <- people()
  data$hours <- structure(readBin(as.raw(rep(c(20, 0, 0, 0, 0, 0, 0, 0, 38, 0, 0, 0, 0, 0, 0, 0), 300)), "double", 600), class = "integer64")
  plain <- people()
  plain$hours <- rep(c(20L, 38L), 300)
  plan <- function(data) suppressWarnings(calibrate(scenario(data, secret = "race", public = "hours"), epsilon = 0.5, method = "exact"))
  expect_identical(to_json(plan(data)), to_json(plan(plain)))
})

test_that("a category that few people share is not published", {
  data <- people()
  data$job[1:2] <- "astronaut"
  plan <- hidden_job(data)
  expect_error(statement(plan), class = "fugu_error")
  expect_error(release(data, plan), class = "fugu_error")
  expect_s3_class(release(data, plan, publish_min = 1), "data.frame")
})

test_that("other rows than the plan's are refused", {
  data <- people()
  data$job[data$race == "A"] <- "cook"
  expect_error(release(data, hidden_job()), class = "fugu_guarantee_error")
})

test_that("plans and scenarios do not survive their session", {
  plan <- unserialize(serialize(hidden_job(), NULL))
  expect_error(print(plan), "session that has ended")
  expect_error(release(people(), plan), "read_plan")
  question <- unserialize(serialize(scenario(people(), secret = "race", public = "job"), NULL))
  expect_error(print(question), "session that has ended")
  # The counts are in no attribute either.
  expect_false(any(grepl("job", rawToChar(serialize(hidden_job(), NULL, ascii = TRUE)))))
})

test_that("a plan that was weakened does not verify", {
  path <- tempfile(fileext = ".json")
  writeLines(sub("\"epsilon\": 0.5", "\"epsilon\": 0.4", to_json(hidden_job()), fixed = TRUE), path)
  expect_error(verify(path), class = "fugu_guarantee_error")
})

test_that("work can be interrupted", {
  rows <- 2e5
  data <- data.frame(secret = rep(c("a", "b"), rows / 2), value = (seq_len(rows) * 7919) %% 3001)
  question <- scenario(data, secret = "secret", public = "value")
  # All of it in the background: while R waits for a command, it ignores the signal.
  system(paste0("(sleep 2; kill -INT ", Sys.getpid(), ")"), wait = FALSE)
  # Minutes of work, so that the signal finds it going on however fast the machine is.
  answer <- tryCatch(compare(question, epsilon = seq(0.001, 2, 0.001)), interrupt = function(condition) "stopped")
  expect_identical(answer, "stopped")
  # What it was asked has gone: the next call works.
  expect_s3_class(hidden_job(), "fugu_plan")
})

test_that("forked processes are refused", {
  answers <- parallel::mclapply(1:2, function(k) tryCatch(print(hidden_job()), fugu_error = conditionMessage), mc.cores = 2)
  for (answer in answers) expect_match(answer, "forked process")
})

test_that("pictures are the core's", {
  question <- scenario(people(), secret = "race", public = "job")
  plan <- calibrate(question, epsilon = 0.5)
  drawings <- pictures(plan)
  expect_true(all(vapply(drawings, function(picture) startsWith(picture$svg, "<svg"), TRUE)))
  path <- tempfile(fileext = ".svg")
  files <- write_svg(drawings, path)
  expect_true(all(file.exists(files)))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_invisible(plot(question))
  expect_invisible(plot(plan, which = c("laws", "transport", "loss", "noise")))
  expect_invisible(plot(compare(question, epsilon = 0.5), seconds = 2))
  table <- as.data.frame(compare(question, epsilon = c(0.5, 1)))
  expect_true(all(c(0.5, 1) %in% table$epsilon))
  expect_true("exact" %in% table$method)
})
