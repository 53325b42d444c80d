# Arguments as the core reads them: texts, by the names of the command line's flags.

number_text <- function(value, name) {
  if (inherits(value, "Date")) {
    return(format(value, "%Y-%m-%d"))
  }
  if (is.factor(value) || is.logical(value) || !(is.numeric(value) || is.character(value)) || anyNA(value)) {
    usage_error(paste0(name, ": this is not a number"), "give a number, for example 0.5")
  }
  if (is.character(value)) {
    return(enc2utf8(value))
  }
  vapply(value, function(one) answer(fugu_shortest, as.double(one)), "", USE.NAMES = FALSE)
}

quoted <- function(text) paste0("\"", gsub("\"", "\"\"", text, fixed = TRUE), "\"")

# One item of a list, quoted as in CSV where it must be; `odd` are the letters that make it so.
item_text <- function(text, odd = ",\"") {
  text <- enc2utf8(as.character(text))
  plain <- nzchar(text) & text == trimws(text) & !grepl(paste0("[", odd, "]"), text)
  ifelse(plain, text, quoted(text))
}

names_text <- function(value, name) {
  if (is.list(value) || anyNA(value)) usage_error(paste0(name, ": this is no list of names"), paste0("for example ", name, " = c(\"a\", \"b\")"))
  paste(item_text(value), collapse = ",")
}

word_text <- function(value, name) {
  if (!is.character(value) || length(value) != 1 || is.na(value)) {
    usage_error(paste0(name, ": this is not a text"), paste0("for example ", name, " = \"...\""))
  }
  enc2utf8(value)
}

span_text <- function(value, name) {
  if (is.character(value) && length(value) == 1) {
    return(enc2utf8(value))
  }
  if (length(value) != 2) {
    usage_error(paste0(name, ": this is not a pair of numbers"), paste0("for example ", name, " = c(20, 70)"))
  }
  paste(number_text(value, name), collapse = ":")
}

# NA in a pair stands for every other secret.
pairs_text <- function(value, name) {
  if (is.character(value) && length(value) == 1) {
    return(enc2utf8(value))
  }
  if (!is.list(value) || !all(lengths(value) == 2)) {
    usage_error("pairs: this is no list of pairs", "for example pairs = list(c(\"A\", \"B\"), c(\"A\", NA))")
  }
  paste(vapply(value, function(pair) paste(secret_text(pair), collapse = ":"), ""), collapse = ",")
}

secret_text <- function(label) {
  ifelse(is.na(label), "*", item_text(ifelse(is.na(label), "", as.character(label)), ":,=\"*"))
}

switch_text <- function(value, name, on = TRUE) {
  if (!is.logical(value) || length(value) != 1 || is.na(value)) {
    usage_error(paste0(name, ": this is neither TRUE nor FALSE"), paste0("write ", name, " = TRUE, or leave it out"))
  }
  if (value == on) "yes" else ""
}

value_text <- function(value, name, kind) {
  switch(kind,
    numbers = paste(number_text(value, name), collapse = ","),
    span = span_text(value, name),
    names = ,
    "names or file" = names_text(value, name),
    values = paste(item_text(if (is.numeric(value) || inherits(value, "Date")) number_text(value, name) else value), collapse = ","),
    pairs = pairs_text(value, name),
    switch = switch_text(value, name),
    "not switch" = switch_text(value, name, on = FALSE),
    word_text(value, name)
  )
}

# The text of a flag; of a named list or vector by columns, or by secrets.
flag_text <- function(value, name, kind) {
  if (is.null(names(value)) || name == "pairs") {
    return(value_text(value, name, kind))
  }
  if (name %in% c("epsilon", "shares")) {
    whose <- ifelse(names(value) == "*", "*", item_text(names(value), ",=\""))
    return(paste0(whose, "=", number_text(unlist(value, use.names = FALSE), name), collapse = ","))
  }
  if (name == "kind") {
    return(paste(item_text(paste0(names(value), "=", unlist(value))), collapse = ","))
  }
  paste0(names(value), "=", vapply(as.list(value), value_text, "", name = name, kind = kind), collapse = ";")
}

# The flags that a function takes, by the names of its arguments: the core's table, as Python has it.
flags_for <- function(fun) {
  if (is.null(.process$flags)) .process$flags <- answer(fugu_flags)
  taken <- Filter(function(row) fun %in% row$python$functions, .process$flags)
  names <- sub("_$", "", vapply(taken, function(row) row$python$name, ""))
  stats::setNames(taken[!duplicated(names)], names[!duplicated(names)])
}

#' What a function may be asked
#'
#' The arguments that go into `...` of [scenario()], [compare()], [calibrate()] and [estimate()]. They are the
#' flags of the command line, with `_` in place of `-`, and mean the same there.
#'
#' @param fun the name of a function: `"scenario"`, `"compare"`, `"calibrate"` or `"estimate"`.
#' @return A data frame with a row for each argument: `name`, `kind`, how the command line writes its `value`, `help`.
#' @examples
#' arguments("calibrate")
#' @export
arguments <- function(fun = c("scenario", "compare", "calibrate", "estimate")) {
  fun <- match.arg(fun)
  rows <- flags_for(python_name(fun))
  column <- function(key) vapply(rows, function(row) row[[key]], "", USE.NAMES = FALSE)
  data.frame(name = names(rows), kind = column("kind"), value = column("value"), help = column("help"))
}

python_name <- function(fun) if (fun == "scenario") "from_table" else fun

# The texts that these arguments ask for, by the names of the flags. What nobody knows is an error with a hint.
asked <- function(fun, arguments) {
  arguments <- Filter(Negate(is.null), arguments)
  if (!length(arguments)) {
    return(character())
  }
  rows <- flags_for(python_name(fun))
  called <- names(arguments)
  if (is.null(called) || any(!nzchar(called))) {
    usage_error(paste0(fun, ": an argument has no name"), "give the further arguments by name, for example known = \"region\"")
  }
  if (anyDuplicated(called)) {
    usage_error(paste0(fun, ": the argument '", called[duplicated(called)][1], "' is given twice"), "give it once")
  }
  unknown <- setdiff(called, names(rows))
  if (length(unknown)) {
    near <- names(rows)[order(utils::adist(unknown[1], names(rows)))][1]
    usage_error(paste0(fun, ": there is no argument '", unknown[1], "'"),
                paste0("did you mean '", near, "'? arguments(\"", fun, "\") lists them all"))
  }
  texts <- vapply(called, function(name) flag_text(arguments[[name]], name, rows[[name]]$kind), "")
  names(texts) <- vapply(rows[called], function(row) row$name, "")
  texts[nzchar(texts)]
}

people <- function(value, name) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value < 1 || value != floor(value) || value >= 2^53) {
    usage_error(paste0(name, ": this is not a number of people"), "give a whole number of at least 1, for example 20")
  }
  as.double(value)
}

is_true <- function(value, name) nzchar(switch_text(value, name))

column_names <- function(value, name) {
  if (is.null(value)) {
    return(character())
  }
  if (!is.character(value) || anyNA(value)) {
    usage_error(paste0(name, ": these are no names of columns"), paste0("for example ", name, " = c(\"age\", \"region\")"))
  }
  enc2utf8(value)
}
