#include "fugu/count/published_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "fugu/core/error.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_count {
namespace {

// The values as numbers, and which rows hold numbers and which text. Lines count from 1; 0 is none.
struct Reading {
  std::vector<Rational> numbers;  // by value; 0 for what is not a number within range
  uint64_t number_rows = 0;
  uint64_t text_rows = 0;
  uint64_t first_number = 0;
  uint64_t first_text = 0;
  uint64_t first_out_of_range = 0;
};

Reading read_numbers(const CountedColumn& column) {
  Reading reading;
  reading.numbers.resize(column.values.size());
  auto note = [](uint64_t& first, uint64_t line) { first = first == 0 ? line : first; };
  for (size_t k = 0; k < column.values.size(); ++k) {
    const Tally::Entry& value = column.values[k];
    if (column.missing == k) continue;
    auto number = parse_decimal(value.key);
    if (number) {
      reading.numbers[k] = *number;
    } else if (looks_like_decimal(value.key)) {
      note(reading.first_out_of_range, value.line);
    } else {
      reading.text_rows += value.count;
      note(reading.first_text, value.line);
      continue;
    }
    reading.number_rows += value.count;
    note(reading.first_number, value.line);
  }
  return reading;
}

// Which categories have fewer rows than asked for, sorted by bytes.
std::vector<std::string> rare_categories(const CountedColumn& column, uint64_t least) {
  std::vector<std::string> rare;
  for (const Tally::Entry& value : column.values.entries()) {
    if (value.count < least) rare.emplace_back(value.key);
  }
  std::sort(rare.begin(), rare.end());
  if (rare.size() == column.values.size()) {
    throw usage(fmt::format("--merge-rare: every category of {} has fewer than {} rows", column.place, least),
                "leave the column out, or make a few categories of it in the table first; a smaller number "
                "helps only where many people share a text");
  }
  return rare;
}

PublishedValues merge_rare(const TableName& table, const CountedColumn& column, uint64_t least) {
  PublishedValues result;
  result.map.rare = rare_categories(column, least);
  const auto& rare = result.map.rare;
  for (const Tally::Entry& value : column.values.entries()) {
    if (value.key == kRareLabel) {
      throw usage(fmt::format("--merge-rare: {}: {}: a category is called {} already", table.file,
                              table.row(value.line), kRareLabel),
                  "rename it, or leave out --merge-rare");
    }
    const std::string label(value.key);
    if (!std::binary_search(rare.begin(), rare.end(), label)) result.map.labels.push_back(label);
  }
  std::sort(result.map.labels.begin(), result.map.labels.end());
  if (!rare.empty()) result.map.labels.emplace_back(kRareLabel);
  const Shape shape(result.map, result.lattice);
  ShapingEffect& effect = result.effect;
  for (const Tally::Entry& value : column.values.entries()) {
    result.index.push_back(shape.index(value.key).value());
    effect.rows += value.count;
    if (value.count < least) effect.rows_changed += value.count;
  }
  effect.steps.push_back({fmt::format("--merge-rare {}", least), effect.rows_changed});
  return result;
}

PublishedValues place_categories(const TableName& table, const CountedColumn& column,
                                 const std::vector<std::string>& order) {
  PublishedValues result;
  result.map.labels = order;
  if (order.empty()) {
    for (const Tally::Entry& value : column.values.entries()) result.map.labels.emplace_back(value.key);
    std::sort(result.map.labels.begin(), result.map.labels.end());
  }
  for (size_t position : positions_in_order(column.values, result.map.labels, "--order", "category", table)) {
    result.index.push_back(static_cast<int64_t>(position) + 1);
  }
  return result;
}

// 1, 2 or 5 times a power of ten, the largest that is at most `value`. Precondition: value > 0.
Rational round_number(const Rational& value) {
  Rational power(1);
  while (power > value) power /= 10;
  while (power * 10 <= value) power *= 10;
  return power * (power * 5 <= value ? 5 : power * 2 <= value ? 2 : 1);
}

// For numbers that no sensible lattice holds: they are told apart to a thousandth of their span, or put into
// some twenty bins.
std::string resolution_hint(const std::vector<Rational>& numbers) {
  if (std::all_of(numbers.begin(), numbers.end(), [](const Rational& x) { return denominator(x) == 1; })) {
    return "hold the farthest with --clip LO:HI, or give --step with a coarser resolution, for example "
           "--step "
           "1000";
  }
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  const Rational span = *high - *low;
  return fmt::format(
      "give --step with the resolution that you mean, for example --step {}, or bins: --bin {}",
      short_text(round_number(Rational(span / 1000))), short_text(round_number(Rational(span / 20))));
}

// Where the numbers come to lie, before they are moved there.
Lattice lattice_of(const std::vector<Rational>& numbers, const Shaping& shaping, Source& map,
                   const std::string& place) {
  if (!map.edges.empty()) return {};
  std::vector<Rational> held = numbers;
  if (map.clip) {
    for (Rational& number : held) number = std::clamp(number, map.clip->first, map.clip->second);
  }
  try {
    if (shaping.bin) {
      std::optional<Lattice> own;
      try {
        own = map.step ? Lattice{*map.step, Rational(0)} : coarsest_lattice(held);
      } catch (const Error&) {
        // Absurdly fine: the bin's middle is half way.
      }
      map.bin = bin_of(*shaping.bin, own);
      check_span(lattice_of(*map.bin), held);
      return lattice_of(*map.bin);
    }
    if (!map.step) return coarsest_lattice(held);
    Lattice lattice{*map.step, Rational(0)};
    check_span(lattice, held);
    return lattice;
  } catch (const Error& error) {
    throw Error(error.kind(), error.at(place).message(), resolution_hint(held));
  }
}

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

// Each part by itself is a map of its own.
ShapingEffect effect_of(const Source& map, const Lattice& lattice, const CountedColumn& column,
                        const std::vector<Rational>& numbers) {
  Measured measured(column, numbers);
  if (!map.edges.empty()) {
    std::vector<std::string> edges;
    for (const Rational& edge : map.edges) edges.push_back(to_text(edge));
    return measured.into_categories(fmt::format("--bin-edges {}", fmt::join(edges, ",")));
  }
  if (map.clip) {
    measured.step(fmt::format("--clip {}:{}", to_text(map.clip->first), to_text(map.clip->second)),
                  [&](const Rational& x) { return std::clamp(x, map.clip->first, map.clip->second); });
  }
  auto onto = [&](std::string flag, const Lattice& points, auto part) {
    Source alone;
    part(alone);
    const Shape shape(alone, points);
    measured.step(std::move(flag), [&](const Rational& x) { return points.value(shape.index(x).value()); });
  };
  if (map.step) {
    onto("--step " + to_text(*map.step), {*map.step, Rational(0)},
         [&](Source& alone) { alone.step = map.step; });
  }
  if (map.bin) onto("--bin " + to_text(map.bin->width), lattice, [&](Source& alone) { alone.bin = map.bin; });
  return measured.all();
}

PublishedValues place_numbers(const TableName& table, const CountedColumn& column, const Reading& reading,
                              const Shaping& shaping) {
  std::string place = fmt::format("{}: {}", table.file, column.place);
  if (column.missing) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--missing keep: {}: {}, {}: a missing value has no place among numbers",
                            table.file, table.row(column.values[*column.missing].line), column.place),
                "use --missing drop, or --order to treat the column as categories");
  }
  auto out_of_range = [&](uint64_t line) {
    return Error(ErrorKind::kData,
                 fmt::format("{}: {}, {}: the number is too large or too fine", table.file, table.row(line),
                             column.place),
                 "correct it, or name it as missing with --na");
  };
  if (reading.first_out_of_range != 0) throw out_of_range(reading.first_out_of_range);
  const std::vector<Rational>& numbers = reading.numbers;
  PublishedValues result;
  result.map.step = shaping.step;
  result.map.clip = shaping.clip;
  result.map.edges = shaping.edges;
  if (!shaping.edges.empty()) result.map.labels = edge_labels(shaping.edges);
  result.lattice = lattice_of(numbers, shaping, result.map, place);
  if (shaping.clip && (shaping.clip->second - shaping.clip->first) / result.lattice.step > kMaxSpan) {
    throw usage(
        fmt::format("--clip: the range is more than 2^40 steps of {}", short_text(result.lattice.step)),
        "give a range near the values that there are");
  }
  const Shape shape(result.map, result.lattice);
  for (size_t k = 0; k < numbers.size(); ++k) {
    auto index = shape.index(numbers[k]);
    if (!index) throw out_of_range(column.values[k].line);
    result.index.push_back(*index);
  }
  if (shaping.shapes() || shaping.step)
    result.effect = effect_of(result.map, result.lattice, column, numbers);
  return result;
}

}  // namespace

std::vector<size_t> positions_in_order(const Tally& tally, const std::vector<std::string>& order,
                                       const std::string& option, const std::string& what,
                                       const TableName& table) {
  std::unordered_map<std::string_view, size_t> positions;
  for (size_t k = 0; k < order.size(); ++k) {
    if (!positions.emplace(order[k], k).second) {
      throw Error(ErrorKind::kUsage, fmt::format("{}: '{}' is named twice", option, order[k]),
                  "name each once");
    }
  }
  std::vector<size_t> result;
  for (const Tally::Entry& entry : tally.entries()) {
    auto found = positions.find(entry.key);
    if (found == positions.end()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: the order does not hold every {}; {}: {} has another", option, what,
                              table.file, table.row(entry.line)),
                  fmt::format("name every {} of the column, also {} where missing fields are kept", what,
                              kMissingLabel));
    }
    result.push_back(found->second);
  }
  return result;
}

bool holds_categories(const CountedColumn& column) { return read_numbers(column).number_rows == 0; }

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
  if (shaping.clip && shaping.clip->first > shaping.clip->second)
    throw usage("--clip: the first number is above the second", "for example --clip 20:70");
  if (numeric && !shaping.order.empty()) {
    throw usage(fmt::format("{}: --order makes the column categorical", numeric),
                fmt::format("leave out --order or {}", numeric));
  }
  if (numeric && shaping.merge_rare > 0) {
    throw usage(fmt::format("{}: this is for numbers, and --merge-rare for categories", numeric),
                "give one of them");
  }
  if (shaping.merge_rare > 0 && !shaping.order.empty()) {
    throw usage("--merge-rare: the order names categories that are merged",
                "leave out --order: the others are ordered by their bytes, the rare ones come last");
  }
  if (shaping.merge_rare > 0 && shaping.step)
    throw usage("--merge-rare: this is for categories, and --step for numbers", "give one of them");
  if (!shaping.edges.empty()) {
    if (shaping.bin || shaping.step || shaping.clip) {
      throw usage(fmt::format("--bin-edges: {} has no meaning with edges", shaping.bin    ? "--bin"
                                                                           : shaping.step ? "--step"
                                                                                          : "--clip"),
                  "give the edges alone: the first and the last bin are open");
    }
    if (std::adjacent_find(shaping.edges.begin(), shaping.edges.end(), std::greater_equal<>()) !=
        shaping.edges.end())
      throw usage("--bin-edges: the edges do not increase", "for example --bin-edges 18,30,65");
  }
  if (shaping.bin && shaping.step && denominator(Rational(*shaping.bin / *shaping.step)) != 1) {
    throw usage("--bin: the width is not a multiple of --step", "give a multiple, or leave out --step");
  }
}

PublishedValues place_published(const TableName& table, const CountedColumn& column, const Shaping& shaping) {
  check_shaping(shaping);
  Reading reading;
  const bool categories = column.kind && *column.kind != ColumnKind::kNumber;
  if (shaping.order.empty() && !categories) reading = read_numbers(column);
  if (reading.number_rows > 0 && reading.text_rows > 0) {
    bool text_is_rare = reading.text_rows <= reading.number_rows;
    throw Error(ErrorKind::kData,
                fmt::format("{}: {} mixes numbers and text; {} is the first with {}", table.file,
                            column.place, table.row(text_is_rare ? reading.first_text : reading.first_number),
                            text_is_rare ? "text" : "a number"),
                "name what means missing with --na, or say that the column holds codes or categories: "
                "--kind COL=code; --order names them in an order of your own");
  }
  const bool shaped_as_numbers = shaping.step || shaping.clip || shaping.bin || !shaping.edges.empty();
  if (reading.number_rows > 0 && !column.kind && !shaped_as_numbers) {
    std::vector<std::string_view> texts;
    for (const Tally::Entry& value : column.values.entries()) texts.push_back(value.key);
    if (const std::string sign = sign_of_a_code(column.name, texts); !sign.empty()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: {} may hold a code and no numbers: {}", table.file, column.place, sign),
                  "say which it is: --kind COL=code, which is released as categories, or --kind COL=number");
    }
  }
  if (column.kind == ColumnKind::kNumber && reading.text_rows > 0) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: {} holds no numbers; {} is the first with text", table.file, column.place,
                            table.row(reading.first_text)),
                "leave out --kind, or name what means missing with --na");
  }
  auto misplaced = [&](bool given, const char* flag, const char* what, const char* hint) {
    if (given) throw usage(fmt::format("{}: {} holds {}", flag, column.place, what), hint);
  };
  if (reading.number_rows > 0) {
    misplaced(shaping.merge_rare > 0, "--merge-rare", "numbers, not categories",
              "use --clip, --bin or --bin-edges");
    return place_numbers(table, column, reading, shaping);
  }
  constexpr const char* kCategories = "categories, not numbers";
  misplaced(shaping.step.has_value(), "--step", kCategories, "leave --step out");
  misplaced(shaping.clip.has_value(), "--clip", kCategories,
            "leave it out; --merge-rare N merges categories");
  misplaced(shaping.bin.has_value(), "--bin", kCategories, "leave it out; --merge-rare N merges categories");
  misplaced(!shaping.edges.empty(), "--bin-edges", kCategories,
            "leave it out; --merge-rare N merges categories");
  return shaping.merge_rare > 0 ? merge_rare(table, column, shaping.merge_rare)
                                : place_categories(table, column, shaping.order);
}

}  // namespace fugu::inline in_count
