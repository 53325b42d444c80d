# The same question gives the same plan, byte for byte, from R and from the command line.

expect_same_plan <- function(data, asked, wishes, ...) {
  path <- write_table(data)
  written <- program_plan(path, ...)
  expect_identical(charToRaw(to_json(plan_of(data, asked, wishes))), written)
  expect_identical(charToRaw(to_json(plan_of(path, asked, wishes))), written)
}

test_that("one column", {
  expect_same_plan(people(), list(secret = "race", public = "job"), list(epsilon = 0.5),
                   "--secret", "race", "--public", "job", "--epsilon", "0.5")
})

test_that("factors, ordered or not, and texts count alike", {
  data <- people()
  data$job <- factor(data$job, levels = c("nurse", "nobody", "cook", "clerk"), ordered = TRUE)
  data$race <- factor(data$race, levels = c("B", "A"))
  expect_same_plan(data, list(secret = "race", public = "job", order = c("nurse", "cook", "clerk"), confidence = 0.95, closeness = 0.01),
                   list(epsilon = 2, method = "sensitivity"), "--secret", "race", "--public", "job", "--order", "nurse,cook,clerk",
                   "--confidence", "0.95", "--closeness", "0.01", "--epsilon", "2", "--method", "sensitivity")
})

test_that("several columns", {
  expect_same_plan(people(), list(secret = "race", public = c("hours", "job")), list(epsilon = 1),
                   "--secret", "race", "--public", "hours,job", "--epsilon", "1")
  expect_same_plan(people(), list(secret = "race", public = "all"), list(epsilon = 1),
                   "--secret", "race", "--public", "all", "--epsilon", "1")
})

test_that("known columns", {
  expect_same_plan(people(), list(secret = "race", public = "job", known = "sex"), list(epsilon = 0.5),
                   "--secret", "race", "--public", "job", "--known", "sex", "--epsilon", "0.5")
})

test_that("numbers, clipped, with steps, pairs and another noise", {
  data <- people()
  data$hours <- data$hours / 2
  expect_same_plan(data, list(secret = "race", public = "hours", given = "sex", min_group = 5, clip = c(12.5, 19.5), step = 0.5),
                   list(epsilon = "1/3", method = "optimal"), "--secret", "race", "--public", "hours", "--given", "sex", "--min-group", "5",
                   "--clip", "12.5:19.5", "--step", "0.5", "--epsilon", "1/3", "--method", "optimal")
  expect_same_plan(people(), list(secret = c("race", "sex"), public = "hours", pairs = list(c("A & f", "B & f"), c("A & m", NA))),
                   list(epsilon = 0.1, delta = 1e-5, noise = "gaussian"), "--secret", "race,sex", "--public", "hours",
                   "--pairs", "A & f:B & f,A & m:*", "--epsilon", "0.1", "--delta", "1e-05", "--noise", "gaussian")
})

test_that("dates", {
  data <- people()
  data$day <- as.Date("2026-03-01") + data$hours
  expect_same_plan(data, list(secret = "race", public = "day"), list(epsilon = 0.5, method = "exact"),
                   "--secret", "race", "--public", "day", "--epsilon", "0.5", "--method", "exact")
  expect_same_plan(data, list(secret = "race", public = "day", date_unit = "week"), list(epsilon = 0.5),
                   "--secret", "race", "--public", "day", "--date-unit", "week", "--epsilon", "0.5")
})

test_that("persons with several rows", {
  # Which of a person's rows is taken is drawn anew for each plan: where they are alike, its seed and the digest alone differ.
  data <- people()[rep(seq_len(300), each = 2), ]
  data$person <- rep(seq_len(300), each = 2)
  but_for_seed <- function(json) sub("\"seed\": \"[0-9a-f]+\"", "", sub("\"digest\": \"sha256:[0-9a-f]+\"", "", json))
  for (several in list(NULL, 2)) {
    asked <- list(secret = "race", public = "job", person = "person", rows_per_person = several)
    flags <- list(write_table(data), "--secret", "race", "--public", "job", "--person", "person", "--epsilon", "0.5")
    if (!is.null(several)) flags <- c(flags, "--rows-per-person", "2")
    written <- rawToChar(do.call(program_plan, flags))
    made <- to_json(plan_of(data, asked, list(epsilon = 0.5)))
    expect_false(identical(made, written))
    expect_identical(but_for_seed(made), but_for_seed(written))
  }
})

test_that("missing fields, truth values and texts that need quotes", {
  data <- people()
  data$job[c(3, 30)] <- NA
  data$race <- ifelse(data$race == "A", "x,y", "say \"\u00fc\"")
  expect_same_plan(data, list(secret = "race", public = "job", missing = "drop"), list(epsilon = 0.5),
                   "--secret", "race", "--public", "job", "--missing", "drop", "--epsilon", "0.5")
  data <- people()
  data$part <- data$hours < 30
  csv <- data
  csv$part <- ifelse(data$part, "true", "false")
  path <- write_table(csv)
  expect_identical(charToRaw(to_json(hidden_job(path))), program_plan(path, "--secret", "race", "--public", "job", "--epsilon", "0.5"))
  expect_identical(charToRaw(to_json(plan_of(data, list(secret = "race", public = "part"), list(epsilon = 0.5)))),
                   program_plan(path, "--secret", "race", "--public", "part", "--epsilon", "0.5"))
})

test_that("a plan's file is the command line's, and only its owner reads it", {
  path <- tempfile(fileext = ".json")
  write_plan(hidden_job(), path)
  expect_identical(as.character(file.mode(path)), "600")
  expect_error(write_plan(hidden_job(), path), class = "fugu_usage_error")
  expect_identical(to_json(read_plan(path)), to_json(hidden_job()))
  expect_match(paste(run("verify", path), collapse = " "), "0.5")
  expect_true(verify(path)$verified)
})

test_that("what is printed is what the command line prints", {
  path <- write_table(people())
  program() # or skip
  plan <- tempfile(fileext = ".json")
  text <- run("calibrate", path, "--secret", "race", "--public", "job", "--epsilon", "0.5", "-o", plan)
  shown <- capture.output(print(read_plan(plan)))
  expect_true(all(grepl("[a-z]", shown[nzchar(shown)])))
  expect_false(any(grepl("600", shown)))
  expect_identical(capture.output(print(verify(plan))), run("verify", plan))
  expect_identical(capture.output(print(inspect(people(), secret = "race"))), run("inspect", path, "--secret", "race"))
})

test_that("what a recipient is told is what the command line tells", {
  plan <- hidden_job()
  told <- tempfile(fileext = ".json")
  write_statement(statement(plan), told)
  released <- release(people(), plan)
  path <- write_table(released)
  expect_identical(capture.output(print(estimate(released, told))), run("estimate", path, "--statement", told))
  expect_identical(to_json(estimate(released, statement(plan))), to_json(estimate(path, told)))
})
