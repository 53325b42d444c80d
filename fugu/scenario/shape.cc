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

// Of the numbers with the fewest decimals between the two, the one nearest to the middle, the greater of two.
// Precondition: low < high.
Rational shortest_between(const Rational& low, const Rational& high) {
  Rational unit(1);
  while (unit <= high - low) unit *= 10;
  for (;; unit /= 10) {
    const Rational middle = (low + high) / 2;
    const Rational nearest = unit * Rational(round_half_up(Rational(middle / unit)));
    if (nearest >= low && nearest <= high) return nearest;
  }
}

std::optional<int64_t> clip_end(const Shape& shape, const Lattice& lattice, const Rational& end, bool upper) {
  if (const auto index = shape.index(end)) return index;
  const Rational steps = (end - lattice.origin) / lattice.step;
  const Integer whole = upper ? floor(steps) : -floor(Rational(-steps));
  return lattice.index(Rational(lattice.origin + lattice.step * Rational(whole)));
}

}  // namespace

Shape::Shape(const ColumnShape& column, const Lattice& lattice)
    : reads_categories_(!column.labels.empty() && column.edges.empty()),
      lattice_(lattice),
      map_(column.map),
      reads_(column.reads),
      clip_(column.clip),
      step_(column.step),
      bin_(column.bin),
      edges_(column.edges) {
  if (!reads_categories_) return;
  for (const std::string& label : column.labels)
    categories_.emplace(label, static_cast<int64_t>(categories_.size()) + 1);
  if (column.rare.empty()) return;
  // What the table calls "(rare)" itself is refused when it is counted, so the label is no text of its own.
  categories_.erase(column.labels.back());
  for (const std::string& label : column.rare)
    categories_.emplace(label, static_cast<int64_t>(column.labels.size()));
}

std::optional<std::string_view> Shape::mapped(std::string_view text) const {
  if (map_.empty()) return text;
  const auto found = map_.texts.find(std::string(text));
  if (found != map_.texts.end()) return found->second;
  return map_.rest ? std::optional<std::string_view>(*map_.rest) : std::nullopt;
}

std::optional<int64_t> Shape::place(std::string_view text) const {
  if (reads_categories_) return index(text);
  const auto number = reads_.number(text);
  return number ? index(*number) : std::nullopt;
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

Bin bin_of(const Rational& width, const Lattice& lattice) {
  // Above their bin's lower end values lie on a lattice whose step divides both.
  const Rational step = greatest_common_step(lattice.step, width);
  const Rational origin = lattice.origin - step * Rational(floor(Rational(lattice.origin / step)));
  if (step == width) return {width, origin};
  const Rational middle = (width - step) / 2 + origin, half = step / 2;
  return {width, shortest_between(Rational(middle - half), Rational(middle + half))};
}

Lattice lattice_of(const Bin& bin) { return {bin.width, bin.middle}; }

std::vector<std::string> edge_labels(const std::vector<Rational>& edges, const Reading& reads) {
  std::vector<std::string> labels{"< " + reads.text(edges.front())};
  for (size_t k = 1; k < edges.size(); ++k)
    labels.push_back(fmt::format("{} to < {}", reads.text(edges[k - 1]), reads.text(edges[k])));
  labels.push_back(">= " + reads.text(edges.back()));
  return labels;
}

std::optional<std::pair<int64_t, int64_t>> clip_range(const ColumnShape& column, const Lattice& lattice) {
  if (!column.clip || !column.labels.empty()) return std::nullopt;
  const Shape shape(column, lattice);
  const auto low = clip_end(shape, lattice, column.clip->first, false);
  const auto high = clip_end(shape, lattice, column.clip->second, true);
  // A plan that was written by hand may say anything.
  if (!low || !high || *low > *high || Integer(*high) - *low > kMaxSpan) return std::nullopt;
  return std::pair(*low, *high);
}

bool is_shaped(const ColumnShape& column) {
  return !column.map.empty() || column.clip || column.bin || !column.edges.empty() || !column.rare.empty();
}

bool is_shaped(const Scenario& scenario) {
  return scenario.source && std::any_of(scenario.source->columns.begin(), scenario.source->columns.end(),
                                        [](const ColumnShape& column) { return is_shaped(column); });
}

void check_shape(const ColumnShape& column, const Lattice& lattice, const std::string& place) {
  auto fail = [&](const char* key, const char* what, const char* hint) {
    throw data_error(place + "." + key, what, hint);
  };
  if (column.reads.date && (denominator(lattice.step) != 1 || denominator(lattice.origin) != 1 ||
                            (column.step && denominator(*column.step) != 1)))
    fail("reads", "dates lie on whole units", "give whole numbers of days, weeks, months or years");
  if (column.bin) {
    const Bin& bin = *column.bin;
    if (!column.labels.empty() || !column.edges.empty())
      fail("bin", "categories have no bins", "leave out the bin or the labels");
    if (bin.width <= 0 || bin.middle < 0 || bin.middle >= bin.width)
      fail("bin", "the middle does not lie within the bin",
           "the width is above 0, the middle from 0 to below it");
    if (lattice != lattice_of(bin))
      fail("bin", "the lattice is not that of the bins", "its step is the width, its origin the middle");
    if (column.step && denominator(Rational(bin.width / *column.step)) != 1)
      fail("bin", "the width is not a multiple of the step", "give a multiple, or leave out the step");
  }
  if (!column.edges.empty()) {
    if (!increases(column.edges))
      fail("edges", "the edges do not increase", "write them in order, each once");
    if (column.labels != edge_labels(column.edges, column.reads))
      fail("edges", "the labels are not those of the edges", "calibrate again with --bin-edges");
    if (column.clip || column.step)
      fail("edges", "a clip or a step has no meaning between edges", "leave out the clip and the step");
  }
  if (!column.rare.empty()) {
    if (!column.edges.empty() || column.labels.empty() || column.labels.back() != kRareLabel)
      fail("rare", "there is no label for rare categories", "the last label is \"(rare)\"");
    for (const std::string& label : column.rare) {
      if (std::count(column.labels.begin(), column.labels.end(), label) > 0 ||
          std::count(column.rare.begin(), column.rare.end(), label) > 1)
        fail("rare", "a category is named twice", "each is a label or rare, once");
    }
  }
}

}  // namespace fugu::inline in_scenario
