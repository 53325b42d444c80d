#' Ask a question about a table
#'
#' Counts a data frame once: what is secret, what is to be released, and who may know what. The question can then be
#' compared, calibrated and drawn at any epsilon.
#'
#' @section What is private:
#' The scenario holds the counts of your table. It lives in this session alone: `saveRDS` and a saved workspace
#' keep nothing of it.
#'
#' @param data a data frame (also a tibble or a data.table), or the path of a CSV file. Columns may hold texts, factors,
#'   whole numbers, decimals, truth values, dates, times of UTC, and labelled values (`haven_labelled`). `NA` is a missing field, and so
#'   is what SPSS declares missing.
#' @param secret names of the columns that are to be hidden.
#' @param public names of the columns that are to be released; `"all"` for every column that has no other role.
#' @param ... further arguments, by name: the flags of the command line with `_` for `-`, for example `known`, `given`,
#'   `person`, `weight`, `clip`, `bin`, `merge_rare`, `order`, `missing`. [arguments()] lists them all. Of several columns give a
#'   named list: `clip = list(age = c(20, 69))`. What is not said has no default that weakens the promise.
#' @param priors paths of files with further beliefs.
#' @param progress whether to say how far long work is.
#' @return An object of class `fugu_scenario`. Printing it says what the command line would say.
#' @examples
#' people <- data.frame(
#'   illness = rep(c("yes", "no"), c(60, 140)),
#'   job = c(rep(c("nurse", "clerk"), c(40, 20)), rep(c("nurse", "clerk"), c(60, 80)))
#' )
#' question <- scenario(people, secret = "illness", public = "job")
#' question
#' @export
scenario <- function(data, secret, public, ..., priors = character(), progress = interactive()) {
  if (missing(secret)) usage_error("--secret: no secret is given", "name the column that is to be hidden: secret = \"race\"")
  if (missing(public)) usage_error("--public: no column is given", "name the column that is to be released: public = \"job\"")
  texts <- asked("scenario", list(secret = secret, public = public, ...))
  frame <- NULL
  if (is_path(data)) {
    texts <- c(texts, TABLE = enc2utf8(path.expand(data)))
  } else {
    if (any(c("separator", "no-header") %in% names(texts))) {
      usage_error("header and separator are for files", "leave them out: a data frame has names and columns")
    }
    frame <- frame_of(table_only(data))
  }
  core <- answer(fugu_open, frame, texts, as.character(priors), isTRUE(progress))
  structure(list(core = core), class = "fugu_scenario")
}

is_path <- function(data) is.character(data) && length(data) == 1 && !is.na(data)

table_only <- function(data) {
  if (!is.data.frame(data)) {
    usage_error("this is not a table", "give a data frame with the secret and the released column, or the path of a CSV file")
  }
  data
}

#' @rdname scenario
#' @param file the path of a scenario file, such as `fugu demo` writes (docs/formats.md).
#' @export
read_scenario <- function(file) {
  structure(list(core = answer(fugu_read_scenario, path.expand(word_text(file, "file")))), class = "fugu_scenario")
}

#' @export
print.fugu_scenario <- function(x, ...) {
  writeLines(sub("\n$", "", answer(fugu_scenario_reply, x$core)$text))
  invisible(x)
}

check_scenario <- function(scenario) {
  if (!inherits(scenario, "fugu_scenario")) {
    usage_error("this is no scenario", "make one with scenario(data, secret = , public = )")
  }
}

#' Compare every method
#'
#' What each method would cost at an epsilon, or at several, each proved; and which one is taken when you name none.
#'
#' @param scenario what [scenario()] made.
#' @param epsilon how much the odds of two secrets may change: at most by the factor `exp(epsilon)`. There is no default.
#' @param ... further arguments, by name: `delta`, `noise`, `time_limit`.
#' @inheritParams scenario
#' @return An object of class `fugu_comparison`; `as.data.frame()` makes a table of it, `plot()` draws the error against epsilon.
#' @examples
#' people <- data.frame(
#'   illness = rep(c("yes", "no"), c(60, 140)),
#'   job = c(rep(c("nurse", "clerk"), c(40, 20)), rep(c("nurse", "clerk"), c(60, 80)))
#' )
#' compare(scenario(people, secret = "illness", public = "job"), epsilon = 0.5)
#' @export
compare <- function(scenario, epsilon = NULL, ..., progress = interactive()) {
  check_scenario(scenario)
  texts <- asked("compare", list(epsilon = epsilon, ...))
  reply <- answer(fugu_compare_methods, scenario$core, texts, isTRUE(progress))
  structure(
    answered(reply, "fugu_comparison"),
    asked = list(scenario = scenario, texts = texts)
  )
}

#' @export
as.data.frame.fugu_comparison <- function(x, row.names = NULL, optional = FALSE, ...) {
  groups <- if (is.null(x[["comparisons"]])) list(unclass(x)) else x[["comparisons"]]
  rows <- unlist(lapply(groups, function(group) lapply(group$candidates, function(row) c(list(epsilon = group$epsilon), row))), recursive = FALSE)
  keys <- Filter(function(key) all(lengths(lapply(rows, `[[`, key)) <= 1), unique(unlist(lapply(rows, names))))
  columns <- lapply(keys, function(key) {
    unlist(lapply(rows, function(row) if (is.null(row[[key]]) || is.list(row[[key]])) NA else row[[key]]))
  })
  data.frame(stats::setNames(columns, keys), row.names = row.names, check.names = FALSE)
}

#' The JSON of an object
#'
#' The same bytes as the command line writes: of a plan its file, of a scenario its file, of an answer what `--format json` prints.
#' **A plan and a scenario hold your counts.** [write_plan()] writes a plan that only you can read.
#'
#' @param x a plan, a scenario, a statement or another answer of the package.
#' @return A text.
#' @export
to_json <- function(x) UseMethod("to_json")

#' @export
to_json.fugu_scenario <- function(x) answer(fugu_scenario_reply, x$core)$json

#' @export
to_json.fugu_answer <- function(x) attr(x, "json")
