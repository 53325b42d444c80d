#' Draw scenarios, plans and comparisons
#'
#' `plot()` draws with R's own graphics, from numbers that the core computes. `pictures()` has the core's own drawings, in SVG, with what they say in
#' words; in an R Markdown page that becomes HTML they show themselves.
#'
#' **They are private, like the plan**: they show what your table says.
#'
#' @param x a scenario, a plan or a comparison.
#' @param which what to draw: `"laws"`, how the released value is distributed given each secret; `"transport"`, how mass moves between the two
#'   secrets that are farthest apart; `"loss"`, what each output reveals, against the budget; `"noise"`, the law of the noise; `"error"`, the
#'   error of every method against epsilon.
#' @param ... passed on to R's graphics.
#' @param seconds after how many seconds no more points of a comparison are looked for.
#' @inheritParams scenario
#' @return `plot()` returns `x`, invisibly. `pictures()` returns a list of class `fugu_pictures`; each picture has `title`, `text`, `notes`,
#'   `table`, `svg` and `numbers`.
#' @examples
#' people <- data.frame(
#'   illness = rep(c("yes", "no"), c(60, 140)),
#'   job = c(rep(c("nurse", "clerk"), c(40, 20)), rep(c("nurse", "clerk"), c(60, 80)))
#' )
#' question <- scenario(people, secret = "illness", public = "job")
#' plot(question)
#' plot(calibrate(question, epsilon = 0.5), which = "loss")
#' @export
pictures <- function(x, ...) UseMethod("pictures")

#' @rdname pictures
#' @export
pictures.fugu_scenario <- function(x, ...) drawn(answer(fugu_pictures_of_scenario, x$core))

#' @rdname pictures
#' @export
pictures.fugu_plan <- function(x, ..., progress = interactive()) {
  drawn(answer(fugu_pictures_of_plan, x$core, isTRUE(progress)))
}

#' @rdname pictures
#' @export
pictures.fugu_comparison <- function(x, ..., seconds = 20, progress = interactive()) {
  about <- attr(x, "asked")
  drawn(answer(fugu_pictures_of_comparison, about$scenario$core, about$texts, as.double(seconds), isTRUE(progress)))
}

drawn <- function(made) {
  one <- function(plot, which, numbers) {
    rows <- plot$table$rows
    table <- if (length(rows)) as.data.frame(do.call(rbind, rows)) else data.frame()
    if (length(rows)) names(table) <- plot$table$head
    list(which = which, title = plot$title, text = plot$text, notes = unlist(plot$notes), svg = plot$svg, table = table, numbers = numbers)
  }
  found <- lapply(names(made), function(which) {
    lapply(made[[which]]$plots$figures, function(choice) one(choice[[1]], which, made[[which]]$numbers))
  })
  structure(unlist(found, recursive = FALSE), class = "fugu_pictures", notes = unlist(lapply(made, function(part) part$plots$notes), use.names = FALSE))
}

#' @export
print.fugu_pictures <- function(x, ...) {
  for (picture in x) cat(picture$title, "\n  ", picture$text, "\n", sep = "")
  for (note in attr(x, "notes")) cat(note, "\n", sep = "")
  invisible(x)
}

#' Write the core's drawings
#'
#' @param pictures what [pictures()] made.
#' @param file a path that ends in `.svg`; of several pictures the second is `…-2.svg`, and so on. They are readable by you alone.
#' @param force whether files of these names may be replaced.
#' @return The paths, invisibly.
#' @export
write_svg <- function(pictures, file, force = FALSE) {
  if (!inherits(pictures, "fugu_pictures")) usage_error("these are no pictures", "make them with pictures(plan)")
  if (!grepl("\\.svg$", word_text(file, "file"))) usage_error(paste0(file, ": pictures are SVG"), "give a name that ends in .svg")
  number <- seq_along(pictures)
  files <- ifelse(number == 1, file, sub("\\.svg$", "", file))
  files[-1] <- paste0(files[-1], "-", number[-1], ".svg")
  for (k in number) write_whole(files[k], pictures[[k]]$svg, force, owner_only = TRUE)
  invisible(files)
}

# In a page of R Markdown; registered when knitr is loaded.
knit_print.fugu_pictures <- function(x, ...) {
  parts <- vapply(x, function(picture) paste0("<figure>", picture$svg, "<figcaption>", escaped(picture$text), "</figcaption></figure>"), "")
  structure(paste(parts, collapse = "\n"), class = "knit_asis")
}

escaped <- function(text) gsub("<", "&lt;", gsub("&", "&amp;", text, fixed = TRUE), fixed = TRUE)

numbers_of <- function(x, which, ...) {
  found <- Filter(function(picture) picture$which == which, pictures(x, ...))
  if (length(found)) found[[1]]$numbers
}

#' @rdname pictures
#' @export
plot.fugu_scenario <- function(x, which = "laws", ...) {
  which <- match.arg(which, c("laws", "transport"), several.ok = TRUE)
  draw_each(x, which, ...)
}

#' @rdname pictures
#' @export
plot.fugu_plan <- function(x, which = c("laws", "loss"), ...) {
  which <- match.arg(which, c("laws", "transport", "loss", "noise"), several.ok = TRUE)
  draw_each(x, which, ...)
}

#' @rdname pictures
#' @export
plot.fugu_comparison <- function(x, seconds = 20, ...) {
  draw_error(numbers_of(x, "error", seconds = seconds), ...)
  invisible(x)
}

draw_each <- function(x, which, ...) {
  made <- pictures(x)
  for (name in unique(which)) {
    found <- Filter(function(picture) picture$which == name, made)
    if (length(found)) {
      draw_numbers(found[[1]]$numbers, found[[1]]$title, ...)
    } else {
      message(name, ": ", paste(attr(made, "notes"), collapse = " "))
    }
  }
  invisible(x)
}

labels_of <- function(values) vapply(values, function(value) value$label, "")

draw_numbers <- function(numbers, title, ...) {
  switch(numbers$picture,
    laws = for (column in numbers$columns) draw_laws(column, title, ...),
    transport = draw_transport(numbers, title, ...),
    loss = for (column in numbers$columns) draw_loss(column, numbers$epsilon, title, ...),
    noise = draw_noise(numbers, title, ...)
  )
}

draw_laws <- function(column, title, ...) {
  secrets <- column$priors[[1]]$secrets
  shares <- do.call(rbind, lapply(secrets, function(secret) secret$probabilities))
  graphics::barplot(shares,
    beside = TRUE, names.arg = labels_of(column$values), legend.text = vapply(secrets, function(secret) secret$secret, ""),
    xlab = column$column, ylab = "probability", main = title, las = 2, ...
  )
}

draw_transport <- function(numbers, title, ...) {
  labels <- labels_of(numbers$values)
  mass <- matrix(0, length(labels), length(labels))
  for (cell in numbers$cells) mass[cell$from + 1, cell$to + 1] <- cell$mass
  graphics::image(seq_along(labels), seq_along(labels), mass,
    xlab = paste("from:", numbers$pair[1]), ylab = paste("to:", numbers$pair[2]), main = title, axes = FALSE,
    col = grDevices::hcl.colors(32, "Blues", rev = TRUE), ...
  )
  graphics::axis(1, seq_along(labels), labels, las = 2)
  graphics::axis(2, seq_along(labels), labels, las = 2)
}

draw_loss <- function(column, epsilon, title, ...) {
  height <- vapply(column$outputs, function(output) if (is.null(output$loss)) output$excess else output$loss, 0)
  label <- vapply(column$outputs, function(output) if (is.null(output$label)) format(output$output) else output$label, "")
  graphics::barplot(height, names.arg = label, ylim = c(0, max(height, epsilon)), ylab = "loss, at most", main = title, las = 2, ...)
  if (!is.null(column$outputs[[1]]$loss)) graphics::abline(h = epsilon, lty = 2)
}

draw_noise <- function(numbers, title, ...) {
  for (column in numbers$columns) {
    if (is.null(column$points)) {
      rows <- do.call(rbind, column$rows)
      graphics::image(seq_len(ncol(rows)), seq_len(nrow(rows)), t(rows), xlab = "output", ylab = "input", main = title, ...)
    } else {
      points <- do.call(rbind, column$points)
      graphics::plot(points[, 1], points[, 2], type = "h", xlab = paste("noise on", column$column), ylab = "probability", main = title, ...)
    }
  }
}

draw_error <- function(numbers, ...) {
  lines <- Filter(function(method) length(method$points) > 0, numbers$methods)
  at <- function(method, key) vapply(method$points, function(point) if (is.null(point[[key]])) NA_real_ else point[[key]], 0)
  all <- unlist(lapply(lines, at, key = "rms"))
  # What is 0 has no place on the scale.
  graphics::plot(range(numbers$epsilons), range(all[!is.na(all) & all > 0]),
    type = "n", log = "xy", xlab = "epsilon", ylab = "error (root mean square)", main = "Error of each method", ...
  )
  for (k in seq_along(lines)) {
    y <- at(lines[[k]], "rms")
    y[!is.na(y) & y <= 0] <- NA
    graphics::lines(at(lines[[k]], "epsilon"), y, type = "o", pch = k, col = k)
  }
  names <- vapply(lines, function(method) paste(method$method, method$noise), "")
  graphics::legend("topright", names, pch = seq_along(lines), col = seq_along(lines), bty = "n", cex = 0.8)
}
