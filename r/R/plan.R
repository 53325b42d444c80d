#' Find the noise, and prove it
#'
#' Finds what must be done to the released values so that the secret is hidden, and proves it. For the same texts the
#' plan is the same, byte for byte, as that of the command line and of Python.
#'
#' @section What not to save:
#' A plan holds the counts of your table: it is private. It lives in this session alone, so that `saveRDS` and a saved
#' workspace (`.RData`) keep nothing of it. [write_plan()] writes its file, which only you can read (mode 0600). What may be
#' published is the [statement()].
#'
#' @inheritParams compare
#' @param ... further arguments, by name: `delta`, `method`, `noise`, `loss`, `outputs`, `asymmetric`, `unbiased`, `time_limit`,
#'   `cost`, `least_kept`; `arguments("calibrate")` lists them.
#' @return An object of class `fugu_plan`.
#' @examples
#' people <- data.frame(
#'   illness = rep(c("yes", "no"), c(60, 140)),
#'   job = c(rep(c("nurse", "clerk"), c(40, 20)), rep(c("nurse", "clerk"), c(60, 80)))
#' )
#' question <- scenario(people, secret = "illness", public = "job")
#' plan <- calibrate(question, epsilon = 0.5)
#' plan
#' verify(plan)
#' @export
calibrate <- function(scenario, epsilon = NULL, ..., progress = interactive()) {
  check_scenario(scenario)
  texts <- asked("calibrate", list(epsilon = epsilon, ...))
  plan <- plan_at(answer(fugu_calibrate_plan, scenario$core, texts, isTRUE(progress)))
  warn_owner(plan, publish_min_default())
  plan
}

plan_at <- function(core) structure(list(core = core), class = "fugu_plan")

check_plan <- function(plan) {
  if (!inherits(plan, "fugu_plan")) {
    usage_error("this is no plan", "make one with calibrate(), or read its file with read_plan()")
  }
}

publish_min_default <- function() 5

# What its owner should know before anything is published; `unprotected` are columns that go along as they are.
warn_owner <- function(plan, publish_min, unprotected = character()) {
  person <- plan_columns(plan)$person$column
  said <- answer(fugu_warnings_of, plan$core, publish_min, unprotected, if (is.null(person)) "" else person)
  for (words in said[nzchar(said)]) warning(readable(words), call. = FALSE)
}

plan_columns <- function(plan) answer(fugu_plan_source, plan$core)

#' @export
print.fugu_plan <- function(x, ...) {
  writeLines(sub("\n$", "", answer(fugu_plan_reply, x$core)$text))
  invisible(x)
}

#' @export
to_json.fugu_plan <- function(x) answer(fugu_plan_reply, x$core)$json

#' All that a plan holds, as a list. It is private: it has the counts.
#' @noRd
#' @export
as.list.fugu_plan <- function(x, ...) answer(fugu_parse, to_json(x))

#' Plans in files
#'
#' `write_plan()` writes the plan's file: byte for byte what the command line writes, and readable by you alone (mode 0600). `read_plan()` reads
#' one, of the command line and of Python as well. Reading proves nothing: [verify()] does, and so does every [release()].
#'
#' @param plan what [calibrate()] made.
#' @param file the path of the file.
#' @param force whether a file of that name may be replaced.
#' @return `write_plan()` returns the path, invisibly; `read_plan()` an object of class `fugu_plan`.
#' @export
write_plan <- function(plan, file, force = FALSE) {
  check_plan(plan)
  write_whole(file, to_json(plan), force, owner_only = TRUE)
}

#' @rdname write_plan
#' @export
read_plan <- function(file) plan_at(answer(fugu_read_plan, path.expand(word_text(file, "file"))))

write_whole <- function(file, text, force, owner_only) {
  path <- path.expand(word_text(file, "file"))
  answer(fugu_write_file, path, text, is_true(force, "force"), owner_only)
  invisible(file)
}

#' Prove a plan anew
#'
#' Recomputes the loss of the plan's own integers, believing none of the numbers in it. Where the promise does not
#' hold this is an error of class `fugu_guarantee_error`.
#'
#' @param plan what [calibrate()] or [read_plan()] gave, or the path of a plan's file.
#' @inheritParams scenario
#' @return A list: what is proved, and where the loss is largest. It is private, like the plan.
#' @export
verify <- function(plan, progress = interactive()) {
  if (is_path(plan)) plan <- read_plan(plan)
  check_plan(plan)
  reply <- answer(fugu_verify_plan, plan$core, isTRUE(progress))
  answered(reply, "fugu_verified")
}

#' What may be published of a plan
#'
#' The promise, its assumptions, the law of the noise, and how to estimate from it: no counts, and nothing of your rows but what enough people share.
#' Publish it with every released table.
#'
#' @param plan what [calibrate()] or [read_plan()] gave.
#' @param keep,keep_unprotected,drop,new_data what you gave [release()]: the statement says what they add to it.
#' @param publish_min a category, an end of a range or a value of a channel that fewer people share is refused.
#' @return An object of class `fugu_statement`: a list that prints as a paragraph. [write_statement()] writes its file.
#' @export
statement <- function(plan, keep = NULL, keep_unprotected = NULL, drop = FALSE, new_data = FALSE, publish_min = 5) {
  check_plan(plan)
  least <- people(publish_min, "publish_min")
  reply <- answer(
    fugu_statement_of, plan$core, column_names(keep, "keep"), column_names(keep_unprotected, "keep_unprotected"),
    is_true(drop, "drop"), is_true(new_data, "new_data"), least
  )
  warn_owner(plan, least)
  answered(reply, "fugu_statement")
}

#' @rdname statement
#' @param statement what `statement()` made.
#' @param file the path of the file.
#' @param force whether a file of that name may be replaced.
#' @export
write_statement <- function(statement, file, force = FALSE) {
  if (!inherits(statement, "fugu_statement")) usage_error("this is no statement", "make one with statement(plan)")
  write_whole(file, to_json(statement), force, owner_only = FALSE)
}
