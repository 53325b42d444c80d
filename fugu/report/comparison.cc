#include "fugu/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  auto less_error = [](const Candidate& a, const Candidate& b) { return a.mse < b.mse; };
  const Candidate& best =
      *std::min_element(comparison.candidates.begin(), comparison.candidates.end(), less_error);

  TextTable table({{"method", Align::kLeft},
                   {"noise", Align::kLeft},
                   {"scale", Align::kRight},
                   {"error (rms)", Align::kRight},
                   {"error (mse)", Align::kRight},
                   {"times the best", Align::kRight},
                   {"loss", Align::kRight},
                   {"what it is", Align::kLeft}});
  for (const Candidate& candidate : comparison.candidates) {
    table.add({candidate.method, candidate.noise, rounded_up(candidate.scale.value, 5),
               compact(std::sqrt(candidate.mse), 4), compact(candidate.mse, 4),
               times_best(candidate.mse, best.mse), rounded_up(candidate.loss, 4), candidate.title});
  }
  std::string out =
      fmt::format("epsilon {}: {}\n\n", comparison.epsilon.text(), in_words(comparison.epsilon));
  out += table.text();
  if (best.mse == 0) {
    out += fmt::format(
        "\nNo noise is needed at epsilon {}: the column as it is tells any two of these secrets apart by at "
        "most "
        "e^{}.\n",
        comparison.epsilon.text(), rounded_up(best.loss, 4));
  }
  return out;
}

Json comparison_to_json(const Comparison& comparison) {
  Json candidates = Json::array();
  for (const Candidate& candidate : comparison.candidates) {
    Json row = Json::object();
    row.add("method", Json::string(candidate.method));
    row.add("noise", Json::string(candidate.noise));
    row.add("scale", Json::number(candidate.scale.value));
    row.add("mse", Json::number(candidate.mse));
    row.add("loss", Json::number(candidate.loss));
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
