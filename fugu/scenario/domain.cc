#include "fugu/scenario/domain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "fugu/scenario/shape.h"

namespace fugu::inline in_scenario {
namespace {

constexpr size_t kFewValues = 6;  // single values that boxes bound as well as a band does

std::vector<int64_t> from_to(int64_t low, int64_t high, ErrorKind kind) {
  const Integer count = Integer(high) - low + 1;
  if (count > kMostValues) {
    throw Error(
        kind, fmt::format("--confidence: {} values can occur, and {} are the most", count.str(), kMostValues),
        "give a coarser --step or --bin, or a narrower --clip");
  }
  std::vector<int64_t> domain(static_cast<size_t>(count));
  std::iota(domain.begin(), domain.end(), low);
  return domain;
}

// The map is monotone: all that it can make lies between the places of the two ends.
std::vector<int64_t> points_of(const Scenario& scenario, ErrorKind kind) {
  const Shape shape(scenario.source->shape(), scenario.lattice);
  const auto& clip = *scenario.source->shape().clip;
  const auto low = shape.index(clip.first), high = shape.index(clip.second);
  if (!low || !high)
    throw Error(kind, "--confidence: the range of --clip is too far out", "give a range near the values");
  return from_to(*low, *high, kind);
}

// Bounds are about numbers of rows. What was put together because few of it were counted is rarer in the
// table than in truth.
void check_counts_of(const Source& source, ErrorKind kind) {
  if (source.weight) {
    throw Error(kind, "--confidence: this needs numbers of rows, and the scenario has weights",
                "leave out --confidence");
  }
  if (!source.merged.empty()) {
    throw Error(kind, "--confidence: no bounds hold for groups that were merged for being small",
                "calibrate again from the table: with a confidence small groups are left out");
  }
  if (!source.shape().rare.empty()) {
    throw Error(kind, "--confidence: no bounds hold for categories that were merged for being rare",
                "leave out the confidence, or merge no categories");
  }
}

}  // namespace

DomainKind domain_kind(const Scenario& scenario) {
  if (!scenario.source) return DomainKind::kListed;
  const Source& source = *scenario.source;
  if (!source.shape().edges.empty()) return DomainKind::kEdges;
  if (!source.shape().labels.empty()) return DomainKind::kCategories;
  // Without a step or bins a clip leaves the lattice to the table's own numbers. Of bins only the number that
  // stands for each is the table's; which numbers share one is not.
  if (source.shape().clip && (source.shape().step || source.shape().bin)) return DomainKind::kPoints;
  if (source.secret.empty() && !source.shape().clip) return DomainKind::kListed;
  const bool range = source.shape().clip && clip_range(source.shape(), scenario.lattice);
  return range ? DomainKind::kRange : DomainKind::kUndeclared;
}

BoundKind usual_bounds(const Scenario& scenario) {
  switch (domain_kind(scenario)) {
    case DomainKind::kRange:
    case DomainKind::kUndeclared:
      return BoundKind::kBand;
    case DomainKind::kPoints:
      return domain_of(scenario, ErrorKind::kUsage).size() > kFewValues ? BoundKind::kBoth
                                                                        : BoundKind::kBoxes;
    default:
      return BoundKind::kBoxes;
  }
}

std::vector<int64_t> domain_of(const Scenario& scenario, ErrorKind kind) {
  if (scenario.source) check_counts_of(*scenario.source, kind);
  const std::vector<int64_t> seen = scenario.values();
  std::vector<int64_t> domain;
  // A plan that declares none was made by 0.1, or by hand.
  const std::string declare = kind == ErrorKind::kUsage ? "declare them: --clip LO:HI"
                                                        : "calibrate again and declare them: --clip LO:HI";
  switch (domain_kind(scenario)) {
    case DomainKind::kRange:
      if (scenario.bounded_by == BoundKind::kBand) {
        const auto [low, high] = *clip_range(scenario.source->shape(), scenario.lattice);
        domain = from_to(low, high, kind);
        break;
      }
      throw Error(kind, "--confidence: the table alone does not say which numbers can occur",
                  declare + " with --step G or --bin W, or --bin-edges; or use --bounds band");
    case DomainKind::kUndeclared:
      throw Error(
          kind, "--confidence: the table alone does not say which numbers can occur",
          declare + ", better with --step G or --bin W, or --bin-edges; or list categories with --order");
    case DomainKind::kEdges:
    case DomainKind::kCategories:
      domain = from_to(1, static_cast<int64_t>(scenario.source->shape().labels.size()), kind);
      break;
    case DomainKind::kPoints:
      domain = points_of(scenario, kind);
      break;
    case DomainKind::kListed:
      std::set_union(seen.begin(), seen.end(), scenario.unseen.begin(), scenario.unseen.end(),
                     std::back_inserter(domain));
      if (domain.size() > kMostValues) from_to(1, static_cast<int64_t>(domain.size()), kind);
      break;
  }
  if (!std::includes(domain.begin(), domain.end(), seen.begin(), seen.end())) {
    throw Error(kind, "--confidence: a value lies beyond those that can occur",
                "give the values as they are after the clip, the bins or the order");
  }
  return domain;
}

BoxedLaws boxes_of(const Scenario& scenario) {
  return boxes_of(scenario, scenario.confidence ? domain_of(scenario) : scenario.values());
}

std::optional<BoxedLaws> boxes_if_any(const Scenario& scenario) {
  return scenario.has_boxes() ? std::optional(boxes_of(scenario)) : std::nullopt;
}

std::vector<int64_t> with_categories(std::vector<int64_t> values, const Scenario& scenario) {
  if (!scenario.source) return values;
  for (size_t k = 1; k <= scenario.source->shape().labels.size(); ++k)
    values.push_back(static_cast<int64_t>(k));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace fugu::inline in_scenario
