#include "fugu/report/comparison.h"

#include <fmt/format.h>

#include <cmath>

#include "fugu/core/json_read.h"
#include "fugu/report/text_table.h"
#include "fugu/report/wording.h"

namespace fugu {
namespace {

// How many times the best mean squared error this one is; blank where the best is no error at all.
std::string times_best(double mse, double best) {
  if (best == 0) return mse == 0 ? "no noise needed" : "-";
  return mse == best ? "best" : compact(mse / best, 3);
}

std::string budget_words(const Comparison& comparison) {
  if (comparison.delta.is_zero()) return "epsilon " + comparison.epsilon.text();
  return fmt::format("epsilon {}, delta {}", comparison.epsilon.text(), comparison.delta.text());
}

// The row with the least error; null when no method gives any.
const Candidate* best_of(const std::vector<Candidate>& candidates) {
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates) {
    if (candidate.mse && (!best || *candidate.mse < *best->mse)) best = &candidate;
  }
  return best;
}

std::string no_noise_sentence(const Comparison& comparison, const Candidate& best) {
  const std::string reach = best.loss ? fmt::format("by at most e^{}", rounded_up(*best.loss, 4))
                                      : fmt::format("by more than e^{} with probability at most {}",
                                                    comparison.epsilon.text(), rounded_up(*best.delta, 4));
  return fmt::format(
      "\nNo noise is needed at {}: the column as it is tells any two of these secrets apart {}.\n",
      budget_words(comparison), reach);
}

Json number_or_null(const std::optional<double>& value) {
  return value ? Json::number(*value) : Json::null();
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  const bool pure = comparison.delta.is_zero();
  const Candidate* best = best_of(comparison.candidates);
  TextTable table({{"method", Align::kLeft},
                   {"noise", Align::kLeft},
                   {"scale", Align::kRight},
                   {"error (rms)", Align::kRight},
                   {"error (mse)", Align::kRight},
                   {"times the best", Align::kRight},
                   {pure ? "loss" : "delta", Align::kRight},
                   {"what it is", Align::kLeft}});
  std::string notes;
  for (const Candidate& candidate : comparison.candidates) {
    if (!candidate.note.empty() && candidate.mse != 0.0) {
      notes += fmt::format("  {} ({}): {}\n", candidate.method, candidate.noise, candidate.note);
    }
    if (!candidate.scale) {
      table.add({candidate.method, candidate.noise, "-", "-", "-", "-", "-", candidate.title});
      continue;
    }
    table.add({candidate.method, candidate.noise, rounded_up(candidate.scale->value, 5),
               compact(std::sqrt(*candidate.mse), 4), compact(*candidate.mse, 4),
               times_best(*candidate.mse, *best->mse),
               rounded_up(pure ? *candidate.loss : *candidate.delta, 4), candidate.title});
  }
  std::string out = fmt::format("{}: {}{}\n\n", budget_words(comparison), in_words(comparison.epsilon),
                                pure ? "" : fmt::format(", but for a chance of {}", comparison.delta.text()));
  out += table.text();
  if (!notes.empty()) out += "\n" + notes;
  if (best && *best->mse == 0) out += no_noise_sentence(comparison, *best);
  return out;
}

Json comparison_to_json(const Comparison& comparison) {
  Json candidates = Json::array();
  for (const Candidate& candidate : comparison.candidates) {
    Json row = Json::object();
    row.add("method", Json::string(candidate.method));
    row.add("noise", Json::string(candidate.noise));
    row.add("scale", candidate.scale ? Json::number(candidate.scale->value) : Json::null());
    row.add("mse", number_or_null(candidate.mse));
    row.add("loss", number_or_null(candidate.loss));
    if (!comparison.delta.is_zero()) row.add("delta", number_or_null(candidate.delta));
    row.add("note", Json::string(candidate.note));
    candidates.if_array()->push_back(std::move(row));
  }
  Json json = Json::object();
  json.add("epsilon", number_to_json(comparison.epsilon.value()));
  json.add("delta", number_to_json(comparison.delta.value()));
  json.add("candidates", std::move(candidates));
  return json;
}

}  // namespace fugu
