# R's vectors as the core reads them, and back.
#
# A column goes over as a list: `format` (letters of Arrow's C data interface), `data`, and of texts `levels`. What
# comes back is built anew from the values alone: a vector's names, a factor's unused levels and other attributes
# were made from rows that nobody may see.

is_labelled <- function(x) inherits(x, c("haven_labelled", "labelled"))

# The values of a labelled vector, without their labels.
bare <- function(x) {
  attributes(x) <- NULL
  x
}

# The same, without what SPSS declares missing.
declared_missing <- function(x) {
  values <- bare(x)
  values[values %in% attr(x, "na_values")] <- NA
  range <- attr(x, "na_range")
  if (length(range) == 2) values[!is.na(values) & values >= range[1] & values <= range[2]] <- NA
  values
}

# Only what the core reads gets a format that it knows: it refuses the others in its own words, where they are asked for.
to_core <- function(x) {
  if (is.factor(x)) {
    return(coded(unclass(x), levels(x)))
  }
  if (is_labelled(x)) {
    return(to_core(declared_missing(x)))
  }
  if (inherits(x, "Date")) {
    days <- floor(as.double(unclass(x)))
    days[is.nan(days)] <- NA
    days[!is.na(days) & abs(days) > 2e9] <- 2e9 # which the core refuses
    return(list(format = "tdD", data = as.integer(days)))
  }
  if (inherits(x, "POSIXct")) {
    zone <- attr(x, "tzone")
    utc <- length(zone) > 0 && zone[1] %in% c("UTC", "GMT", "Etc/UTC")
    return(if (utc) list(format = "tsu:", data = as.double(unclass(x))) else list(format = "tsu:local", data = NULL))
  }
  if (inherits(x, "integer64")) {
    return(list(format = "l", data = bare(x)))
  }
  if (inherits(x, "difftime")) {
    return(list(format = "tDs", data = NULL))
  }
  if (inherits(x, "AsIs")) {
    class(x) <- setdiff(class(x), "AsIs")
    return(to_core(x))
  }
  if (is.object(x)) {
    return(list(format = if (is.list(x)) "+l" else "+s", data = NULL))
  }
  if (!is.null(dim(x))) {
    return(list(format = "+l", data = NULL))
  }
  switch(typeof(x),
    logical = list(format = "b", data = x),
    integer = list(format = "i", data = x),
    double = list(format = "g", data = x),
    character = {
      distinct <- unique(x[!is.na(x)])
      coded(match(x, distinct), distinct)
    },
    list(format = if (is.list(x)) "+l" else "z", data = NULL)
  )
}

is_read <- function(column) !is.null(column$data)

coded <- function(codes, levels) {
  levels <- enc2utf8(as.character(levels))
  nowhere <- which(is.na(levels)) # factors may have NA for a level
  codes <- as.integer(codes)
  if (length(nowhere)) {
    codes[codes %in% nowhere] <- NA_integer_
    levels[nowhere] <- ""
  }
  list(format = "levels", data = codes, levels = levels)
}

# A data frame, or a vector as a table of that one column.
frame_of <- function(data, name = "column") {
  if (is.data.frame(data)) {
    columns <- as.list(unclass(data))
    attributes(columns) <- NULL
    rows <- .row_names_info(data, 2L)
    called <- enc2utf8(as.character(names(data)))
  } else {
    columns <- list(data)
    rows <- NROW(data)
    called <- name
  }
  called[is.na(called)] <- ""
  if (any(vapply(columns, NROW, 1L) != rows)) {
    data_error("the table's columns have different lengths", "make the data frame again with data.frame()")
  }
  list(names = called, columns = lapply(columns, to_core), rows = as.double(rows))
}

part_of <- function(frame, places) {
  list(names = frame$names[places], columns = frame$columns[places], rows = frame$rows)
}

# A column of the core, `kind` and `data` (and `levels`), as a vector of the kind that `like` is.
from_core <- function(column, like) {
  kind <- column$kind
  data <- column$data
  if (kind == "codes") {
    if (is.factor(like)) {
      return(factor_of(column$levels[data], column$levels, like))
    }
    data <- column$levels[data]
    kind <- "text"
  }
  if (is_labelled(like)) {
    plain <- from_core(list(kind = kind, data = data), bare(like))
    return(labelled_as(plain, like))
  }
  if (kind == "text" && is.factor(like)) {
    numbers <- suppressWarnings(as.numeric(unique(data)))
    return(factor_of(data, if (anyNA(numbers)) sort(unique(data), method = "radix") else unique(data)[order(numbers)], like))
  }
  if (kind == "date" && inherits(like, "Date")) {
    return(structure(if (is.integer(like)) as.integer(data) else data, class = "Date"))
  }
  if (kind == "time" && inherits(like, "POSIXct")) {
    return(structure(data, class = c("POSIXct", "POSIXt"), tzone = attr(like, "tzone")[1]))
  }
  if (kind == "number" && inherits(like, "integer64")) {
    return(data) # doubles: they hold every number that is near one of 64 bits
  }
  if (kind == "number" && is.integer(like) && all(is.na(data) | (data == trunc(data) & abs(data) <= .Machine$integer.max))) {
    return(as.integer(data))
  }
  data
}

# An ordered factor keeps its owner's order; that of a plain one may be that of rows, and is the plan's instead.
factor_of <- function(texts, labels, like) {
  if (is.ordered(like) && all(labels %in% levels(like))) {
    return(factor(texts, levels = levels(like)[levels(like) %in% labels], ordered = TRUE))
  }
  factor(texts, levels = labels)
}

# The labels of the values that are there, in the order of the values, and the name of the variable.
labelled_as <- function(plain, like) {
  labels <- attr(like, "labels")
  if (!identical(is.character(plain), is.character(bare(like)))) {
    return(plain)
  }
  labels <- labels[!is.na(labels) & labels %in% plain]
  labels <- labels[order(labels, names(labels), method = "radix")]
  values <- as.vector(labels)
  storage.mode(values) <- storage.mode(plain)
  names(values) <- names(labels)
  label <- attr(like, "label")
  if (!is.character(label) || length(label) != 1) label <- NULL
  structure(plain, labels = if (length(values)) values, label = label, class = setdiff(class(like), "haven_labelled_spss"))
}

# NA in 64 bits. In a function of its own: R's compiler takes -0 and 0 for one constant.
missing_64 <- function() -0

# A column that goes along under the promise, which covers what the texts of its values tell and nothing else: built
# anew from these. `na` are the texts that mean missing, `hidden` the rows that are written without it.
written_anew <- function(like, column, stays, hidden, na) {
  data <- column$data
  if (!is.null(hidden)) data[hidden] <- if (column$format == "l") missing_64() else NA
  if (!is.null(stays)) data <- data[stays]
  kind <- switch(column$format, levels = "codes", b = "logical", tdD = "date", "tsu:" = "time", "number")
  if (kind == "codes") {
    texts <- column$levels[data]
    texts[texts %in% c("", na)] <- NA
    there <- sort(unique(texts), method = "radix")
    return(from_core(list(kind = "codes", data = match(texts, there), levels = there), like))
  }
  if (column$format == "l") {
    return(structure(data, class = "integer64"))
  }
  if (kind == "time") data <- round(data * 1e6) / 1e6
  if (is.double(data)) {
    data[is.na(data)] <- NA_real_ # whatever kind of NA it was
    data <- data + 0 # a zero has no sign
  }
  from_core(list(kind = kind, data = data), like)
}

# A column that goes along as it is, which its owner has asked for: without what no row of it shows.
unprotected_part <- function(x, stays) {
  if (is.list(x) || !is.null(dim(x))) {
    usage_error("--keep-unprotected: a column of lists or of several columns cannot go along", "name columns of numbers, texts or dates")
  }
  if (!is.null(stays)) x <- x[stays]
  if (is.factor(x)) {
    there <- levels(x)[levels(x) %in% x]
    return(factor(as.character(x), levels = if (is.ordered(x)) there else sort(there, method = "radix"), ordered = is.ordered(x)))
  }
  if (is_labelled(x)) {
    return(labelled_as(bare(x), x))
  }
  structure(bare(x), class = if (is.object(x)) class(x), tzone = attr(x, "tzone"), units = attr(x, "units"))
}
