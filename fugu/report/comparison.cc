#include "fugu/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/core/json_read.h"
#include "fugu/report/rows_compared.h"
#include "fugu/show/text_table.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

// Whether a row adds no noise at all; an error too small for a double is not that.
bool is_raw(const Candidate& candidate) { return candidate.changes_nothing; }

// How many times the best mean squared error this one is; blank where the best is no error at all.
std::string times_best(const Candidate& candidate, const Candidate& best, const char* word) {
  if (is_raw(best)) return is_raw(candidate) ? "no noise needed" : "-";
  return *candidate.mse == *best.mse ? word : compact(*candidate.mse / *best.mse, 3);
}

std::string budget_words(const Comparison& comparison) {
  if (!comparison.budget.empty()) return comparison.budget;
  if (comparison.delta.is_zero()) return "epsilon " + comparison.epsilon.text();
  return fmt::format("epsilon {}, delta {}", comparison.epsilon.text(), comparison.delta.text());
}

// The channel of least error, where it is known: no other that has its outputs is better.
const Candidate* limit_of(const std::vector<Candidate>& candidates) {
  const auto found = std::find_if(candidates.begin(), candidates.end(), [](const Candidate& row) {
    return row.method == "channel" && row.is_limit();
  });
  return found == candidates.end() ? nullptr : &*found;
}

// The row with the least error; null when no method gives any.
const Candidate* best_of(const std::vector<Candidate>& candidates) {
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates) {
    if (candidate.mse && (!best || *candidate.mse < *best->mse || (is_raw(candidate) && !is_raw(*best))))
      best = &candidate;
  }
  return best;
}

std::string no_noise_sentence(const Comparison& comparison, const Candidate& best) {
  return best.loss ? fmt::format(
                         "\nNo noise is needed at {}: the unchanged value tells any two of these secrets "
                         "apart by at most e^{}.\n",
                         budget_words(comparison), rounded_up(*best.loss, 4))
                   : fmt::format("\nNo noise is needed at {}: the unchanged value keeps the promise.\n",
                                 budget_words(comparison));
}

Json number_or_null(const std::optional<double>& value) {
  return value ? Json::number(*value) : Json::null();
}

// From the method's name to what is proved.
std::vector<std::string> cells_of(const Candidate& candidate, const std::string& times, bool pure) {
  if (!candidate.mse) return {candidate.method, candidate.noise, "-", "-", "-", "-", "-"};
  return {candidate.method,
          candidate.noise,
          candidate.scale ? rounded_up(candidate.scale->value, 5) : "-",
          compact(std::sqrt(*candidate.mse), 4),
          compact(*candidate.mse, 4),
          times,
          rounded_up(pure ? *candidate.loss : *candidate.delta, 4)};
}

std::string reading_words(const ReadingCost& reading) {
  if (!reading.bounded_by) return "the table itself";
  switch (*reading.bounded_by) {
    case BoundKind::kBoxes:
      return "boxes: each value's share";
    case BoundKind::kBand:
      return "a band: the share up to each value";
    case BoundKind::kBoth:
      return "both at once";
  }
  return "";
}

// What the exact method costs where more or less is taken for the truth, beside the column itself.
std::string readings_text(const Comparison& comparison) {
  if (comparison.readings.empty()) return "";
  TextTable table({{"taken as the truth", Align::kLeft},
                   {"scale", Align::kRight},
                   {"error (rms)", Align::kRight},
                   {"of the column's spread", Align::kRight}});
  for (const ReadingCost& reading : comparison.readings) {
    const Candidate& row = reading.exact;
    if (!row.mse) {
      table.add({reading_words(reading), "-", "-", "-"});
      continue;
    }
    const double error = std::sqrt(*row.mse);
    table.add({reading_words(reading), row.scale ? rounded_up(row.scale->value, 5) : "-", compact(error, 4),
               comparison.spread > 0 ? compact(100 * error / comparison.spread, 3) + " %" : "-"});
  }
  return fmt::format(
      "\nWhat --method exact costs, by what is taken as the truth (bounds at {} %). The column's spread is "
      "{}: with an error near 100 % of it, a released value says little about the true one.\n\n{}",
      to_text(100 * *comparison.confidence), compact(comparison.spread, 4), table.text());
}

Json readings_to_json(const Comparison& comparison) {
  Json readings = Json::array();
  for (const ReadingCost& reading : comparison.readings) {
    Json json = Json::object();
    json.add("bounds",
             reading.bounded_by ? Json::string(std::string(name_of(*reading.bounded_by))) : Json::null());
    json.add("scale", reading.exact.scale ? Json::number(reading.exact.scale->value) : Json::null());
    json.add("mse", number_or_null(reading.exact.mse));
    json.add("note", Json::string(reading.exact.note));
    readings.if_array()->push_back(std::move(json));
  }
  return readings;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  const bool pure = comparison.delta.is_zero();
  const Candidate* limit = limit_of(comparison.candidates);
  const Candidate* best = limit ? limit : best_of(comparison.candidates);
  const bool with_confidence = comparison.confidence.has_value();
  std::vector<TextColumn> columns{{"method", Align::kLeft},
                                  {"noise", Align::kLeft},
                                  {"scale", Align::kRight},
                                  {"error (rms)", Align::kRight},
                                  {"error (mse)", Align::kRight},
                                  {limit ? "times the limit" : "times the best", Align::kRight},
                                  {pure ? "loss" : "delta", Align::kRight}};
  if (with_confidence)
    columns.push_back({fmt::format("mse at {} %", to_text(100 * *comparison.confidence)), Align::kRight});
  columns.push_back({"what it is", Align::kLeft});
  TextTable table(columns);
  std::string notes;
  bool baselines = false;  // they stand apart, after a blank line
  for (size_t k = 0; k < comparison.candidates.size(); ++k) {
    const Candidate& candidate = comparison.candidates[k];
    if (candidate.baseline && !baselines) table.add(std::vector<std::string>(columns.size()));
    baselines = baselines || candidate.baseline;
    if (!candidate.note.empty() && !is_raw(candidate))
      notes += fmt::format("  {} ({}): {}\n", candidate.method, candidate.noise, candidate.note);
    std::vector<std::string> cells = cells_of(
        candidate, candidate.mse ? times_best(candidate, *best, limit ? "the limit" : "best") : "-", pure);
    if (with_confidence) {
      const Candidate& robust = comparison.robust[k];
      cells.push_back(robust.mse ? compact(*robust.mse, 4) : "not robust");
      if (robust.mse && !robust.note.empty() && !is_raw(robust))
        notes += fmt::format("  {} ({}) with confidence: {}\n", robust.method, robust.noise, robust.note);
    }
    cells.push_back(candidate.title);
    table.add(std::move(cells));
  }
  std::string out = fmt::format(
      "{}: {}\n\n", budget_words(comparison),
      comparison.words.empty() ? in_words(comparison.epsilon, comparison.delta) : comparison.words);
  out += table.text();
  if (!notes.empty()) out += "\n" + notes;
  if (baselines) {
    out +=
        "\nA baseline hides the value itself, not only the secret: it holds whatever the adversary "
        "believes.\n";
  }
  if (limit && !is_raw(*limit)) {
    out += fmt::format(
        "\nThe limit is a mean square of {}: no release that looks only at the value and whose outputs are "
        "the values themselves has less.\n",
        compact(*limit->mse, 5));
  }
  if (best && is_raw(*best)) out += no_noise_sentence(comparison, *best);
  return out + readings_text(comparison);
}

Json comparison_to_json(const Comparison& comparison) {
  const Candidate* limit = limit_of(comparison.candidates);
  Json candidates = Json::array();
  for (const Candidate& candidate : comparison.candidates) {
    Json row = Json::object();
    row.add("method", Json::string(candidate.method));
    row.add("noise", Json::string(candidate.noise));
    row.add("scale", candidate.scale ? Json::number(candidate.scale->value) : Json::null());
    row.add("mse", number_or_null(candidate.mse));
    row.add("loss", number_or_null(candidate.loss));
    if (!comparison.delta.is_zero()) row.add("delta", number_or_null(candidate.delta));
    if (candidate.baseline) row.add("baseline", Json::boolean(true));
    if (limit && candidate.mse && *limit->mse > 0)
      row.add("times_limit", Json::number(*candidate.mse / *limit->mse));
    if (comparison.confidence) {
      const Candidate& found =
          comparison.robust[static_cast<size_t>(&candidate - comparison.candidates.data())];
      Json robust = Json::object();
      robust.add("scale", found.scale ? Json::number(found.scale->value) : Json::null());
      robust.add("mse", number_or_null(found.mse));
      robust.add("loss", number_or_null(found.loss));
      if (!comparison.delta.is_zero()) robust.add("delta", number_or_null(found.delta));
      robust.add("note", Json::string(found.note));
      row.add("robust", std::move(robust));
    }
    const auto place = static_cast<size_t>(&candidate - comparison.candidates.data());
    if (const Candidate& released = comparison.released()[place]; released.rows)
      row.add("rows", rows_to_json(released));
    row.add("note", Json::string(candidate.note));
    candidates.if_array()->push_back(std::move(row));
  }
  Json json = Json::object();
  json.add("epsilon", number_to_json(comparison.epsilon.value()));
  json.add("delta", number_to_json(comparison.delta.value()));
  if (!comparison.budget.empty()) {
    json.add("budget", Json::string(comparison.budget));
    json.add("words", Json::string(comparison.words));
  }
  if (comparison.confidence) json.add("confidence", number_to_json(*comparison.confidence));
  if (!comparison.readings.empty()) {
    json.add("spread", Json::number(comparison.spread));
    json.add("readings", readings_to_json(comparison));
  }
  if (comparison.taken) {
    Json taken = Json::object();
    taken.add("method", Json::string(comparison.taken->method));
    taken.add("why", Json::string(comparison.taken->why));
    json.add("default", std::move(taken));
  }
  json.add("candidates", std::move(candidates));
  if (limit) {
    Json floor = Json::object();
    floor.add("mse", Json::number(*limit->mse));
    floor.add("bound", Json::number(*limit->bound));
    json.add("limit", std::move(floor));
  }
  return json;
}

}  // namespace fugu::inline in_report
