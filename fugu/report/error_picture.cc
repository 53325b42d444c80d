// What every method costs, against epsilon.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "fugu/calibrate/calibrate.h"
#include "fugu/report/kept_words.h"
#include "fugu/report/picture.h"
#include "fugu/show/wording.h"
#include "fugu/solve/linear_programme.h"

namespace fugu::inline in_report {
namespace {

// A method with the family that it is for.
struct Row {
  Method method;
  std::shared_ptr<const NoiseFamily> family;
};

// The closed forms and the searches first, then what hides the value itself, then the linear programmes.
std::vector<Row> rows_of(const Scenario& scenario, const ErrorOptions& options) {
  std::vector<Row> rows;
  for (const std::string& noise : options.noises) {
    const std::shared_ptr<const NoiseFamily> family = family_named(noise);
    for (const Method& method : methods_for(*family)) {
      if (!scenario.is_joint() || serves_joint(method, scenario)) rows.push_back({method, family});
    }
  }
  const std::shared_ptr<const NoiseFamily> laplace = family_named("laplace");
  for (const std::vector<Method>& methods : {baseline_methods(), optimum_methods()}) {
    for (const Method& method : methods) {
      const bool serves = !scenario.is_joint() || serves_joint(method, scenario);
      // A line is of mean squares, which say nothing of categories and rows that trade places.
      const bool squares =
          method.name != "swap" || measure_of_swap(scenario, {}).kind == ErrorMeasure::kSquared;
      if (serves && squares) rows.push_back({method, laplace});
    }
  }
  return rows;
}

struct MethodLine {
  std::optional<Candidate> kind;  // its method, title and noise
  std::map<Rational, Json> points;
  std::set<std::string> missing;             // why there is nothing at some epsilons
  std::map<Rational, Candidate> unfinished;  // no points: their errors are not what the method costs
  std::map<Rational, Candidate> limits;      // of optima, where their error is known to be the least

  void add(const Epsilon& epsilon, const Candidate& candidate) {
    // What an unfinished search has in the method's place may be of another kind.
    if (!kind || points.empty()) kind = candidate;
    if (!candidate.mse) {
      missing.insert(candidate.note);
      return;
    }
    if (candidate.unfinished) {
      unfinished.emplace(epsilon.value(), candidate);
      return;
    }
    if (candidate.is_limit()) limits.emplace(epsilon.value(), candidate);
    Json point = Json::object();
    point.add("epsilon", Json::number(static_cast<double>(epsilon.value())));
    point.add("rms", Json::number(std::sqrt(*candidate.mse)));
    point.add("scale", candidate.scale ? Json::number(candidate.scale->value) : Json::null());
    if (candidate.changes_nothing) point.add("no_noise", Json::boolean(true));
    points.emplace(epsilon.value(), std::move(point));
  }

  Json to_json(const Candidate& as) const {
    Json list = Json::array();
    for (const auto& [epsilon, point] : points) list.if_array()->push_back(point);
    Json json = Json::object();
    json.add("method", Json::string(as.method));
    json.add("title", Json::string(as.title));
    json.add("noise", Json::string(as.noise));
    json.add("baseline", Json::boolean(as.baseline));
    json.add("points", std::move(list));
    return json;
  }
};

// Where nothing is drawn for want of time, and between which errors the least lies at the scenario's epsilon.
std::string unfinished_note(const MethodLine& line, const Rational& own) {
  std::string epsilons;
  for (const auto& [epsilon, candidate] : line.unfinished)
    epsilons += (epsilons.empty() ? "" : ", ") + for_people(static_cast<double>(epsilon));
  std::string note =
      fmt::format("{}: unfinished at epsilon {}, where no point is drawn.", line.kind->method, epsilons);
  const auto found = line.unfinished.find(own);
  if (found == line.unfinished.end()) return note;
  const Candidate& candidate = found->second;
  const double most = std::sqrt(*candidate.mse), least = std::sqrt(candidate.bound.value_or(0));
  note += fmt::format(" At epsilon {} its least error is ", for_people(static_cast<double>(own)));
  return note + (least > 0 ? fmt::format("between {} and {}.", compact(least, 4), compact(most, 4))
                           : fmt::format("at most {}.", compact(most, 4)));
}

// At the scenario's own epsilon: {"method", "state": "least" or "unfinished", "rms", "least"}; null where
// neither is known.
Json optimum_to_json(const MethodLine& line, const Rational& own) {
  const auto limit = line.limits.find(own), open = line.unfinished.find(own);
  const bool least = limit != line.limits.end();
  if (!least && open == line.unfinished.end()) return Json::null();
  const Candidate& candidate = least ? limit->second : open->second;
  Json json = Json::object();
  json.add("method", Json::string(candidate.method));
  json.add("state", Json::string(least ? "least" : "unfinished"));
  json.add("rms", Json::number(std::sqrt(*candidate.mse)));
  json.add("least", Json::number(std::sqrt(std::max(0.0, candidate.bound.value_or(0)))));
  return json;
}

// Fills the lines in the order of what matters most: the scenario's own epsilon first, then outward, and the
// linear programmes after all others. Stops when the time is over.
class Search {
 public:
  Search(const Scenario& scenario, const ErrorOptions& options, const Progress& progress)
      : scenario_(scenario), rows_(rows_of(scenario, options)), lines_(rows_.size()), progress_(progress) {
    patience_.deadline = Deadline::in(options.seconds);
  }

  // Whether there was time for all.
  bool run(const std::vector<Epsilon>& epsilons, const ErrorOptions& options) {
    const auto optima = static_cast<size_t>(
        std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.method.is_optimum(); }));
    optimum_.seconds = options.programme_seconds.value_or(
        options.seconds / static_cast<double>(std::max<size_t>(1, optima * epsilons.size())));
    steps_ = epsilons.size() * (options.programmes ? rows_.size() : rows_.size() - optima);
    try {
      for (bool programmes : {false, true}) {
        if (programmes && !options.programmes) break;
        for (const Epsilon& epsilon : epsilons) fill(epsilon, programmes);
      }
    } catch (const TimeIsOver&) {
      return false;
    }
    return true;
  }

  const std::vector<MethodLine>& lines() const { return lines_; }

 private:
  void fill(const Epsilon& epsilon, bool programmes) {
    Scenario question = scenario_;
    question.promise({epsilon, scenario_.stated().delta}, scenario_.lambda());
    const Progress part = [&](double fraction, std::string_view) {
      if (patience_.is_over()) throw TimeIsOver();
      report(progress_, (static_cast<double>(done_) + fraction) / static_cast<double>(steps_), "comparing");
    };
    for (size_t k = 0; k < rows_.size(); ++k) {
      if (rows_[k].method.is_optimum() != programmes) continue;
      part(0, "");
      lines_[k].add(epsilon, compare_one(question, rows_[k].method, *rows_[k].family, optimum_, part));
      ++done_;
    }
  }

  const Scenario& scenario_;
  std::vector<Row> rows_;
  std::vector<MethodLine> lines_;
  const Progress& progress_;
  Patience patience_{progress_};
  OptimumOptions optimum_;
  size_t done_ = 0, steps_ = 1;
};

// From the scenario's own epsilon outward.
std::vector<Epsilon> outward(std::vector<Epsilon> epsilons, const Epsilon& middle) {
  auto distance = [&](const Epsilon& epsilon) {
    const Rational ratio = epsilon.value() / middle.value();
    return ratio < 1 ? Rational(1 / ratio) : ratio;
  };
  std::stable_sort(epsilons.begin(), epsilons.end(),
                   [&](const Epsilon& a, const Epsilon& b) { return distance(a) < distance(b); });
  return epsilons;
}

}  // namespace

std::vector<Epsilon> epsilons_around(const Scenario& scenario) {
  const Rational middle = scenario.stated().epsilon.value();
  std::vector<Epsilon> result;
  for (const char* factor : {"0.125", "0.2", "0.35", "0.6", "1", "1.7", "3", "5", "8"}) {
    const Rational value = middle * *parse_decimal(factor);
    const bool legal = value >= Rational(1, Integer("1000000000000000")) && value <= 100;
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
  for (const std::string& noise : options.noises) check_columns_served(scenario, *family_named(noise));
  Search search(scenario, options, progress);
  const bool whole = search.run(outward(epsilons, scenario.stated().epsilon), options);
  Json methods = Json::array(), optima = Json::array();
  std::vector<std::string> notes;
  for (const MethodLine& line : search.lines()) {
    Json optimum = optimum_to_json(line, scenario.stated().epsilon.value());
    if (!optimum.is_null()) optima.if_array()->push_back(std::move(optimum));
    if (!line.kind) continue;
    const Candidate& kind = *line.kind;
    for (const std::string& reason : line.missing)
      notes.push_back(fmt::format("{} ({}): {}.", kind.method, kind.noise, printable(reason)));
    if (!line.unfinished.empty()) notes.push_back(unfinished_note(line, scenario.stated().epsilon.value()));
    methods.if_array()->push_back(line.to_json(kind));
  }
  if (!has_numbers(scenario)) {
    notes.emplace_back(
        "Categories have no distance: the error counts places in their list. It compares methods, and does "
        "not say how much of the values is left.");
  }
  if (!whole) {
    notes.push_back(
        fmt::format("Points are missing: the {} seconds for other methods and epsilons were used up.",
                    for_people(options.seconds)));
  }
  Json points = Json::array();
  for (const Epsilon& epsilon : epsilons)
    points.if_array()->push_back(Json::number(static_cast<double>(epsilon.value())));
  Json json = Json::object();
  json.add("picture", Json::string("error"));
  json.add("epsilons", std::move(points));
  json.add("epsilon", Json::number(static_cast<double>(scenario.stated().epsilon.value())));
  json.add("delta", Json::number(static_cast<double>(scenario.stated().delta.value())));
  // Whether the methods that solve linear programmes are among them, or are not for this question.
  json.add("programmes", Json::boolean(options.programmes || scenario.is_joint()));
  json.add("methods", std::move(methods));
  json.add("optima", std::move(optima));
  json.add("notes", Json::strings(notes));
  return json;
}

Json error_picture(const OpenQuestion& open, const Texts& texts, double seconds, const Progress& progress) {
  const QuestionOptions options = options_of<QuestionOptions>(texts);
  const auto epsilons = options.epsilons();
  const Scenario promised = open.promised(options);
  ErrorOptions wanted;
  wanted.seconds = seconds;
  if (const auto noises = options.noises(); !noises.empty()) wanted.noises = noises;
  return error_picture(promised, epsilons.size() > 1 ? epsilons : epsilons_around(promised), wanted,
                       progress);
}

}  // namespace fugu::inline in_report
