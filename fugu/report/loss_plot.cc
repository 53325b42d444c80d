// What each released value gives away, and what is done to a value.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "fugu/report/picture_read.h"
#include "fugu/report/plot_kinds.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

// One column of a loss picture; what is drawn is a loss, or what an output adds beyond epsilon.
struct ShownLosses {
  std::vector<std::string> labels;
  std::vector<double> outputs, heights;
};

ShownLosses losses_of(const Json& column, bool pure) {
  ShownLosses losses;
  for (const Json& row : list_at(column, "outputs")) {
    losses.labels.push_back(text_at(row, "label"));
    losses.outputs.push_back(number_at(row, "output"));
    losses.heights.push_back(number_at(row, pure ? "loss" : "excess"));
  }
  return losses;
}

// Where it is largest: the witness's output where that is one of them.
size_t worst_place(const ShownLosses& losses, const Json& witness, size_t axis) {
  const Json& at = need(witness, "output", "picture");
  const double output = number_of(at.if_array() ? at.if_array()->at(axis) : at);
  const auto largest = std::ranges::max_element(losses.heights);
  const auto named = std::ranges::find(losses.outputs, output) - losses.outputs.begin();
  const auto place = static_cast<size_t>(named);
  if (place < losses.outputs.size() && losses.heights[place] == *largest) return place;
  return static_cast<size_t>(largest - losses.heights.begin());
}

PlotName loss_name(const Json& loss, const std::string& column, bool pure) {
  const Json& witness = need(loss, "witness", "picture");
  const std::string where = text_at(witness, "label");
  const std::vector<std::string> pair = texts_at(witness, "pair");
  if (pure) {
    return {
        fmt::format("What each released value of {} reveals", column),
        fmt::format(
            "At most {}, of the {} that is allowed: at {}, between {} and {}. No other output reveals more.",
            rounded_up(number_at(witness, "loss"), 4), compact(number_at(loss, "epsilon"), 6), where,
            pair.at(0), pair.at(1))};
  }
  const double total = has(loss, "total") ? number_at(loss, "total") : number_at(witness, "delta");
  return {
      "What each output adds beyond epsilon",
      fmt::format("In all at most {}, of the {} that delta allows, between {} and {}. The most at {}.",
                  rounded_up(total, 4), compact(number_at(loss, "delta"), 4), pair.at(0), pair.at(1), where)};
}

void add_loss_table(Plot& plot, const Json& column, const std::string& released, bool pure) {
  plot.head =
      pure ? std::vector<std::string>{released, "loss at most", "more likely under", "than under", "prior"}
           : std::vector<std::string>{released, "adds at most"};
  for (const Json& row : list_at(column, "outputs")) {
    plot.rows.push_back({text_at(row, "label"), rounded_up(number_at(row, pure ? "loss" : "excess"), 4)});
    if (!pure) continue;
    const std::vector<std::string> pair = texts_at(row, "pair");
    plot.rows.back().insert(plot.rows.back().end(), {pair.at(0), pair.at(1), text_at(row, "prior")});
  }
}

Plot loss_plot(const Json& loss, const Json& column, size_t axis, bool pure) {
  const std::string of = text_at(column, "column");
  const ShownLosses losses = losses_of(column, pure);
  Plot plot;
  plot.column = of;
  plot.name = loss_name(loss, of, pure);
  if (is_true(column, "constant_beyond") && pure)
    plot.notes.emplace_back("Farther out, the loss stays the same as at the ends.");
  for (const std::string& note : texts_at(loss, "notes")) plot.notes.push_back(note);
  const std::string released = "released " + of;
  add_loss_table(plot, column, released, pure);
  ValueChart chart{is_true(column, "categorical") ? named_values(released, losses.labels)
                                                  : ValueAxis{released, losses.outputs},
                   pure ? "loss, at most" : "adds at most",
                   {{"", losses.heights, {kBar}}},
                   {}};
  for (const auto& row : plot.rows) {
    chart.hints.push_back(pure ? fmt::format("{}: at most {}, {} against {}", row[0], row[1], row[2], row[3])
                               : fmt::format("{}: at most {}", row[0], row[1]));
  }
  const size_t worst = worst_place(losses, need(loss, "witness", "picture"), axis);
  chart.star = {worst, "worst, at " + losses.labels.at(worst)};
  if (pure) {
    const double budget = number_at(loss, "epsilon");
    chart.limit = {budget, "budget: " + compact(budget, 6)};
  }
  plot.chart = std::move(chart);
  return plot;
}

std::string capital(std::string word) {
  if (!word.empty() && word.front() >= 'a' && word.front() <= 'z')
    word.front() = static_cast<char>(word.front() - 'a' + 'A');
  return word;
}

Plot noise_plot(const Json& law, const std::vector<std::string>& notes) {
  const std::string column = text_at(law, "column");
  const double stride = number_at(law, "stride");
  Plot plot;
  plot.column = column;
  plot.name = {
      fmt::format("The noise that is added to {}", column),
      fmt::format("{} noise in steps of {}, of root mean square {}.", capital(text_at(law, "family")),
                  compact(number_at(law, "step"), 4), compact(number_at(law, "rms"), 4))};
  if (stride > 1) plot.notes.push_back(fmt::format("Every {}th step is drawn.", compact(stride, 4)));
  plot.notes.insert(plot.notes.end(), notes.begin(), notes.end());
  plot.head = {"noise", "probability"};
  ValueChart chart{{"noise", {}}, "probability", {{"", {}, look_of(0)}}, {}};
  for (const Json& point : list_at(law, "points")) {
    const Json::Array& pair = need_array(point, "picture");
    const double size = number_of(pair.at(0)), chance = number_of(pair.at(1));
    chart.values.at.push_back(size);
    chart.series[0].heights.push_back(chance);
    plot.rows.push_back({for_people(size), compact(chance, 4)});
    chart.hints.push_back(plot.rows.back()[0] + ": " + plot.rows.back()[1]);
    if (size == 0 && stride == 1)
      plot.name.text += fmt::format(" A value stays unchanged with probability {}.", share_text(chance));
  }
  plot.chart = std::move(chart);
  return plot;
}

// The least and the largest probability that a value stays what it is.
std::string kept_text(const Json& noise) {
  const Json::Array &inputs = list_at(noise, "inputs"), &outputs = list_at(noise, "outputs"),
                    &rows = list_at(noise, "rows");
  double least = 1, most = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    double kept = 0;
    for (size_t o = 0; o < outputs.size(); ++o) {
      if (number_at(outputs[o], "value") == number_at(inputs[i], "value"))
        kept = number_of(need_array(rows.at(i), "picture").at(o));
    }
    least = std::min(least, kept);
    most = std::max(most, kept);
  }
  return least == most ? share_text(least) : share_text(least) + " to " + share_text(most);
}

// How many rows stay as they are, whole and column by column.
Plot swap_plot(const Json& noise) {
  Plot plot;
  plot.name = {
      "How many rows stay unchanged",
      fmt::format("At least {} of the rows stay unchanged, on average; the others trade places with rows "
                  "that occur.",
                  share_text(number_at(noise, "unchanged")))};
  plot.notes = texts_at(noise, "notes");
  plot.head = {"column", "unchanged"};
  std::vector<std::string> names{"the whole row"};
  std::vector<double> shares{number_at(noise, "unchanged")};
  for (const Json& column : list_at(noise, "columns")) {
    names.push_back(text_at(column, "column"));
    shares.push_back(number_at(column, "unchanged"));
  }
  if (names.size() == 2) {  // the row is the one column
    names.erase(names.begin());
    shares.erase(shares.begin());
  }
  ValueChart chart{named_values("column", names), "unchanged", {{"", shares, {kBar}}}, {}};
  chart.percents = true;
  for (size_t k = 0; k < names.size(); ++k) {
    plot.rows.push_back({names[k], share_text(shares[k])});
    chart.hints.push_back(names[k] + ": " + plot.rows.back()[1]);
  }
  plot.chart = std::move(chart);
  return plot;
}

Plot channel_plot(const Json& noise) {
  const std::string column = text_at(noise, "column");
  const auto inputs = labels_of(list_at(noise, "inputs")), outputs = labels_of(list_at(noise, "outputs"));
  Plot plot;
  plot.column = column;
  plot.name = {
      fmt::format("What each {} is replaced by", column),
      fmt::format("Each of {} is replaced by one of {}; it stays unchanged with probability {}.",
                  counted(inputs.size(), "value"), counted(outputs.size(), "value"), kept_text(noise))};
  plot.notes = texts_at(noise, "notes");
  plot.notes.insert(plot.notes.begin(), "The darker a cell, the more likely it is.");
  plot.head = {"true value"};
  plot.head.insert(plot.head.end(), outputs.begin(), outputs.end());
  HeatMap map{named_values("true value", inputs), named_values("released value", outputs), {}, "probability"};
  const Json::Array& rows = list_at(noise, "rows");
  for (size_t i = 0; i < inputs.size(); ++i) {
    plot.rows.push_back({inputs[i]});
    const Json::Array& row = need_array(rows.at(i), "picture");
    for (size_t o = 0; o < outputs.size(); ++o) {
      const double chance = number_of(row.at(o));
      plot.rows.back().push_back(share_text(chance));
      if (chance <= 0) continue;
      map.cells.push_back(
          {i, o, chance, false, fmt::format("{} → {}: {}", inputs[i], outputs[o], share_text(chance))});
    }
  }
  plot.chart = std::move(map);
  return plot;
}

}  // namespace

DrawnPicture draw_loss(const Json& loss) {
  if (!has(loss, "columns")) return {{}, texts_at(loss, "notes")};
  const bool pure = text_at(loss, "kind") == "loss";
  DrawnPicture drawn;
  for (const Json& column : list_at(loss, "columns"))
    drawn.figures.push_back({loss_plot(loss, column, drawn.figures.size(), pure)});
  return drawn;
}

DrawnPicture draw_noise(const Json& noise) {
  const std::string kind = text_at(noise, "kind");
  if (kind == "none") return {{}, {"No noise is added: the unchanged values keep the promise."}};
  if (kind == "channel" && !has(noise, "rows")) return {{}, texts_at(noise, "notes")};
  if (kind == "channel") return {{{channel_plot(noise)}}, {}};
  if (kind == "swap") return {{{swap_plot(noise)}}, {}};
  DrawnPicture drawn;
  for (const Json& law : list_at(noise, "columns"))
    drawn.figures.push_back({noise_plot(law, texts_at(noise, "notes"))});
  return drawn;
}

}  // namespace fugu::inline in_report
