// What every method costs, against epsilon.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fugu/report/picture_read.h"
#include "fugu/report/plot_kinds.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

struct CostPoint {
  double epsilon, rms;
  bool no_noise;
};

struct CostLine {
  std::string method, name;  // with its noise where several families are compared
  bool baseline;
  std::vector<CostPoint> points;

  const CostPoint* at(double epsilon) const {
    const auto found = std::ranges::find(points, epsilon, &CostPoint::epsilon);
    return found == points.end() ? nullptr : &*found;
  }
};

std::vector<CostLine> lines_of(const Json& error) {
  const Json::Array& methods = list_at(error, "methods");
  std::vector<CostLine> lines;
  for (const Json& method : methods) {
    const std::string name = text_at(method, "method");
    const auto twins =
        std::ranges::count_if(methods, [&](const Json& other) { return text_at(other, "method") == name; });
    CostLine line{name,
                  twins > 1 ? fmt::format("{} ({})", name, text_at(method, "noise")) : name,
                  is_true(method, "baseline"),
                  {}};
    for (const Json& point : list_at(method, "points"))
      line.points.push_back(
          {number_at(point, "epsilon"), number_at(point, "rms"), is_true(point, "no_noise")});
    lines.push_back(std::move(line));
  }
  return lines;
}

// The plan's own error, and whether it is a point of its method's line: that may be of another loss.
struct OwnCost {
  std::string method;
  std::optional<CostPoint> plan;

  bool is_on(const CostLine& line) const {
    if (line.method != method) return false;
    const CostPoint* point = plan ? line.at(plan->epsilon) : nullptr;
    return !plan || (point && std::abs(point->rms - plan->rms) <= 1e-6 * plan->rms);
  }
};

std::string cost_text(const Json& error, const std::vector<CostLine>& lines, const OwnCost& own) {
  const double epsilon = number_at(error, "epsilon");
  std::vector<std::pair<double, const CostLine*>> here;
  for (const CostLine& line : lines) {
    if (const CostPoint* point = line.at(epsilon)) here.emplace_back(point->rms, &line);
  }
  std::ranges::stable_sort(here, {}, &std::pair<double, const CostLine*>::first);
  const std::string at = "At epsilon " + compact(epsilon, 6);
  if (here.empty()) return at + " no other method can be compared here.";
  auto cost = [](const auto& one) {
    return fmt::format("{} ({})", compact(one.first, 4), one.second->method);
  };
  std::string text =
      at +
      (is_true(error, "programmes")
           ? fmt::format(" the least error of those drawn is {} and the largest {}.", cost(here.front()),
                         cost(here.back()))
           : fmt::format(
                 " the errors found so far are between {} and {}; optimal and channel are still missing.",
                 cost(here.front()), cost(here.back())));
  if (own.plan)
    return text + fmt::format(" This plan, by {}, costs {}.", own.method, compact(own.plan->rms, 4));
  const auto chosen = std::ranges::find(here, own.method, [](const auto& one) { return one.second->method; });
  if (chosen != here.end() && chosen != here.begin())
    text += fmt::format(" The chosen method, {}, costs {}.", own.method, compact(chosen->first, 4));
  return text;
}

// From which epsilon on a method adds nothing, in words.
std::vector<std::string> no_noise_notes(const std::vector<CostLine>& lines) {
  std::map<double, std::string> from;
  for (const CostLine& line : lines) {
    const auto first = std::ranges::find(line.points, true, &CostPoint::no_noise);
    if (first == line.points.end()) continue;
    std::string& names = from[first->epsilon];
    names += (names.empty() ? "" : ", ") + line.name;
  }
  std::vector<std::string> notes;
  for (const auto& [epsilon, names] : from)
    notes.push_back(fmt::format("No noise is needed at epsilon {} by {}.", compact(epsilon, 6), names));
  return notes;
}

// Which errors are known to be the least; what was not finished, the picture's own notes say.
std::vector<std::string> least_notes(const Json& error, double epsilon) {
  std::vector<std::string> notes;
  if (!error.find("optima")) return notes;
  for (const Json& optimum : list_at(error, "optima")) {
    if (text_at(optimum, "state") != "least") continue;
    notes.push_back(fmt::format(
        "{}: finished at epsilon {}. No release of its kind has an error below {}, to a millionth.",
        text_at(optimum, "method"), compact(epsilon, 6), compact(number_at(optimum, "rms"), 4)));
  }
  return notes;
}

LineChart cost_chart(const std::vector<CostLine>& lines, const OwnCost& own, double epsilon) {
  LineChart chart{"epsilon (smaller hides more)", "error (root mean square)", true, true};
  size_t looks = 0;
  bool on_line = false;
  for (const CostLine& line : lines) {
    const bool ours = own.is_on(line);
    on_line = on_line || ours;
    ChartSeries series{line.name + (ours && own.plan ? " (this plan)"
                                    : ours           ? " (chosen method)"
                                    : line.baseline  ? " (baseline)"
                                                     : ""),
                       {},
                       look_of(looks++)};
    if (line.baseline) series.look.paint = kMuted;
    if (ours) series.look = {series.look.paint, "", series.look.symbol, 3.5};
    for (const CostPoint& point : line.points) {
      if (point.rms <= 0) continue;
      series.points.emplace_back(point.epsilon, point.rms);
      series.hints.push_back(
          fmt::format("{}, epsilon {}: {}", line.name, compact(point.epsilon, 6), compact(point.rms, 4)));
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  chart.upright = {epsilon, fmt::format("epsilon {}", compact(epsilon, 6))};
  if (own.plan && own.plan->rms > 0)
    chart.ring = ChartNote{own.plan->epsilon, own.plan->rms, "this plan, by " + own.method};
  return chart;
}

}  // namespace

DrawnPicture draw_error(const Json& error, const std::string& method) {
  const std::vector<CostLine> lines = lines_of(error);
  const double epsilon = number_at(error, "epsilon");
  OwnCost own{method, {}};
  if (const Json* plan = error.find("plan"))
    own.plan = CostPoint{number_at(*plan, "epsilon"), number_at(*plan, "rms"), false};
  Plot plot;
  plot.name = {"What each method costs", cost_text(error, lines, own)};
  if (const double delta = number_at(error, "delta"); delta > 0)
    plot.name.title += fmt::format(", delta {}", compact(delta, 4));
  plot.notes = no_noise_notes(lines);
  if (std::ranges::any_of(lines, &CostLine::baseline)) {
    plot.notes.emplace_back(
        "A baseline hides the value itself, not only the secret: it holds whatever anybody believes.");
  }
  for (const std::string& note : least_notes(error, epsilon)) plot.notes.push_back(note);
  for (const std::string& note : texts_at(error, "notes")) plot.notes.push_back(note);
  plot.head = {"epsilon"};
  for (const CostLine& line : lines) plot.head.push_back(line.name);
  for (const Json& at : list_at(error, "epsilons")) {
    plot.rows.push_back({compact(number_of(at), 6)});
    for (const CostLine& line : lines) {
      const CostPoint* point = line.at(number_of(at));
      plot.rows.back().push_back(!point ? "–" : point->no_noise ? "0 (no noise)" : compact(point->rms, 4));
    }
  }
  LineChart chart = cost_chart(lines, own, epsilon);
  if (chart.series.empty()) {
    plot.notes.insert(plot.notes.begin(), plot.name.text);
    return {{}, plot.notes};
  }
  plot.chart = std::move(chart);
  return {{{std::move(plot)}}, {}};
}

}  // namespace fugu::inline in_report
