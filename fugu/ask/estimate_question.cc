#include "fugu/ask/estimate_question.h"

#include <fmt/format.h>

#include "fugu/ask/lists.h"
#include "fugu/ask/question.h"
#include "fugu/core/error.h"
#include "fugu/estimate/provenance.h"
#include "fugu/estimate/released_counts.h"

namespace fugu::inline in_ask {
namespace {

Rational between_0_and_1(const std::string& text, const std::string& option) {
  const auto value = parse_number(text);
  if (!value || *value <= 0 || *value >= 1)
    throw usage(fmt::format("{}: '{}' is not a number between 0 and 1", option, text), "for example 0.95");
  return *value;
}

int64_t place_on(const PublishedColumn& column, const std::string& text, const std::string& option) {
  const auto value = column.reads.is_plain() ? parse_number(text) : column.reads.number(text);
  const auto index = value ? column.lattice.index(*value) : std::nullopt;
  if (!index)
    throw usage(fmt::format("{}: '{}' is not a value that the release can hold", option, text),
                "give values on the statement's lattice");
  return *index;
}

std::pair<int64_t, int64_t> read_support(const std::string& text, const PublishedColumn& column) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw usage(fmt::format("--support: '{}' is not LO:HI", text), "for example --support 17:90");
  const std::pair ends{place_on(column, text.substr(0, colon), "--support"),
                       place_on(column, text.substr(colon + 1), "--support")};
  if (ends.first > ends.second)
    throw usage("--support: the first end is above the second", "for example 17:90");
  return ends;
}

void read_common(const EstimateTexts& flags, EstimateOptions& options) {
  if (!flags.confidence.empty())
    options.confidence = static_cast<double>(between_0_and_1(flags.confidence, "--confidence"));
  if (!flags.of.empty() && flags.of != "table" && flags.of != "population")
    throw usage(fmt::format("--of: '{}' is unknown", flags.of), "use one of table, population");
  options.population = flags.of == "population";
}

EstimateOptions read_options(const EstimateTexts& flags, const PublishedColumn& column) {
  EstimateOptions options;
  read_common(flags, options);
  if (!flags.quantiles.empty()) {
    options.levels.clear();
    for (const std::string& item : split_list(flags.quantiles, "--quantiles"))
      options.levels.push_back(between_0_and_1(item, "--quantiles"));
  }
  if (column.is_categorical() && !(flags.support.empty() && flags.bin.empty() && flags.quantiles.empty()))
    throw usage("--support, --bin and --quantiles are for numbers, and the column has categories",
                "leave them out");
  if (!flags.support.empty()) options.support = read_support(flags.support, column);
  if (!flags.bin.empty()) {
    const auto width = parse_number(flags.bin);
    const auto steps = width && *width > 0 ? Rational(*width / column.lattice.step) : Rational(0);
    if (denominator(steps) != 1 || steps < 1 || steps > kMaxSpan)
      throw usage(fmt::format("--bin: '{}' is not a multiple of the release's step {}", flags.bin,
                              to_text(column.lattice.step)),
                  "for example " + to_text(Rational(5 * column.lattice.step)));
    options.bin = static_cast<int64_t>(numerator(steps));
  }
  return options;
}

// Those of the statement that --column asks for: all of them when it is not given.
template <class Column>
std::vector<size_t> wanted_columns(const std::vector<Column>& columns, const std::string& name) {
  std::vector<size_t> places;
  for (size_t c = 0; c < columns.size(); ++c) {
    if (columns.size() == 1 || name.empty() || columns[c].name == name) places.push_back(c);
  }
  if (places.empty())
    throw usage(fmt::format("--column: the statement has no column '{}'", name), "name one of its columns");
  return places;
}

// The notes say what could not be compared with the release.
std::vector<std::string> compare_release(const EstimateTexts& texts, const Json& statement,
                                         const std::string& place, uint64_t rows, bool named) {
  GivenTable given{texts.rows ? "the table" : texts.table == "-" ? "standard input" : texts.table};
  given.rows = rows;
  if (!texts.rows && texts.table != "-") given.file = texts.table;
  if (!texts.file.empty()) given.file = texts.file;
  given.has_names = !texts.no_header && named;
  given.part = texts.part;
  return check_provenance(release_facts(statement, place), given);
}

// Every row is in one group.
uint64_t rows_of(const std::vector<ReleasedGroup>& groups) {
  uint64_t rows = 0;
  for (const ReleasedGroup& group : groups) {
    for (const auto& [value, count] : group.counts) rows += count;
  }
  return rows;
}

double read_cross_confidence(const EstimateTexts& texts) {
  for (const auto& [given, flag] :
       {std::pair{&texts.support, "--support"}, {&texts.bin, "--bin"}, {&texts.quantiles, "--quantiles"}}) {
    if (!given->empty())
      throw usage(
          fmt::format("{}: rows traded places in this release, so values are counted as they stand", flag),
          "leave it out");
  }
  if (!texts.cross.empty() && !texts.column.empty())
    throw usage("--column and --table both name columns", "name them in --table alone");
  EstimateOptions options;
  read_common(texts, options);
  if (options.population)
    throw usage("--of: where rows traded places, only the released table can be estimated",
                "leave it out: --of table is about these very rows");
  return options.confidence;
}

// Rows that were left out may have traded places with these: the counts of all of them are kept.
void check_whole(const EstimateTexts& texts, const Json& statement, const std::string& place, uint64_t rows) {
  if (!texts.part) return;
  const ReleaseFacts facts = release_facts(statement, place);
  if (facts.rows && *facts.rows == rows) return;
  throw usage("--part: rows traded places, so counts hold only for all rows of the release together",
              "give the whole table, and the receipt if the table was written anew");
}

CrossTables count_cross(const EstimateTexts& texts, const Json& statement, const std::string& place,
                        const PublishedSwap& swap, const Progress& progress) {
  CrossTables result{read_cross_confidence(texts), !texts.cross.empty(), {}};
  const auto by = split_list(texts.by, "--by"), columns = split_list(texts.cross, "--table");
  std::vector<CrossQuestion> questions;
  if (result.one && columns.empty())
    throw usage("--table: no column is named", "for example --table region,job");
  if (result.one) {
    questions.push_back({by, columns, {}, result.confidence});
  } else {
    for (size_t c : wanted_columns(swap.columns, texts.column))
      questions.push_back({by, {}, c, result.confidence});
  }
  const bool renamed = swap.columns.size() == 1 && !texts.column.empty();
  const ReleasedTable table{.path = texts.table,
                            .column = renamed ? texts.column : "",
                            .separator = read_separator(texts.separator),
                            .header = !texts.no_header,
                            .rows = texts.rows.get()};
  result.tables = cross_tables(table, swap, questions, progress);
  const uint64_t rows = result.tables.front().rows;
  check_whole(texts, statement, place, rows);
  std::vector<std::string> notes =
      compare_release(texts, statement, place, rows, !renamed && !swap.columns.front().name.empty());
  if (!release_facts(statement, place).rows)
    notes.emplace_back(
        "the bounds hold if these are all rows of the release, and the rows that it was made from; the "
        "receipt would confirm it");
  for (CrossTable& found : result.tables) found.notes.insert(found.notes.end(), notes.begin(), notes.end());
  return result;
}

}  // namespace

EstimateAnswer estimate_table(const EstimateTexts& texts, const Json& statement, const std::string& place,
                              const Progress& progress) {
  if (const auto swap = published_swap_from_json(statement, place))
    return count_cross(texts, statement, place, *swap, progress);
  const auto columns = published_from_json(statement, place);
  if (!texts.cross.empty())
    throw usage(
        "--table: the values of this release cannot be counted as they stand: each was changed by itself",
        "leave out --table to estimate the shares of each column, with --by for groups");
  const auto wanted = wanted_columns(columns, texts.column);
  if (columns.size() > 1 && texts.table == "-")
    throw usage("standard input is read once, and there are several columns", "give the table as a file");
  std::vector<Estimated> result;
  for (size_t c : wanted) {
    const EstimateOptions options = read_options(texts, columns[c]);
    const ReleasedTable table{texts.table,
                              columns.size() == 1 ? texts.column : "",
                              c,
                              columns.size(),
                              split_list(texts.by, "--by"),
                              read_separator(texts.separator),
                              !texts.no_header,
                              texts.rows.get()};
    const auto groups = count_released(table, columns[c], progress);
    const auto notes = compare_release(texts, statement, place, rows_of(groups),
                                       !columns[c].name.empty() && texts.column.empty());
    for (const ReleasedGroup& group : groups) {
      Estimate found = estimate(columns[c], group.counts, options, progress);
      found.notes.insert(found.notes.end(), notes.begin(), notes.end());
      result.push_back({columns[c], group.name, options, std::move(found)});
    }
  }
  return result;
}

}  // namespace fugu::inline in_ask
