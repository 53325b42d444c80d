#include "fugu/models/published_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "fugu/core/error.h"

namespace fugu {
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

PublishedValues place_categories(const std::string& file, const CountedColumn& column,
                                 const std::vector<std::string>& order) {
  PublishedValues result;
  result.labels = order;
  if (order.empty()) {
    for (const Tally::Entry& value : column.values.entries()) result.labels.emplace_back(value.key);
    std::sort(result.labels.begin(), result.labels.end());
  }
  for (size_t position : positions_in_order(column.values, result.labels, "--order", "category", file)) {
    result.index.push_back(static_cast<int64_t>(position) + 1);
  }
  return result;
}

PublishedValues place_numbers(const std::string& file, const CountedColumn& column, const Reading& reading,
                              const std::optional<Rational>& step) {
  std::string place = fmt::format("{}: {}", file, column.place);
  if (column.missing) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--missing keep: {}: line {}, {}: a missing value has no place among numbers",
                            file, column.values[*column.missing].line, column.place),
                "use --missing drop, or --order to treat the column as categories");
  }
  auto out_of_range = [&](uint64_t line) {
    return Error(
        ErrorKind::kData,
        fmt::format("{}: line {}, {}: the number is too large or too fine", file, line, column.place),
        "correct it, or name it as missing with --na");
  };
  if (reading.first_out_of_range != 0) throw out_of_range(reading.first_out_of_range);
  const std::vector<Rational>& numbers = reading.numbers;
  PublishedValues result;
  try {
    if (step) {
      result.lattice.step = *step;
      check_span(result.lattice, numbers);
    } else {
      result.lattice = coarsest_lattice(numbers);
    }
  } catch (const Error& error) {
    throw error.at(place);
  }
  for (size_t k = 0; k < numbers.size(); ++k) {
    auto index = step ? result.lattice.nearest(numbers[k]) : result.lattice.index(numbers[k]);
    if (!index) throw out_of_range(column.values[k].line);
    result.index.push_back(*index);
  }
  return result;
}

}  // namespace

std::vector<size_t> positions_in_order(const Tally& tally, const std::vector<std::string>& order,
                                       const std::string& option, const std::string& what,
                                       const std::string& file) {
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
                  fmt::format("{}: the order does not hold every {}; {}: line {} has another", option, what,
                              file, entry.line),
                  fmt::format("name every {} of the column, also {} where missing fields are kept", what,
                              kMissingLabel));
    }
    result.push_back(found->second);
  }
  return result;
}

bool holds_categories(const CountedColumn& column) { return read_numbers(column).number_rows == 0; }

PublishedValues place_published(const std::string& file, const CountedColumn& column,
                                const std::vector<std::string>& order, const std::optional<Rational>& step) {
  if (step && *step <= 0) {
    throw Error(ErrorKind::kUsage, "--step: the step must be greater than 0", "for example --step 0.01");
  }
  Reading reading;
  if (order.empty()) reading = read_numbers(column);
  if (reading.number_rows > 0 && reading.text_rows > 0) {
    bool text_is_rare = reading.text_rows <= reading.number_rows;
    throw Error(ErrorKind::kData,
                fmt::format("{}: {} mixes numbers and text; line {} is the first with {}", file, column.place,
                            text_is_rare ? reading.first_text : reading.first_number,
                            text_is_rare ? "text" : "a number"),
                "name missing codes with --na, or treat the column as categories with --order");
  }
  if (reading.number_rows > 0) return place_numbers(file, column, reading, step);
  if (step) {
    throw Error(ErrorKind::kUsage, fmt::format("--step: {} holds categories, not numbers", column.place),
                "leave --step out");
  }
  return place_categories(file, column, order);
}

}  // namespace fugu
