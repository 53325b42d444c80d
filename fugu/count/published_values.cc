#include "fugu/count/published_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "fugu/core/error.h"
#include "fugu/count/column_texts.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_count {
namespace {

// Which categories have fewer rows than asked for, sorted by bytes.
std::vector<std::string> rare_categories(const CountedColumn& column, uint64_t least) {
  std::vector<std::string> rare;
  for (const Tally::Entry& value : column.values.entries()) {
    if (value.count < least) rare.emplace_back(value.key);
  }
  std::sort(rare.begin(), rare.end());
  if (rare.size() == column.values.size()) {
    throw usage(fmt::format("--merge-rare: every category of {} has fewer than {} rows", column.place, least),
                "leave the column out, or group its categories in the table first; a smaller number helps "
                "only if many people share a text");
  }
  return rare;
}

// The categories in their order: as it is given, as they tell it, or that of their bytes.
std::vector<std::string> ordered_categories(const CountedColumn& column,
                                            const std::vector<std::string>& order) {
  if (!order.empty()) return order;
  std::vector<std::string> labels;
  for (size_t k = 0; k < column.values.size(); ++k) {
    if (column.missing != k) labels.emplace_back(column.values[k].key);
  }
  const bool said = column.kind.has_value();
  const bool may_tell = !said || column.kind->kind == ColumnKind::kOrdered;
  if (auto told = may_tell ? told_order(labels) : std::nullopt) {
    if (column.missing) told->emplace_back(kMissingLabel);
    return *told;
  }
  if (said && column.kind->kind == ColumnKind::kOrdered && labels.size() > 2) {
    throw usage(fmt::format("--kind ordered: the texts of {} do not give an order", column.place),
                "name them in their order: --order low,medium,high");
  }
  if (column.missing) labels.emplace_back(kMissingLabel);
  std::sort(labels.begin(), labels.end());
  return labels;
}

PublishedValues place_categories(const TableName& table, const CountedColumn& column,
                                 const Shaping& shaping) {
  PublishedValues result;
  const uint64_t least = shaping.merge_rare;
  std::vector<std::string>& labels = result.map.labels;
  labels = ordered_categories(column, shaping.order);
  positions_in_order(column.values, labels, "--order", "category", table);
  if (least > 0) {
    std::vector<std::string>& rare = result.map.rare;
    rare = rare_categories(column, least);
    for (const Tally::Entry& value : column.values.entries()) {
      if (value.key == kRareLabel) {
        throw usage(fmt::format("--merge-rare: {}: {}: a category is called {} already", table.file,
                                table.row(value.line), kRareLabel),
                    "rename it, or leave out --merge-rare");
      }
    }
    std::erase_if(labels, [&](const std::string& label) {
      return std::binary_search(rare.begin(), rare.end(), label);
    });
    if (!rare.empty()) labels.emplace_back(kRareLabel);
  }
  const Shape shape(result.map, result.lattice);
  ShapingEffect effect;
  for (const Tally::Entry& value : column.values.entries()) {
    result.index.push_back(shape.index(value.key).value());
    effect.rows += value.count;
    if (value.count < least) effect.rows_changed += value.count;
  }
  if (least == 0) return result;
  effect.steps.push_back({fmt::format("--merge-rare {}", least), effect.rows_changed});
  result.effect = std::move(effect);
  return result;
}

// For numbers that no sensible lattice holds: nothing that is computed from them, because errors are logged.
std::string resolution_hint(const std::vector<Rational>& numbers) {
  if (std::all_of(numbers.begin(), numbers.end(), [](const Rational& x) { return denominator(x) == 1; })) {
    return "limit the range with --clip LO:HI, or give a coarser --step, for example --step 1000";
  }
  return "give the resolution you need with --step, for example --step 0.01, or use bins, for example --bin "
         "10";
}

// The digits that enough people's numbers have, as a step: the greatest power of ten, at most the first that
// is no less than the width, of which only the numbers of too few people to be told are no multiples. The
// middles of bins are published, so nobody moves them by digits of their own.
Rational shared_digits(const std::vector<Rational>& numbers, const CountedColumn& column,
                       const Rational& width) {
  const uint64_t least = kPublishMin * column.rows_per_person;
  auto is_shared = [&](const Rational& step) {
    uint64_t others = 0;
    for (size_t k = 0; k < numbers.size() && others < least; ++k)
      if (denominator(Rational(numbers[k] / step)) != 1) others += column.values[k].count;
    return others < least;
  };
  Rational step(1);
  while (!is_shared(step)) step /= 10;  // they are decimals
  while (step < width && is_shared(Rational(step * 10))) step *= 10;
  return step;
}

// Of numbers that are to be put into bins, the lattice that enough people share: all of one place in their
// bins but too few to be told, or the shared digits.
Lattice shared_lattice(const std::vector<Rational>& numbers, const CountedColumn& column,
                       const Rational& width) {
  const uint64_t least = kPublishMin * column.rows_per_person;
  std::map<Rational, uint64_t> places;
  uint64_t all = 0;
  for (size_t k = 0; k < numbers.size(); ++k) {
    places[Rational(numbers[k] - width * Rational(floor(Rational(numbers[k] / width))))] +=
        column.values[k].count;
    all += column.values[k].count;
  }
  for (const auto& [place, people] : places)
    if (people >= least && all - people < least) return {width, place};
  return {shared_digits(numbers, column, width), Rational(0)};
}

// Where the numbers come to lie, before they are moved there.
Lattice lattice_of(const std::vector<Rational>& numbers, const Shaping& shaping, ColumnShape& map,
                   const CountedColumn& column, const std::string& place) {
  if (!map.edges.empty()) return {};
  std::vector<Rational> held = numbers;
  if (map.clip) {
    for (Rational& number : held) number = std::clamp(number, map.clip->first, map.clip->second);
  }
  try {
    if (shaping.bin) {
      map.bin = bin_of(*shaping.bin, map.step ? Lattice{*map.step, Rational(0)}
                                              : shared_lattice(held, column, *shaping.bin));
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

// The owner's bound among the column's numbers.
Rational bound_of(const Bound& bound, const Reading& reads, const char* flag, const std::string& place) {
  const Day* day = std::get_if<Day>(&bound);
  if (reads.date.has_value() == (day != nullptr))
    return day ? Rational(unit_of_day(day->since_1970, reads.date->unit)) : std::get<Rational>(bound);
  throw reads.date ? usage(fmt::format("{}: {} holds dates", flag, place), "give dates, as in 2024-03-31")
                   : usage(fmt::format("{}: {} holds numbers, not dates", flag, place), "give numbers");
}

// Days, weeks, months and years have no halves.
void check_whole_units(const Shaping& shaping, const std::string& place) {
  for (const auto& [width, flag] : {std::pair{shaping.step, "--step"}, std::pair{shaping.bin, "--bin"}}) {
    if (width && denominator(*width) != 1)
      throw usage(fmt::format("{}: {} holds dates, which are counted in whole units", flag, place),
                  "give a whole number; --date-unit says of what");
  }
}

void set_map(const CountedColumn& column, const ColumnTexts& texts, const Shaping& shaping,
             ColumnShape& map) {
  map.reads = texts.reads;
  if (texts.reads.date) check_whole_units(shaping, column.place);
  map.step = shaping.step;
  auto bound = [&](const Bound& end, const char* flag) {
    return bound_of(end, texts.reads, flag, column.place);
  };
  if (shaping.clip) map.clip = {bound(shaping.clip->first, "--clip"), bound(shaping.clip->second, "--clip")};
  for (const Bound& edge : shaping.edges) map.edges.push_back(bound(edge, "--bin-edges"));
  if (!std::is_sorted(map.edges.begin(), map.edges.end(), std::less_equal<>()))
    throw usage("--bin-edges: two edges lie in the same unit", "give a finer --date-unit, or fewer edges");
  if (!map.edges.empty()) map.labels = edge_labels(map.edges, map.reads);
}

PublishedValues place_numbers(const TableName& table, const CountedColumn& column, const ColumnTexts& texts,
                              const Shaping& shaping) {
  std::string place = fmt::format("{}: {}", table.file, column.place);
  if (column.missing) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--missing keep: {}: {}, {}: a missing value has no place among {}", table.file,
                            table.row(column.values[*column.missing].line), column.place,
                            texts.reads.date ? "dates" : "numbers"),
                "use --missing drop, or --order to treat the column as categories");
  }
  auto out_of_range = [&](uint64_t line) {
    return Error(ErrorKind::kData,
                 fmt::format("{}: {}, {}: the number is too large or too fine", table.file, table.row(line),
                             column.place),
                 "correct it, or name it as missing with --na");
  };
  if (texts.first_out_of_range != 0) throw out_of_range(texts.first_out_of_range);
  const std::vector<Rational>& numbers = texts.numbers;
  PublishedValues result;
  set_map(column, texts, shaping, result.map);
  result.lattice = lattice_of(numbers, shaping, result.map, column, place);
  const auto& clip = result.map.clip;
  if (clip && (clip->second - clip->first) / result.lattice.step > kMaxSpan) {
    throw usage("--clip: the range is more than 2^40 steps of the values' lattice",
                "give a range near the values in the table");
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

// What is asked of this very column, and does not go with what it holds.
void check_suits(const Shaping& own, const CountedColumn& column, const ColumnTexts& texts) {
  auto misplaced = [&](bool given, const char* flag, const char* what, const char* hint) {
    if (given) throw usage(fmt::format("{}: {} holds {}", flag, column.place, what), hint);
  };
  if (!texts.categorical) {
    misplaced(own.merge_rare > 0, "--merge-rare",
              texts.reads.date ? "dates, not categories" : "numbers, not categories",
              "use --clip, --bin or --bin-edges");
    misplaced(own.unit && !texts.reads.date, "--date-unit", "numbers, not dates", "leave it out");
    return;
  }
  constexpr const char* kCategories = "categories, not numbers";
  misplaced(own.step.has_value(), "--step", kCategories, "leave --step out");
  misplaced(own.numeric_flag() != nullptr, own.numeric_flag(), kCategories,
            "leave it out; --merge-rare N merges categories");
  misplaced(own.unit.has_value(), "--date-unit", "categories, not dates",
            "leave it out, or say by --kind that it holds dates");
}

PublishedValues place_read(const TableName& table, const CountedColumn& column, const Shaping& own,
                           const Shaping& common) {
  const ColumnTexts texts = read_column(table, column, own.with(common));
  check_suits(own, column, texts);
  const bool dates = texts.reads.date.has_value();
  const Shaping shaping = own.with(texts.categorical ? common.for_categories() : common.for_numbers(dates));
  return texts.categorical ? place_categories(table, column, shaping)
                           : place_numbers(table, column, texts, shaping);
}

// The column as it is after the map, and which of its values each of the texts became.
struct MappedColumn {
  CountedColumn column;
  std::vector<size_t> became;
  uint64_t rows_changed = 0;
};

MappedColumn map_column(const TableName& table, const CountedColumn& column, const TextMap& map) {
  ColumnShape alone;
  alone.map = map;
  const Shape shape(alone, {});
  MappedColumn mapped{.column = {.name = column.name,
                                 .place = column.place,
                                 .kind = column.kind,
                                 .rows_per_person = column.rows_per_person},
                      .became = {}};
  for (size_t k = 0; k < column.values.size(); ++k) {
    const Tally::Entry& value = column.values[k];
    const bool missing = column.missing == k;
    const auto text = missing ? std::optional<std::string_view>(value.key) : shape.mapped(value.key);
    if (!text) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: {}, {}: the map does not list this text", table.file,
                              table.row(value.line), column.place),
                  "add it to the map, or merge everything that is not listed with --map-rest NAME");
    }
    mapped.became.push_back(mapped.column.values.add(*text, value.line, value.count));
    if (missing) mapped.column.missing = mapped.became.back();
    if (*text != value.key) mapped.rows_changed += value.count;
  }
  return mapped;
}

}  // namespace

PublishedValues place_published(const TableName& table, const CountedColumn& column, const Shaping& own,
                                const Shaping& common) {
  check_shaping(own);
  if (own.map.empty()) return place_read(table, column, own, common);
  const MappedColumn mapped = map_column(table, column, own.map);
  PublishedValues result = place_read(table, mapped.column, own, common);
  std::vector<int64_t> index;
  for (size_t value : mapped.became) index.push_back(result.index[value]);
  result.index = std::move(index);
  result.map.map = own.map;
  ShapingEffect& effect = result.effect;
  effect.steps.insert(effect.steps.begin(), {"--map", mapped.rows_changed, std::nullopt});
  effect.rows = 0;
  for (const Tally::Entry& value : column.values.entries()) effect.rows += value.count;
  effect.rows_changed = std::max(effect.rows_changed, mapped.rows_changed);
  return result;
}

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

}  // namespace fugu::inline in_count
