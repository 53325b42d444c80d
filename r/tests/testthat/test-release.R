test_that("the kinds of columns come back", {
  data <- people()
  data$day <- as.Date("2026-03-01") + data$hours
  data$moment <- as.POSIXct("2026-03-01", tz = "UTC") + 86400 * data$hours
  data$grade <- factor(c("low", "mid", "high")[match(data$hours, c(20, 38, 40))], levels = c("low", "mid", "high"), ordered = TRUE)
  data$part <- data$hours < 30
  public <- c("job", "hours", "day", "moment", "grade", "part")
  plan <- calibrate(scenario(data, secret = "race", public = public), epsilon = 1)
  released <- release(data, plan)
  expect_identical(names(released), setdiff(names(data), c("race", "sex")))
  expect_identical(lapply(released, class), lapply(data[names(released)], class))
  expect_identical(levels(released$grade), c("low", "mid", "high"))
  expect_identical(attr(released$moment, "tzone"), "UTC")
  expect_true(all(released$day %in% data$day))
  expect_true(all(released$job %in% data$job))
  expect_identical(nrow(released), nrow(data))
})

test_that("noise on numbers and dates keeps their kind", {
  data <- people()
  data$day <- as.Date("2026-03-01") + data$hours
  data$half <- data$hours / 2
  for (column in c("hours", "day", "half")) {
    plan <- suppressWarnings(calibrate(scenario(data, secret = "race", public = column), epsilon = 0.5, method = "exact"))
    released <- suppressWarnings(release(data, plan))[[column]]
    expect_identical(class(released), class(data[[column]]))
    expect_identical(suppressWarnings(class(release(data[[column]], plan))), class(data[[column]]))
  }
})

test_that("a factor by itself comes back as one", {
  job <- factor(people()$job)
  plan <- hidden_job()
  expect_identical(levels(release(job, plan)), levels(job))
  expect_length(release(as.character(job), plan), 600)
})

test_that("labelled values keep the labels of the values that are there, in their order", {
  data <- people()
  labelled <- function(class) {
    structure(as.double(match(data$job, c("cook", "clerk", "nurse"))), class = class, label = "Occupation", format.spss = "F8.0",
              labels = c(nurse = 3, "tax fraud" = 9, clerk = 2, cook = 1))
  }
  data$job <- labelled(c("haven_labelled", "vctrs_vctr", "double"))
  plan <- calibrate(scenario(data, secret = "race", public = "job", kind = c(job = "code")), epsilon = 0.5)
  released <- release(data, plan)$job
  expect_identical(attr(released, "labels"), c(cook = 1, clerk = 2, nurse = 3))
  expect_setequal(names(attributes(released)), c("labels", "label", "class"))
  expect_identical(class(released), class(data$job))
})

test_that("what SPSS declares missing is missing", {
  data <- people()
  codes <- as.double(match(data$job, c("cook", "clerk", "nurse")))
  codes[c(5, 50)] <- 99
  data$job <- structure(codes, class = c("haven_labelled_spss", "haven_labelled", "vctrs_vctr", "double"), na_values = 99,
                        labels = c(cook = 1, refused = 99))
  question <- scenario(data, secret = "race", public = "job", kind = c(job = "code"), missing = "drop")
  released <- release(data, calibrate(question, epsilon = 0.5))$job
  expect_length(released, 598)
  expect_identical(attr(released, "labels"), c(cook = 1))
})

test_that("nothing that rows wrote into attributes comes along", {
  data <- people()
  data$job <- factor(data$job, levels = c("spy", "nurse", "cook", "clerk")) # levels of nobody, and in an order of the rows
  contrasts(data$job) <- matrix(seq_len(4), 4)
  names(data$hours) <- paste0("person", seq_len(600))
  comment(data$hours) <- "row 17 is the mayor"
  rownames(data) <- paste0("person", seq_len(600))
  attr(data, "source") <- "row 17 is the mayor"
  plan <- calibrate(scenario(data, secret = "race", public = c("job", "hours")), epsilon = 1)
  released <- release(data, plan)
  expect_identical(attributes(released), list(names = c("job", "hours"), class = "data.frame", row.names = seq_len(600)))
  expect_identical(attributes(released$job), list(levels = c("clerk", "cook", "nurse"), class = "factor"))
  expect_null(attributes(released$hours))
  expect_false(any(grepl("spy|mayor|person", rawToChar(serialize(released, NULL, ascii = TRUE)))))
})

test_that("known columns are built anew from their texts", {
  data <- people()
  data$region <- factor(data$sex, levels = c("m", "x", "f"))
  data$level <- ifelse(data$sex == "f", -0, 1)
  data$since <- as.Date("2026-01-01") + ifelse(data$sex == "f", 0, 1) + ifelse(data$race == "A", 0.25, 0.5)
  plan <- calibrate(scenario(data, secret = "race", public = "job", known = c("region", "level", "since")), epsilon = 0.5)
  for (again in 1:3) released <- release(data, plan) # compiled in between
  expect_identical(levels(released$region), c("f", "m"))
  expect_false(any(1 / released$level == -Inf))
  expect_identical(sort(unique(as.numeric(released$since))), as.numeric(as.Date("2026-01-01")) + 0:1)
  expect_identical(as.integer(table(released$region)), as.integer(table(factor(data$sex))))
})

test_that("a hidden kind of NA does not come along", {
  data <- people()
  tagged <- readBin(as.raw(c(0xa2, 0x07, 0, 0, 0x61, 0, 0xf0, 0x7f)), "double") # haven's tagged_na("a")
  data$wave <- ifelse(data$sex == "f", 1, NA_real_)
  data$wave[data$sex != "f" & data$race == "A"] <- tagged
  question <- scenario(data, secret = "race", public = "job", known = "wave", missing = "keep")
  plan <- tryCatch(calibrate(question, epsilon = 0.5), fugu_error = function(error) skip(error$what))
  wave <- release(data, plan)$wave
  bits <- unique(lapply(wave[is.na(wave)], function(one) writeBin(one, raw())))
  expect_length(bits, 1)
})

test_that("rows that are written without what is known of them have NA there", {
  data <- people()
  data$wide <- structure(readBin(as.raw(rep(c(7, rep(0, 7)), 600)), "double", 600), class = "integer64")
  column <- written_anew(data$wide, to_core(data$wide), rep(c(TRUE, FALSE), 300), rep(c(TRUE, TRUE, FALSE, FALSE), 150), character())
  expect_identical(class(column), "integer64")
  bits <- writeBin(unclass(column), raw())
  expect_identical(bits[1:16], as.raw(c(rep(0, 7), 128, 7, rep(0, 7))))
  column <- written_anew(data$sex, to_core(data$sex), NULL, data$sex == "m", "f")
  expect_true(all(is.na(column)))
})

test_that("unprotected columns are warned about, and lose what no row of them shows", {
  data <- people()
  data$sex <- factor(data$sex, levels = c("f", "m", "other"))
  plan <- hidden_job(data)
  expect_warning(released <- release(data, plan, keep_unprotected = "sex"), "sex")
  expect_identical(levels(released$sex), c("f", "m"))
  expect_error(release(data, plan, keep_unprotected = "race"), class = "fugu_usage_error")
  expect_error(release(data, plan, keep_unprotected = "nothing"), "there is no column 'nothing'")
  data$list <- as.list(seq_len(600))
  expect_error(release(data, plan, keep_unprotected = "list"), class = "fugu_error")
})

test_that("levels of an unprotected factor are not in the order of the rows", {
  data <- people()
  data$place <- factor(paste("place", (seq_len(600) * 7) %% 11), levels = paste("place", (1:11 * 7) %% 11))
  expect_true(is.unsorted(levels(data$place)))
  data$rank <- factor(data$place, levels = c("nobody's", levels(data$place)), ordered = TRUE)
  expect_warning(released <- release(data, hidden_job(data), keep_unprotected = c("place", "rank"), keep_order = TRUE), "place")
  expect_identical(levels(released$place), sort(levels(data$place), method = "radix"))
  expect_identical(as.character(released$place), as.character(data$place))
  expect_identical(levels(released$rank), levels(data$place))
  expect_s3_class(released$rank, "ordered")
})

test_that("nothing that a terminal obeys reaches it", {
  data <- people()
  names(data)[names(data) == "sex"] <- "s\033[2Jx"
  failed <- tryCatch(scenario(data, secret = "race", public = "no\033]0;such\a"), fugu_error = identity)
  expect_false(grepl("[[:cntrl:]]", gsub("\n", "", conditionMessage(failed))))
  failed <- tryCatch(release(data, hidden_job(data), keep_unprotected = "no\u202ene"), fugu_error = identity)
  expect_match(failed$what, "no<U+202E>ne", fixed = TRUE)
  expect_warning(release(data, hidden_job(data), keep_unprotected = "s\033[2Jx"), "s?[2Jx is released exactly", fixed = TRUE)
})

test_that("seeds of R have no effect", {
  plan <- hidden_job(epsilon = 0.05, order = c("clerk", "cook", "nurse"))
  plan <- calibrate(scenario(people(), secret = "race", public = "job"), epsilon = 0.05, method = "exact")
  set.seed(1)
  first <- release(people(), plan)
  set.seed(1)
  expect_false(identical(first, release(people(), plan)))
})

test_that("rows that trade places come in random order", {
  data <- people()
  data$hours <- (seq_len(600) - 1L) %/% 100L
  plan <- calibrate(scenario(data, secret = "race", public = c("job", "hours")), epsilon = 1)
  expect_true(is.unsorted(release(data, plan)$hours))
  expect_lt(mean(release(data, plan, keep_order = TRUE)$hours != data$hours), 0.5)
})

test_that("tibbles stay tibbles, without groups", {
  data <- structure(people(), class = c("grouped_df", "tbl_df", "tbl", "data.frame"), groups = data.frame(.rows = seq_len(600)))
  released <- release(data, hidden_job(data))
  expect_identical(class(released), c("tbl_df", "tbl", "data.frame"))
  expect_null(attr(released, "groups"))
})
