// What every method costs, against epsilon.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/calibrate/calibrate.h"
#include "fugu/report/picture.h"
#include "fugu/report/wording.h"

namespace fugu {
namespace {

struct Line {
  Candidate kind;  // its method, title and noise
  Json points = Json::array();
  std::vector<std::string> missing;  // why there is nothing at some epsilons, each reason once
};

void add_point(Line& line, const Epsilon& epsilon, const Candidate& candidate) {
  if (!candidate.mse) {
    if (std::find(line.missing.begin(), line.missing.end(), candidate.note) == line.missing.end())
      line.missing.push_back(candidate.note);
    return;
  }
  Json point = Json::object();
  point.add("epsilon", Json::number(static_cast<double>(epsilon.value())));
  point.add("rms", Json::number(std::sqrt(*candidate.mse)));
  point.add("scale", candidate.scale ? Json::number(candidate.scale->value) : Json::null());
  if (candidate.changes_nothing) point.add("no_noise", Json::boolean(true));
  line.points.if_array()->push_back(std::move(point));
}

Json line_to_json(Line line, std::vector<std::string>& notes) {
  for (const std::string& reason : line.missing)
    notes.push_back(fmt::format("{} ({}): {}.", line.kind.method, line.kind.noise, printable(reason)));
  Json json = Json::object();
  json.add("method", Json::string(line.kind.method));
  json.add("title", Json::string(line.kind.title));
  json.add("noise", Json::string(line.kind.noise));
  json.add("baseline", Json::boolean(line.kind.baseline));
  json.add("points", std::move(line.points));
  return json;
}

// Collects the candidates of one budget after the other.
class Lines {
 public:
  // Methods that make their own mechanism are one line, whatever it is called at each epsilon.
  explicit Lines(bool by_noise) : by_noise_(by_noise) {}
  void add(const Epsilon& epsilon, const std::vector<Candidate>& candidates) {
    for (const Candidate& candidate : candidates) {
      auto line = std::find_if(lines_.begin(), lines_.end(), [&](const Line& one) {
        return one.kind.method == candidate.method && (!by_noise_ || one.kind.noise == candidate.noise);
      });
      if (line == lines_.end()) line = lines_.insert(line, Line{candidate, Json::array(), {}});
      add_point(*line, epsilon, candidate);
    }
  }
  std::vector<Line> take() { return std::move(lines_); }

 private:
  bool by_noise_;
  std::vector<Line> lines_;
};

}  // namespace

std::vector<Epsilon> epsilons_around(const Scenario& scenario) {
  const Rational middle = scenario.stated().epsilon.value();
  std::vector<Epsilon> result;
  for (const char* factor : {"0.125", "0.2", "0.35", "0.6", "1", "1.7", "3", "5", "8"}) {
    const Rational value = middle * *parse_decimal(factor);
    const bool legal =
        value >= Rational(1, Integer("1000000000000000")) && value <= 100 && value > 2 * scenario.lambda();
    if (legal) result.push_back(Epsilon::parse(to_text(value), "epsilon", ErrorKind::kBug));
  }
  return result;
}

std::vector<std::string> noises_beside(const Plan& plan) {
  std::vector<std::string> noises{"laplace"};
  if (!plan.scenario.delta.is_zero()) noises.emplace_back("gaussian");
  if (const Noise* noise = std::get_if<Noise>(&plan.mechanism)) {
    const bool known = std::find(noises.begin(), noises.end(), noise->family) != noises.end();
    if (!known && noise->scale) noises.push_back(noise->family);
  }
  return noises;
}

Json error_picture(const Scenario& scenario, const std::vector<Epsilon>& epsilons,
                   const ErrorOptions& options, const Progress& progress) {
  Lines lines(true), optima(false), baselines(false);
  std::vector<std::string> notes;
  OptimumOptions optimum;
  const double parts = static_cast<double>(epsilons.size());
  const auto with_programmes = options.seconds > 0 && !scenario.is_joint();
  optimum.seconds = options.seconds / (parts * static_cast<double>(optimum_methods().size()));
  for (size_t k = 0; k < epsilons.size(); ++k) {
    const Progress part = [&](double fraction, std::string_view what) {
      report(progress, (static_cast<double>(k) + fraction) / parts, what);
    };
    Scenario question = scenario;
    try {
      question.promise({epsilons[k], scenario.stated().delta}, scenario.lambda());
    } catch (const Error& error) {  // a closeness may leave nothing of the budget
      notes.push_back(fmt::format("epsilon {}: {}.", epsilons[k].text(), error.message()));
      continue;
    }
    lines.add(epsilons[k], compare(question, options.noises, part));
    if (with_programmes) optima.add(epsilons[k], compare_optima(question, optimum, part));
    baselines.add(epsilons[k], compare_baselines(question, options.noises, part));
  }
  Json methods = Json::array();
  for (Lines* group : {&lines, &optima, &baselines}) {
    for (Line& line : group->take()) methods.if_array()->push_back(line_to_json(std::move(line), notes));
  }
  if (!with_programmes && !scenario.is_joint())
    notes.emplace_back("The optimal noise and the optimal channel were left out: they take longer.");
  Json points = Json::array();
  for (const Epsilon& epsilon : epsilons)
    points.if_array()->push_back(Json::number(static_cast<double>(epsilon.value())));
  Json json = Json::object();
  json.add("picture", Json::string("error"));
  json.add("epsilons", std::move(points));
  json.add("epsilon", Json::number(static_cast<double>(scenario.stated().epsilon.value())));
  json.add("delta", Json::number(static_cast<double>(scenario.stated().delta.value())));
  json.add("methods", std::move(methods));
  json.add("notes", Json::strings(notes));
  return json;
}

}  // namespace fugu
