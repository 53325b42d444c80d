#' fugu: release data that is correlated with a secret, with a proof
#'
#' Jobs say something about race, hours of work about sex, a hospital stay about a diagnosis. fugu takes a data frame, the
#' columns to be released and the secret to be hidden, finds the least that must be done to the values so that they provably hide it, and writes
#' down the proof. The promise is Pufferfish privacy: for every pair of secrets, seeing the released value changes the odds between
#' them by at most `exp(epsilon)`.
#'
#' The way through the package: [inspect()] a table, ask a [scenario()], [compare()] the methods, [calibrate()] a plan, [verify()] it, [release()] the table, and
#' publish the [statement()]. Whoever receives the table uses [estimate()].
#'
#' Errors are conditions of class `fugu_error`, with `kind` (`"usage"`, `"data"`, `"guarantee"`, `"file"`, `"budget"`, `"internal"`), `hint`, and
#' `status`, the exit status of the command line; each kind has a class of its own as well, such as `fugu_guarantee_error`.
#'
#' @useDynLib fugu, .registration = TRUE
#' @keywords internal
"_PACKAGE"
