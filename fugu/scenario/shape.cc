#include "fugu/scenario/shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/json_read.h"

namespace fugu::inline in_scenario {
namespace {

bool increases(const std::vector<Rational>& numbers) {
  return std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) == numbers.end();
}

std::optional<int64_t> nearest_multiple(const Rational& number, const Rational& step) {
  return Lattice{step, Rational(0)}.nearest(number);
}

std::optional<int64_t> clip_end(const Shape& shape, const Lattice& lattice, const Rational& end, bool upper) {
  if (const auto index = shape.index(end)) return index;
  const Rational steps = (end - lattice.origin) / lattice.step;
  const Integer whole = upper ? floor(steps) : -floor(Rational(-steps));
  return lattice.index(Rational(lattice.origin + lattice.step * Rational(whole)));
}

}  // namespace

Shape::Shape(const Source& source, const Lattice& lattice)
    : reads_categories_(!source.labels.empty() && source.edges.empty()),
      lattice_(lattice),
      clip_(source.clip),
      step_(source.step),
      bin_(source.bin),
      edges_(source.edges) {
  if (!reads_categories_) return;
  for (const std::string& label : source.labels)
    categories_.emplace(label, static_cast<int64_t>(categories_.size()) + 1);
  if (source.rare.empty()) return;
  // What the table calls "(rare)" itself is refused when it is counted, so the label is no text of its own.
  categories_.erase(source.labels.back());
  for (const std::string& label : source.rare)
    categories_.emplace(label, static_cast<int64_t>(source.labels.size()));
}

std::optional<int64_t> Shape::index(const Rational& number) const {
  Rational value = clip_ ? std::clamp(number, clip_->first, clip_->second) : number;
  if (!bin_ && edges_.empty()) return step_ ? lattice_.nearest(value) : lattice_.index(value);
  if (step_) {
    const auto steps = nearest_multiple(value, *step_);
    if (!steps) return std::nullopt;
    value = *step_ * *steps;
  }
  if (!edges_.empty()) return std::upper_bound(edges_.begin(), edges_.end(), value) - edges_.begin() + 1;
  return lattice_.index(
      Rational(Rational(floor(Rational(value / bin_->width))) * bin_->width + bin_->middle));
}

std::optional<int64_t> Shape::index(std::string_view category) const {
  const auto found = categories_.find(std::string(category));
  return found == categories_.end() ? std::nullopt : std::optional(found->second);
}

Bin bin_of(const Rational& width, const std::optional<Lattice>& lattice) {
  if (!lattice) return {width, Rational(width / 2)};
  // Above their bin's lower end values lie on a lattice whose step divides both.
  const Rational step = greatest_common_step(lattice->step, width);
  const Rational origin = lattice->origin - step * Rational(floor(Rational(lattice->origin / step)));
  return {width, Rational((width - step) / 2 + origin)};
}

Lattice lattice_of(const Bin& bin) { return {bin.width, bin.middle}; }

std::vector<std::string> edge_labels(const std::vector<Rational>& edges) {
  std::vector<std::string> labels{"< " + to_text(edges.front())};
  for (size_t k = 1; k < edges.size(); ++k)
    labels.push_back(fmt::format("{} to < {}", to_text(edges[k - 1]), to_text(edges[k])));
  labels.push_back(">= " + to_text(edges.back()));
  return labels;
}

std::optional<std::pair<int64_t, int64_t>> clip_range(const Source& source, const Lattice& lattice) {
  if (!source.clip || !source.labels.empty()) return std::nullopt;
  const Shape shape(source, lattice);
  const auto low = clip_end(shape, lattice, source.clip->first, false);
  const auto high = clip_end(shape, lattice, source.clip->second, true);
  // A plan that was written by hand may say anything.
  if (!low || !high || *low > *high || Integer(*high) - *low > kMaxSpan) return std::nullopt;
  return std::pair(*low, *high);
}

bool is_shaped(const Source& source) {
  return source.clip || source.bin || !source.edges.empty() || !source.rare.empty();
}

bool is_shaped(const Scenario& scenario) { return scenario.source && is_shaped(*scenario.source); }

void check_shape(const Source& source, const Lattice& lattice, const std::string& place) {
  auto fail = [&](const char* key, const char* what, const char* hint) {
    throw data_error(place + "." + key, what, hint);
  };
  if (source.bin) {
    const Bin& bin = *source.bin;
    if (!source.labels.empty() || !source.edges.empty())
      fail("bin", "categories have no bins", "leave out the bin or the labels");
    if (bin.width <= 0 || bin.middle < 0 || bin.middle >= bin.width)
      fail("bin", "the middle does not lie within the bin",
           "the width is above 0, the middle from 0 to below it");
    if (lattice != lattice_of(bin))
      fail("bin", "the lattice is not that of the bins", "its step is the width, its origin the middle");
    if (source.step && denominator(Rational(bin.width / *source.step)) != 1)
      fail("bin", "the width is not a multiple of the step", "give a multiple, or leave out the step");
  }
  if (!source.edges.empty()) {
    if (!increases(source.edges))
      fail("edges", "the edges do not increase", "write them in order, each once");
    if (source.labels != edge_labels(source.edges))
      fail("edges", "the labels are not those of the edges", "calibrate again with --bin-edges");
    if (source.clip || source.step)
      fail("edges", "a clip or a step has no meaning between edges", "leave out the clip and the step");
  }
  if (!source.rare.empty()) {
    if (!source.edges.empty() || source.labels.empty() || source.labels.back() != kRareLabel)
      fail("rare", "there is no label for rare categories", "the last label is \"(rare)\"");
    for (const std::string& label : source.rare) {
      if (std::count(source.labels.begin(), source.labels.end(), label) > 0 ||
          std::count(source.rare.begin(), source.rare.end(), label) > 1)
        fail("rare", "a category is named twice", "each is a label or rare, once");
    }
  }
}

}  // namespace fugu::inline in_scenario
