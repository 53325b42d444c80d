#include "fugu/models/crowd_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "fugu/core/error.h"
#include "fugu/core/utf8.h"
#include "fugu/csv/chunk_scan.h"

namespace fugu::inline in_models {
namespace {

constexpr size_t kMostUsersOfATable = 10'000'000, kMostLetters = 1000;

Error bad_row(const std::string& place, uint64_t line, const std::string& what, const std::string& hint) {
  return Error(ErrorKind::kData, fmt::format("{}: line {}: {}", place, line, what), hint);
}

void check_letters(const std::vector<std::string>& letters) {
  if (!std::all_of(letters.begin(), letters.end(), [](const std::string& letter) { return is_utf8(letter); }))
    throw usage("--letters: a letter is not UTF-8", "write the letters in UTF-8");
  const std::set<std::string> different(letters.begin(), letters.end());
  if (letters.size() < 2 || different.size() != letters.size() || different.contains(kAbsentLetter) ||
      different.contains("")) {
    throw usage("--letters: there must be two letters at least, all different, none empty and none 'absent'",
                "for example --letters no,yes");
  }
}

Lattice lattice_of(const std::vector<Rational>& values) {
  try {
    return coarsest_lattice(values);
  } catch (const Error& error) {
    throw Error(error.kind(), "--values: " + error.message(), "give values with fewer digits");
  }
}

// A row of several columns: probabilities with a sum of 1, or whole counts.
void check_sum(const std::vector<Rational>& row, uint64_t line, const std::string& place) {
  Rational sum(0);
  bool whole = true;
  for (const Rational& mass : row) {
    sum += mass;
    whole = whole && denominator(mass) == 1;
  }
  if (sum == 0) throw bad_row(place, line, "all probabilities are 0", "give some letter a probability");
  if (!whole && abs(Rational(sum - 1)) > Rational(1, 1'000'000)) {
    throw bad_row(place, line, "the probabilities do not add up to 1",
                  "give probabilities with a sum of 1, or whole counts");
  }
}

// Whether a first line names its columns: none of its fields is a number, or looks like one.
bool is_header(const Field* fields, size_t columns) {
  for (size_t k = 0; k < columns; ++k) {
    std::string text(fields[k].text);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    const bool number =
        text.empty() || std::string_view("0123456789+-.").find(text[0]) != std::string_view::npos;
    // One column is called as anybody likes; letters may be digits ("0", "1").
    if (columns == 1 ? number : number && !parse_number(text)) return false;
    if (text == "nan" || text == "inf" || text == "infinity" || text == "na" || text == "n/a" ||
        text == "null")
      return false;
  }
  return !parse_number(fields[0].text).has_value();
}

}  // namespace

UserTable read_user_table(const std::string& path) {
  ChunkReader reader(path, {.header = false});
  const std::string& file = reader.head().file;
  const size_t columns = reader.head().columns;
  if (columns > kMostLetters)
    throw Error(ErrorKind::kData, fmt::format("{}: there are more than {} columns", file, kMostLetters),
                "give one column for each letter of a small alphabet");
  std::vector<size_t> wanted(columns);
  for (size_t k = 0; k < columns; ++k) wanted[k] = k;
  ChunkScanner scanner(reader.layout(wanted));
  UserTable table;
  bool first = true;
  auto visit = [&](const Field* fields, uint64_t line, std::string_view) {
    std::vector<Rational> row;
    for (size_t k = 0; k < columns; ++k) {
      auto number = parse_number(fields[k].text);
      if (number) {
        row.push_back(std::move(*number));
        continue;
      }
      if (!first || k > 0 || !is_header(fields, columns)) {
        throw bad_row(file, line, fmt::format("column {} is not a number", k + 1),
                      "write decimals such as 0.25, or fractions such as 1/4");
      }
      for (size_t name = 0; name < columns; ++name) {
        if (!is_utf8(fields[name].text))
          throw bad_row(file, line, "the header is not UTF-8", "save it as UTF-8");
        table.header.emplace_back(fields[name].text);
      }
      first = false;
      return;
    }
    first = false;
    if (table.rows.size() == kMostUsersOfATable)
      throw bad_row(file, line, "there are more than 10,000,000 users", "give fewer");
    table.rows.push_back(std::move(row));
    table.lines.push_back(line);
  };
  uint64_t line = reader.first_line();
  try {
    for (Chunk chunk; reader.next(chunk);) line += scanner.scan(chunk, line, visit).lines;
  } catch (const Error& error) {
    // The scanner's own errors begin with the line.
    if (error.kind() != ErrorKind::kData || error.message().starts_with(file)) throw;
    throw error.at(file);
  }
  if (table.rows.empty())
    throw Error(ErrorKind::kData, file + ": there are no users", "give one line for each user");
  return table;
}

UserBeliefs beliefs_of(const UserTable& table, const std::vector<std::string>& letters,
                       const std::string& place) {
  if (table.rows.empty() || table.rows.front().empty())
    throw Error(ErrorKind::kData, place + ": there are no users", "give a probability for each user");
  UserBeliefs beliefs{letters, table.rows};
  const size_t columns = table.rows.front().size();
  const bool single = columns == 1;
  if (!letters.empty() && !single && !table.header.empty() && table.header != letters) {
    throw usage(
        fmt::format("--letters: the first line of {} names other letters, or in another order", place),
        "leave --letters out, or the file's first line");
  }
  if (letters.empty() && single) beliefs.letters = {"0", "1"};
  if (letters.empty() && !single) {
    if (table.header.empty()) {
      throw usage("--letters: the columns have no names",
                  fmt::format("name them in the first line of {}, or with --letters", place));
    }
    beliefs.letters = table.header;
  }
  check_letters(beliefs.letters);
  if (beliefs.letters.size() != (single ? 2 : columns)) {
    throw usage(
        fmt::format("--letters: there are {} letters and {} columns of probabilities", beliefs.letters.size(),
                    columns),
        single ? "one column of probabilities is for two letters" : "name one letter for each column");
  }
  for (size_t k = 0; k < beliefs.masses.size(); ++k) {
    std::vector<Rational>& row = beliefs.masses[k];
    const bool outside = std::any_of(row.begin(), row.end(),
                                     [&](const Rational& mass) { return mass < 0 || (single && mass > 1); });
    if (outside)
      throw bad_row(place, table.lines[k], "this is not a probability", "probabilities are between 0 and 1");
    if (single) {
      row = {Rational(1 - row[0]), row[0]};
    } else {
      check_sum(row, table.lines[k], place);
    }
  }
  return beliefs;
}

Crowd make_crowd(UserBeliefs beliefs, const std::vector<std::vector<Rational>>& values, CrowdPairs pairs,
                 uint64_t copies) {
  check_letters(beliefs.letters);
  if (values.size() != 1 && values.size() != beliefs.masses.size()) {
    throw usage(fmt::format("--values: there are {} rows of values and {} users", values.size(),
                            beliefs.masses.size()),
                "give one row for each user, or one list for all");
  }
  std::vector<Rational> all{Rational(0)};
  for (const auto& row : values) {
    if (row.size() != beliefs.letters.size()) {
      throw usage(fmt::format("--values: the number of values, {}, is not that of the letters, {}",
                              row.size(), beliefs.letters.size()),
                  "give one value for each letter");
    }
    all.insert(all.end(), row.begin(), row.end());
  }
  Crowd crowd{std::move(beliefs.letters), lattice_of(all), pairs, {}};
  crowd.users.reserve(beliefs.masses.size());
  Integer farthest(0);
  for (size_t i = 0; i < beliefs.masses.size(); ++i) {
    CrowdUsers users{std::move(beliefs.masses[i]), {}, copies};
    int64_t most = 0;
    for (const Rational& value : values[values.size() == 1 ? 0 : i]) {
      users.values.push_back(*crowd.lattice.index(value));
      most = std::max<int64_t>(most, std::llabs(users.values.back()));
    }
    farthest += Integer(most) * copies;
    crowd.users.push_back(std::move(users));
  }
  if (2 * farthest > kMaxSpan) {
    throw Error(ErrorKind::kData, "the sum over the users spans too many steps of the values' lattice",
                "give values with fewer digits, or fewer users");
  }
  crowd.users = gather(std::move(crowd.users));
  if (crowd.uncertain() == 0) {
    throw Error(ErrorKind::kData, "of every user only one answer is possible, so there is nothing to hide",
                "check the probabilities: decimals have a point, not a comma");
  }
  return crowd;
}

std::vector<std::vector<Rational>> values_of(const UserTable& table, const std::vector<std::string>& letters,
                                             const std::string& place) {
  if (table.header.empty()) return table.rows;
  std::vector<size_t> column;
  for (const std::string& letter : letters) {
    const auto found = std::find(table.header.begin(), table.header.end(), letter);
    if (found == table.header.end() || table.header.size() != letters.size()) {
      throw Error(ErrorKind::kData, place + ": the first line does not name the letters",
                  "name each letter once, or leave the first line out");
    }
    column.push_back(static_cast<size_t>(found - table.header.begin()));
  }
  std::vector<std::vector<Rational>> result;
  for (const auto& row : table.rows) {
    result.emplace_back();
    for (size_t k : column) result.back().push_back(row[k]);
  }
  return result;
}

std::pair<int64_t, int64_t> bounds_of(const Crowd& crowd) {
  int64_t low = 0, high = 0;
  for (const CrowdUsers& users : crowd.users) {
    std::optional<int64_t> least, most;
    for (size_t k = 0; k < users.values.size(); ++k) {
      if (users.masses[k] == 0) continue;
      least = std::min(least.value_or(users.values[k]), users.values[k]);
      most = std::max(most.value_or(users.values[k]), users.values[k]);
    }
    low += *least * static_cast<int64_t>(users.copies);
    high += *most * static_cast<int64_t>(users.copies);
  }
  return {low, high};
}

}  // namespace fugu::inline in_models
