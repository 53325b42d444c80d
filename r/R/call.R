# Calls into the core, and what becomes of its errors.

.process <- new.env(parent = emptyenv())

.onLoad <- function(libname, pkgname) {
  .process$id <- Sys.getpid()
}

# A text of one line of whatever bytes a message holds.
readable <- function(text) .Call(fugu_printable, iconv(text, "UTF-8", "UTF-8", sub = "?"))

fugu_error <- function(kind, status, message, hint, call = NULL) {
  message <- readable(message)
  hint <- readable(hint)
  shown <- if (nzchar(hint)) paste0(message, "\nhint: ", hint) else message
  structure(
    class = c(paste0("fugu_", kind, "_error"), "fugu_error", "error", "condition"),
    list(message = shown, call = call, kind = kind, status = status, what = message, hint = hint)
  )
}

usage_error <- function(message, hint) stop(fugu_error("usage", 2L, message, hint))
data_error <- function(message, hint) stop(fugu_error("data", 3L, message, hint))

# What a routine of the core answers; its failure is signalled as a condition of R.
answer <- function(routine, ...) {
  if (!identical(Sys.getpid(), .process$id)) {
    # Its threads are not there after a fork.
    usage_error("fugu does not work in a forked process", "use parallel::parLapply() in place of mclapply()")
  }
  result <- .Call(routine, ...)
  if (!inherits(result, "fugu_failure")) {
    return(result)
  }
  if (identical(result$kind, "interrupt")) {
    signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
    invokeRestart("abort")
  }
  stop(fugu_error(result$kind, result$status, result$message, result$hint))
}

# An answer of the command line: a list that prints as its text.
answered <- function(reply, class, ...) {
  structure(reply$content, text = reply$text, json = reply$json, class = c(class, "fugu_answer"), ...)
}

#' @export
print.fugu_answer <- function(x, ...) {
  writeLines(sub("\n$", "", attr(x, "text")))
  invisible(x)
}

#' @export
format.fugu_answer <- function(x, ...) attr(x, "text")
