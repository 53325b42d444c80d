#include "fugu/count/shaping.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "fugu/core/error.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_count {
namespace {

// Of a number and a day it is said when it is known what the column holds.
bool in_order(const Bound& low, const Bound& high) { return low.index() != high.index() || low <= high; }

// Follows the numbers through the map, part by part.
class Measured {
 public:
  Measured(const CountedColumn& column, const std::vector<Rational>& numbers)
      : column_(column), numbers_(numbers), now_(numbers) {
    for (const Tally::Entry& value : column.values.entries()) effect_.rows += value.count;
  }

  template <class Move>
  void step(std::string flag, Move move) {
    const std::vector<Rational> before = now_;
    for (Rational& number : now_) number = move(number);
    const auto [rows, square] = change_since(before);
    effect_.steps.push_back({std::move(flag), rows, square});
  }

  // Numbers that became categories have no error in units of the data.
  ShapingEffect into_categories(std::string flag) {
    effect_.steps.push_back({std::move(flag), effect_.rows, std::nullopt});
    effect_.rows_changed = effect_.rows;
    return effect_;
  }

  ShapingEffect all() {
    std::tie(effect_.rows_changed, effect_.mean_square) = change_since(numbers_);
    return effect_;
  }

 private:
  std::pair<uint64_t, Rational> change_since(const std::vector<Rational>& before) const {
    uint64_t rows = 0;
    Rational sum(0);
    for (size_t k = 0; k < now_.size(); ++k) {
      const Rational change = now_[k] - before[k];
      if (change == 0) continue;
      rows += column_.values[k].count;
      sum += change * change * column_.values[k].count;
    }
    return {rows, Rational(sum / effect_.rows)};
  }

  const CountedColumn& column_;
  const std::vector<Rational>& numbers_;
  std::vector<Rational> now_;
  ShapingEffect effect_;
};

}  // namespace

ShapingEffect effect_of(const ColumnShape& map, const Lattice& lattice, const CountedColumn& column,
                        const std::vector<Rational>& numbers) {
  Measured measured(column, numbers);
  if (!map.edges.empty()) {
    std::vector<std::string> edges;
    for (const Rational& edge : map.edges) edges.push_back(map.reads.text(edge));
    return measured.into_categories(fmt::format("--bin-edges {}", fmt::join(edges, ",")));
  }
  if (map.clip) {
    measured.step(
        fmt::format("--clip {}:{}", map.reads.text(map.clip->first), map.reads.text(map.clip->second)),
        [&](const Rational& x) { return std::clamp(x, map.clip->first, map.clip->second); });
  }
  auto onto = [&](std::string flag, const Lattice& points, auto part) {
    ColumnShape alone;
    part(alone);
    const Shape shape(alone, points);
    measured.step(std::move(flag), [&](const Rational& x) { return points.value(shape.index(x).value()); });
  };
  if (map.step) {
    onto("--step " + to_text(*map.step), {*map.step, Rational(0)},
         [&](ColumnShape& alone) { alone.step = map.step; });
  }
  if (map.bin)
    onto("--bin " + to_text(map.bin->width), lattice, [&](ColumnShape& alone) { alone.bin = map.bin; });
  return measured.all();
}

std::optional<Bound> parse_bound(std::string_view text) {
  if (const auto number = parse_number(text)) return *number;
  for (DateForm form : {DateForm::kIso, DateForm::kDotted}) {
    if (const auto day = parse_date(text, form)) return Day{*day};
  }
  return std::nullopt;
}

const char* Shaping::numeric_flag() const {
  return clip ? "--clip" : bin ? "--bin" : !edges.empty() ? "--bin-edges" : step ? "--step" : nullptr;
}

Shaping Shaping::with(const Shaping& common) const {
  Shaping all = *this;
  if (all.order.empty()) all.order = common.order;
  if (all.map.empty()) all.map = common.map;
  if (!all.unit) all.unit = common.unit;
  if (!all.step) all.step = common.step;
  if (!all.clip) all.clip = common.clip;
  if (!all.bin) all.bin = common.bin;
  if (all.edges.empty()) all.edges = common.edges;
  if (all.merge_rare == 0) all.merge_rare = common.merge_rare;
  return all;
}

Shaping Shaping::reading_alone() const { return {.order = order, .map = map, .unit = unit}; }

Shaping Shaping::for_categories() const { return {.order = order, .map = map, .merge_rare = merge_rare}; }

Shaping Shaping::for_numbers(bool dates) const {
  Shaping result = *this;
  result.merge_rare = 0;
  result.order.clear();
  if (!dates) result.unit.reset();
  auto suits = [&](const Bound& bound) { return std::holds_alternative<Day>(bound) == dates; };
  if (clip && !(suits(clip->first) && suits(clip->second))) result.clip.reset();
  if (!std::all_of(edges.begin(), edges.end(), suits)) result.edges.clear();
  return result;
}

void check_shaping(const Shaping& shaping) {
  const char* numeric = shaping.clip             ? "--clip"
                        : shaping.bin            ? "--bin"
                        : !shaping.edges.empty() ? "--bin-edges"
                                                 : nullptr;
  if (shaping.step && *shaping.step <= 0) {
    throw usage("--step: the step must be greater than 0", "for example --step 0.01");
  }
  if (shaping.bin && *shaping.bin <= 0)
    throw usage("--bin: the width must be greater than 0", "for example --bin 5");
  if (shaping.clip && !in_order(shaping.clip->first, shaping.clip->second))
    throw usage("--clip: the first number is above the second", "for example --clip 20:70");
  if (numeric && !shaping.order.empty()) {
    throw usage(fmt::format("{}: --order makes the column categorical", numeric),
                fmt::format("leave out --order or {}", numeric));
  }
  if (numeric && shaping.merge_rare > 0) {
    throw usage(fmt::format("{}: this is for numbers, --merge-rare is for categories", numeric),
                "give one of them");
  }
  if (shaping.merge_rare > 0 && shaping.step)
    throw usage("--merge-rare: this is for categories, --step is for numbers", "give one of them");
  if (!shaping.edges.empty()) {
    if (shaping.bin || shaping.step || shaping.clip) {
      throw usage(fmt::format("--bin-edges: {} cannot be used with edges", shaping.bin    ? "--bin"
                                                                           : shaping.step ? "--step"
                                                                                          : "--clip"),
                  "give only the edges: the first and the last bin are open");
    }
    auto falls = [](const Bound& a, const Bound& b) { return !in_order(a, b) || a == b; };
    if (std::adjacent_find(shaping.edges.begin(), shaping.edges.end(), falls) != shaping.edges.end())
      throw usage("--bin-edges: the edges do not increase", "for example --bin-edges 18,30,65");
  }
  if (shaping.bin && shaping.step && denominator(Rational(*shaping.bin / *shaping.step)) != 1) {
    throw usage("--bin: the width is not a multiple of --step", "give a multiple, or leave out --step");
  }
}

}  // namespace fugu::inline in_count
