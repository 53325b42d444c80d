// P(X|S=s), and how mass moves between two such laws.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fugu/report/picture_read.h"
#include "fugu/report/plot_kinds.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

constexpr size_t kMostSecrets = 32;      // that are drawn: no page bears thousands
constexpr size_t kMostHeights = 20'000;  // of all priors together
constexpr size_t kMostNamedValues = 30;  // up to there cells of numbers are as large as those of names

// A law of one column under one prior.
struct ShownLaw {
  std::string secret;
  std::vector<double> shares;
};

std::vector<ShownLaw> laws_of(const Json& prior) {
  std::vector<ShownLaw> laws;
  for (const Json& secret : list_at(prior, "secrets")) {
    ShownLaw law{text_at(secret, "secret"), {}};
    for (const Json& share : list_at(secret, "probabilities")) law.shares.push_back(number_of(share));
    laws.push_back(std::move(law));
  }
  return laws;
}

// The value at which the secrets differ most.
struct WidestGap {
  size_t place = 0;
  const ShownLaw *low = nullptr, *high = nullptr;  // null where all are the same
};

WidestGap widest_gap(const std::vector<ShownLaw>& laws, size_t values) {
  WidestGap widest;
  double most = 0;
  for (size_t place = 0; place < values; ++place) {
    const auto [low, high] =
        std::ranges::minmax_element(laws, {}, [&](const ShownLaw& law) { return law.shares.at(place); });
    const double gap = high->shares[place] - low->shares[place];
    if (gap <= most) continue;
    most = gap;
    widest = {place, &*low, &*high};
  }
  return widest;
}

std::string laws_text(const Json& column, const std::vector<ShownLaw>& laws, const WidestGap& gap,
                      const std::vector<std::string>& labels) {
  const bool bins = has(column, "bin");
  std::string text =
      fmt::format("How often each of {} occurs, given each of {}.",
                  counted(labels.size(), bins ? "bin" : "value"), counted(laws.size(), "secret"));
  text += gap.low ? fmt::format(" They differ most at {}: {} given {}, {} given {}.", labels[gap.place],
                                share_text(gap.high->shares[gap.place]), gap.high->secret,
                                share_text(gap.low->shares[gap.place]), gap.low->secret)
                  : " They are the same.";
  if (bins) text += fmt::format(" Values are shown in bins of {}.", compact(number_at(column, "bin"), 4));
  return text;
}

// All where they are few; else those that are named, and the first, in their order.
std::vector<ShownLaw> drawn_laws(const std::vector<ShownLaw>& laws, const std::set<std::string>& named,
                                 std::vector<std::string>& notes) {
  if (laws.size() <= kMostSecrets) return laws;
  std::set<size_t> places;
  for (const bool all : {false, true}) {
    for (size_t k = 0; k < laws.size() && places.size() < kMostSecrets; ++k) {
      if (all || named.contains(laws[k].secret)) places.insert(k);
    }
  }
  std::vector<ShownLaw> drawn;
  for (size_t k : places) drawn.push_back(laws[k]);
  notes.push_back(fmt::format(
      "{} of the {} secrets are drawn and listed: those named here, and the first. {} are not shown.",
      grouped(drawn.size()), grouped(laws.size()), grouped(laws.size() - drawn.size())));
  return drawn;
}

ValueChart laws_chart(const std::string& secret, const std::vector<ShownLaw>& laws, ValueAxis values,
                      const std::vector<std::string>& labels, const std::set<std::string>& standing_out) {
  ValueChart chart{std::move(values), "probability", {}, labels};
  chart.percents = true;
  const bool many = laws.size() > kMostPaints;
  size_t looks = 0;
  for (const ShownLaw& law : laws) {
    const bool pale = many && !standing_out.contains(law.secret);
    chart.series.push_back(
        {fmt::format("{} = {}", secret, law.secret), law.shares, pale ? Look{kPale} : look_of(looks), pale});
    if (pale) continue;
    ++looks;
    for (size_t k = 0; k < law.shares.size(); ++k)
      chart.hints.at(k) += fmt::format("; {}: {}", law.secret, share_text(law.shares[k]));
  }
  return chart;
}

std::string prior_title(const std::string& prior) { return fmt::format(" (prior {})", prior); }

Plot laws_plot(const Json& picture, const Json& column, const Json& prior, bool several,
               const std::vector<std::string>& standing_out) {
  const std::string of = text_at(column, "column"), secret = text_at(picture, "secret");
  const Json::Array& values = list_at(column, "values");
  const std::vector<std::string> labels = labels_of(values);
  const std::vector<ShownLaw> all = laws_of(prior);
  const WidestGap gap = widest_gap(all, values.size());
  std::set<std::string> named(standing_out.begin(), standing_out.end());
  if (named.empty() && gap.low) named = {gap.low->secret, gap.high->secret};
  Plot plot;
  plot.name.title = fmt::format("What {} says about {}", of, secret);
  if (several || is_true(picture, "asked")) plot.name.title += prior_title(text_at(prior, "name"));
  plot.name.text = laws_text(column, all, gap, labels);
  std::set<std::string> told = named;
  if (gap.low) told.insert({gap.low->secret, gap.high->secret});
  const std::vector<ShownLaw> drawn = drawn_laws(all, told, plot.notes);
  for (const std::string& note : texts_at(picture, "notes")) plot.notes.push_back(note);
  plot.head = {of};
  for (const ShownLaw& law : drawn) plot.head.push_back(law.secret);
  for (size_t k = 0; k < labels.size(); ++k) {
    plot.rows.push_back({labels[k]});
    for (const ShownLaw& law : drawn) plot.rows.back().push_back(share_text(law.shares.at(k)));
  }
  plot.chart =
      laws_chart(secret, drawn, values_of(values, of, is_true(column, "categorical")), labels, named);
  plot.column = of;
  plot.choice = text_at(prior, "name");
  return plot;
}

}  // namespace

std::string share_text(double share) {
  if (share > 0 && share < 0.0005) return "<\u00a00.1\u00a0%";
  return fmt::format("{}\u00a0%", std::round(1000 * share) / 10);
}

std::vector<std::string> labels_of(const Json::Array& values) {
  std::vector<std::string> labels;
  for (const Json& value : values) labels.push_back(text_at(value, "label"));
  return labels;
}

ValueAxis values_of(const Json::Array& values, const std::string& title, bool named) {
  if (named) return named_values(title, labels_of(values));
  ValueAxis axis{title, {}};
  for (const Json& value : values) axis.at.push_back(number_at(value, "value"));
  return axis;
}

DrawnPicture draw_laws(const Json& laws, const std::vector<std::string>& standing_out) {
  DrawnPicture drawn;
  for (const Json& column : list_at(laws, "columns")) {
    const Json::Array& priors = list_at(column, "priors");
    PlotChoice choice;
    size_t heights = 0;
    for (const Json& prior : priors) {
      heights += list_at(column, "values").size() * std::min(kMostSecrets, list_at(prior, "secrets").size());
      if (heights > kMostHeights && !choice.empty()) break;
      choice.push_back(laws_plot(laws, column, prior, priors.size() > 1, standing_out));
    }
    if (choice.size() < priors.size()) {
      choice.front().notes.push_back(fmt::format("Only the first {} can be chosen, of {}.",
                                                 counted(choice.size(), "prior"), grouped(priors.size())));
    }
    drawn.figures.push_back(std::move(choice));
  }
  return drawn;
}

DrawnPicture draw_transport(const Json& transport) {
  if (!has(transport, "cells")) return {{}, texts_at(transport, "notes")};
  const Json::Array& values = list_at(transport, "values");
  const std::vector<std::string> labels = labels_of(values), pair = texts_at(transport, "pair");
  const std::string column = text_at(transport, "column"), secret = text_at(transport, "secret");
  const bool named = is_true(transport, "categorical") || values.size() <= kMostNamedValues;
  auto side = [&](size_t k) { return fmt::format("{}, {} = {}", column, secret, pair.at(k)); };
  HeatMap map{values_of(values, side(0), named), values_of(values, side(1), named), {}, "mass"};
  Plot plot;
  double staying = 0;
  for (const Json& cell : list_at(transport, "cells")) {
    const size_t from = place_at(cell, "from"), to = place_at(cell, "to");
    const double mass = number_at(cell, "mass");
    const bool farthest = is_true(cell, "farthest");
    if (from == to) staying += mass;
    plot.rows.push_back({labels.at(from), labels.at(to), share_text(mass), farthest ? "yes" : ""});
    map.cells.push_back({from, to, mass, farthest,
                         fmt::format("{} → {}: {} of the mass{}", labels[from], labels[to], share_text(mass),
                                     farthest ? ", the farthest" : "")});
  }
  plot.name = {fmt::format("What it takes to turn {} into {}", pair.at(0), pair.at(1)),
               fmt::format("No mass has to move farther than {}, on average {}; {} of it {}.",
                           compact(number_at(transport, "distance"), 4),
                           compact(number_at(transport, "mean_distance"), 4), share_text(staying),
                           has(transport, "bin") ? "stays within its bin" : "stays where it is")};
  if (is_true(transport, "asked")) plot.name.title += prior_title(text_at(transport, "prior"));
  if (!has(transport, "asked")) plot.name.text += " Of all pairs, this one is the farthest apart.";
  plot.head = {side(0), side(1), "mass", "moves farthest"};
  plot.notes = texts_at(transport, "notes");
  plot.notes.insert(plot.notes.begin(),
                    "The darker a cell, the more mass moves that way. Framed cells move farthest.");
  plot.chart = std::move(map);
  plot.column = column;
  plot.choice = text_at(transport, "prior");
  return {{{std::move(plot)}}, {}};
}

}  // namespace fugu::inline in_report
