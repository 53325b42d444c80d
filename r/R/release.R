#' Release a table
#'
#' Draws the plan's noise for every row, exactly as it was proved, and gives back a data frame of the released columns:
#' factors as factors, dates as dates, labelled values with their labels. Nothing else of the table comes along, but for the plan's known
#' columns and those that `keep` and `keep_unprotected` name.
#'
#' @section Random numbers:
#' They come from the operating system's entropy, in the core. `set.seed()` has no effect, on purpose: who could draw the same noise again could take
#' it away. **Each call draws anew, and spends the budget once more.** Release once, and keep what was released.
#'
#' @section What a released table does not have:
#' Row names, the rows' groups, names of elements, unused levels, levels in the order of your rows, labels of values that are not there, and any
#' attribute but those of dates, times, factors and labelled values (`labels`, and `label`, the name of the variable, which is published
#' like the column's name).
#' An ordered factor keeps your order. A plain factor has its levels in the plan's order: by their bytes, or as `order` said in [scenario()].
#' One of `keep_unprotected` has them by their bytes.
#' Where rows trade places, those of a data frame come in random order.
#'
#' @param data the data frame that the plan was made from; or its one released column by itself, as a vector or factor.
#' @param plan what [calibrate()] or [read_plan()] gave. It is proved again before anything is drawn.
#' @param new_data whether these are other rows than those that the plan was made from, which its prior describes as well.
#' @param drop whether to leave out rows whose value is missing or that the plan does not know.
#' @param keep names of the columns that the plan was calibrated against (`given`), to be written along: all or none.
#' @param keep_unprotected names of further columns to be written as they are. **The promise says nothing about them**, and a warning says so.
#' @param publish_min categories, ends and values that fewer people share are refused.
#' @param rows_independent your word that each row is another person's, although a column looks like people's numbers that come again.
#' @param keep_order your word that the order of the rows tells nothing.
#' @inheritParams scenario
#' @return A data frame (a tibble or a data.table where `data` is one), or a vector.
#' @examples
#' people <- data.frame(
#'   illness = rep(c("yes", "no"), c(60, 140)),
#'   job = factor(c(rep(c("nurse", "clerk"), c(40, 20)), rep(c("nurse", "clerk"), c(60, 80))))
#' )
#' plan <- calibrate(scenario(people, secret = "illness", public = "job"), epsilon = 0.5)
#' released <- release(people, plan)
#' table(released$job)
#' @export
release <- function(data, plan, new_data = FALSE, drop = FALSE, keep = NULL, keep_unprotected = NULL, publish_min = 5,
                    rows_independent = FALSE, keep_order = FALSE, progress = interactive()) {
  check_plan(plan)
  if (is_path(data)) {
    usage_error("release: this is the name of a file", "read the table first, or use the program fugu: fugu release TABLE --plan PLAN")
  }
  columns <- plan_columns(plan)
  said <- list(
    new_data = is_true(new_data, "new_data"), drop = is_true(drop, "drop"), keep = column_names(keep, "keep"),
    keep_unprotected = column_names(keep_unprotected, "keep_unprotected"), publish_min = people(publish_min, "publish_min"),
    rows_independent = is_true(rows_independent, "rows_independent"), keep_order = is_true(keep_order, "keep_order"),
    alone = !is.data.frame(data)
  )
  if (said$alone) {
    return(release_vector(data, plan, columns, said, progress))
  }
  frame <- frame_of(data)
  check_columns(frame, columns, said)
  made <- answer(fugu_release, plan$core, frame, said, isTRUE(progress))
  released <- assembled(data, frame, made, columns, said)
  warn_owner(plan, said$publish_min, said$keep_unprotected)
  released
}

release_vector <- function(data, plan, columns, said, progress) {
  if (length(said$keep) || length(said$keep_unprotected)) usage_error("--keep: there is one column", "give the whole table")
  if (!is.null(dim(data)) || is.list(data) || is.null(data)) {
    usage_error("this is neither a table nor a column", "give a data frame, or one column of it")
  }
  name <- if (length(columns$public)) columns$public[1] else "column"
  made <- answer(fugu_release, plan$core, frame_of(data, name), said, isTRUE(progress))
  from_core(made$columns[[1]], data)
}

# Refuses names that more than one column has, and names that are data: where the core counts it says so itself.
check_columns <- function(frame, columns, said) {
  used <- c(columns$secret, columns$given, columns$known, columns$public, columns$person$column, columns$weight$column)
  for (name in c(used, said$keep, said$keep_unprotected)) {
    if (sum(frame$names == name) > 1) {
      usage_error(paste0("the table has several columns '", name, "'"), "give each column its own name")
    }
  }
  for (name in said$keep_unprotected) {
    if (!name %in% frame$names) {
      usage_error(paste0("--keep-unprotected: there is no column '", name, "'"), "name a column of the table")
    }
  }
  seen <- match(unique(c(if (said$new_data) used, said$keep_unprotected)), frame$names)
  seen <- seen[!is.na(seen)]
  if (length(seen)) answer(fugu_check_names, part_of(frame, seen), as.character(columns$na), seen)
}

# The released columns and those that go along, in the table's order.
assembled <- function(data, frame, made, columns, said) {
  stays <- if (!is.null(made$left_out)) !made$left_out
  covered <- c(said$keep, columns$known)
  places <- which(frame$names %in% c(columns$public, covered, said$keep_unprotected))
  out <- lapply(places, function(place) {
    name <- frame$names[place]
    like <- data[[place]]
    if (name %in% columns$public) {
      from_core(made$columns[[match(name, columns$public)]], like)
    } else if (name %in% covered) {
      written_anew(like, frame$columns[[place]], stays, made$hidden, columns$na)
    } else {
      unprotected_part(like, stays)
    }
  })
  rows <- if (length(out)) length(out[[1]]) else 0L
  if (!is.null(made$order)) out <- lapply(out, taken, places = made$order)
  names(out) <- frame$names[places]
  structure(out, class = class_of_table(data), row.names = .set_row_names(rows))
}

# `[` of a class that is not loaded would lose the class.
taken <- function(x, places) {
  kept <- attributes(x)
  x <- bare(x)[places]
  attributes(x) <- kept
  x
}

class_of_table <- function(data) {
  if (inherits(data, "tbl_df")) {
    c("tbl_df", "tbl", "data.frame")
  } else if (inherits(data, "data.table")) {
    c("data.table", "data.frame")
  } else {
    "data.frame"
  }
}

#' What a recipient can say of the true values
#'
#' Counts, shares, means and quantiles of the true values, with bounds that account for what was done to them. It needs the released table
#' and its statement, and nothing that is private.
#'
#' @param data the released data frame or column, or the path of its CSV file.
#' @param statement what came with it: the path of a statement or a receipt, what [statement()] made, or a plan. Of a file the receipt beside
#'   it when not given.
#' @param ... further arguments, by name: `column`, `by`, `confidence`, `of`, `support`, `bin`, `quantiles`, `part`, `table`;
#'   `arguments("estimate")` lists them.
#' @inheritParams scenario
#' @return An object of class `fugu_estimate`: a list that prints as text.
#' @export
estimate <- function(data, statement = NULL, ..., progress = interactive()) {
  texts <- asked("estimate", list(...))
  frame <- NULL
  if (is_path(data)) {
    texts <- c(texts, TABLE = enc2utf8(path.expand(data)))
    beside <- paste0(data, ".receipt.json")
    if (is.null(statement) && file.exists(beside)) statement <- beside
  } else {
    frame <- frame_of(data)
    if (!is.data.frame(data) && !"column" %in% names(texts)) texts <- c(texts, column = "1")
  }
  if (inherits(statement, "fugu_plan")) statement <- suppressWarnings(statement(statement, publish_min = 1)) # it goes no further
  if (inherits(statement, "fugu_statement")) {
    json <- to_json(statement)
    place <- "the statement"
  } else if (is_path(statement)) {
    place <- path.expand(statement)
    json <- answer(fugu_read_file, place)
  } else {
    usage_error("--statement is missing", "give the statement or the receipt that came with the table")
  }
  answered(answer(fugu_estimate, frame, texts, json, place, isTRUE(progress)), "fugu_estimate")
}

#' Look at a table before anything is decided
#'
#' What each column is (number, date, category, code), how many values it has, what is missing, and how much it reveals of a secret.
#'
#' @param data a data frame, or the path of a CSV file. Columns that fugu cannot read, such as lists, are left out with a warning.
#' @param secret names of the columns that are to be hidden.
#' @param na texts that mean missing.
#' @param small fewer rows than this are too few to publish.
#' @inheritParams scenario
#' @return An object of class `fugu_inspection`: a list that prints as text. It is about your rows: private.
#' @export
inspect <- function(data, secret = NULL, na = NULL, small = 5, progress = interactive()) {
  texts <- asked("scenario", list(secret = secret, na = na))
  frame <- NULL
  if (is_path(data)) {
    texts <- c(texts, TABLE = enc2utf8(path.expand(data)))
  } else {
    frame <- frame_of(table_only(data))
    read <- vapply(frame$columns, is_read, TRUE)
    if (!all(read)) {
      warning("left out, since their values have no place on a lattice: ", readable(paste(frame$names[!read], collapse = ", ")), call. = FALSE)
    }
    frame <- part_of(frame, which(read))
  }
  answered(answer(fugu_inspect, frame, texts, people(small, "small"), isTRUE(progress)), "fugu_inspection")
}
