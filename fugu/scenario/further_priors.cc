#include "fugu/scenario/further_priors.h"

#include <fmt/format.h>

#include <map>

namespace fugu::inline in_scenario {
namespace {

constexpr std::string_view kIndependentText = "independent", kSmoothedText = "smoothed:";

// The product of the columns' margins given the secret, at each of these rows.
Distribution independent_law(const Scenario& scenario, const Distribution& given,
                             const std::vector<int64_t>& rows) {
  std::vector<std::map<int64_t, Integer>> margins(scenario.axes.size());
  auto point = [&](int64_t atom) -> const std::vector<int64_t>& {
    return scenario.points[static_cast<size_t>(atom)];
  };
  for (size_t k = 0; k < given.size(); ++k) {
    for (size_t c = 0; c < margins.size(); ++c)
      margins[c][point(given.atoms()[k])[c]] += given.weights().at(k);
  }
  std::vector<Integer> products;
  Integer common(0);
  for (int64_t row : rows) {
    Integer& product = products.emplace_back(1);
    for (size_t c = 0; c < margins.size() && product != 0; ++c) {
      const auto found = margins[c].find(point(row)[c]);
      product = found == margins[c].end() ? Integer(0) : Integer(product * found->second);
    }
    common = gcd(common, product);
  }
  std::vector<Rational> masses;
  for (const Integer& product : products) masses.emplace_back(Integer(product / common));
  return Distribution::from_masses(rows, masses);
}

Distribution smoothed_law(const Distribution& given, const std::vector<int64_t>& rows, const Rational& more) {
  std::vector<Rational> masses;
  size_t k = 0;
  for (int64_t row : rows) {
    const bool there = k < given.size() && given.atoms()[k] == row;
    masses.push_back(there ? Rational(given.weights().at(k++)) + more : more);
  }
  return Distribution::from_masses(rows, masses);
}

}  // namespace

std::string Belief::text() const {
  return kind == kIndependent ? std::string(kIndependentText) : std::string(kSmoothedText) + to_text(more);
}

std::string Belief::name() const {
  return kind == kIndependent ? std::string(kIndependentText) : "smoothed by " + to_text(more);
}

std::optional<Belief> belief_named(std::string_view text) {
  if (text == kIndependentText) return Belief{};
  if (!text.starts_with(kSmoothedText)) return std::nullopt;
  const auto more = parse_decimal(text.substr(kSmoothedText.size()));
  if (!more || *more <= 0) return std::nullopt;
  return Belief{Belief::kSmoothed, *more};
}

std::vector<Prior> further_priors(const Scenario& scenario) {
  const Source& source = *scenario.source;
  std::vector<Prior> result;
  for (const Prior* own : scenario.own_priors()) {
    const std::vector<int64_t> rows = union_support(own->by_secret);
    for (const std::string& text : source.also) {
      const Belief belief = *belief_named(text);
      // Where rows have weights, masses are in units of these.
      const Rational more = source.weight ? Rational(belief.more / source.weight->unit) : belief.more;
      Prior& prior = result.emplace_back();
      prior.name = own->known.empty() ? belief.name() : fmt::format("{}, {}", own->name, belief.name());
      prior.known = own->known;
      // Whoever believes this of the values believes of the secrets what the table says.
      if (scenario.is_of_belief()) prior.shares = scenario.shares_in(*own);
      for (const Distribution& given : own->by_secret) {
        prior.by_secret.push_back(belief.kind == Belief::kIndependent ? independent_law(scenario, given, rows)
                                                                      : smoothed_law(given, rows, more));
      }
    }
  }
  return result;
}

}  // namespace fugu::inline in_scenario
