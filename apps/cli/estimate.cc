// fugu estimate: what whoever receives a release can say of the true values.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "apps/cli/usage_error.h"
#include "fugu/ask/lists.h"
#include "fugu/core/error.h"
#include "fugu/estimate/estimate.h"
#include "fugu/estimate/released_counts.h"
#include "fugu/report/estimate_text.h"

namespace fugu::cli {
namespace {

struct EstimateFlags {
  std::string table, statement, column, by, confidence, of, support, bin, quantiles, separator;
  bool no_header = false;
  GeneralOptions general;
};

Rational between_0_and_1(const std::string& text, const std::string& option) {
  const auto value = parse_number(text);
  if (!value || *value <= 0 || *value >= 1)
    throw usage(fmt::format("{}: '{}' is not a number between 0 and 1", option, text), "for example 0.95");
  return *value;
}

int64_t place_on(const Lattice& lattice, const std::string& text, const std::string& option) {
  const auto value = parse_number(text);
  const auto index = value ? lattice.index(*value) : std::nullopt;
  if (!index)
    throw usage(fmt::format("{}: '{}' is not a value that the release can hold", option, text),
                "give values on the statement's lattice");
  return *index;
}

std::pair<int64_t, int64_t> read_support(const std::string& text, const Lattice& lattice) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos)
    throw usage(fmt::format("--support: '{}' is not LO:HI", text), "for example --support 17:90");
  const std::pair ends{place_on(lattice, text.substr(0, colon), "--support"),
                       place_on(lattice, text.substr(colon + 1), "--support")};
  if (ends.first > ends.second)
    throw usage("--support: the first end is above the second", "for example 17:90");
  return ends;
}

EstimateOptions read_options(const EstimateFlags& flags, const PublishedColumn& column) {
  EstimateOptions options;
  if (!flags.confidence.empty())
    options.confidence = static_cast<double>(between_0_and_1(flags.confidence, "--confidence"));
  if (!flags.of.empty() && flags.of != "table" && flags.of != "population")
    throw usage(fmt::format("--of: '{}' is unknown", flags.of), "use one of table, population");
  options.population = flags.of == "population";
  if (!flags.quantiles.empty()) {
    options.levels.clear();
    for (const std::string& item : split_list(flags.quantiles, "--quantiles"))
      options.levels.push_back(between_0_and_1(item, "--quantiles"));
  }
  if (column.is_categorical() && !(flags.support.empty() && flags.bin.empty() && flags.quantiles.empty()))
    throw usage("--support, --bin and --quantiles are for numbers, and the column has categories",
                "leave them out");
  if (!flags.support.empty()) options.support = read_support(flags.support, column.lattice);
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

// Named, or the receipt that stands beside the table.
std::string statement_path(const EstimateFlags& flags) {
  if (!flags.statement.empty()) return flags.statement;
  const std::string receipt = flags.table + ".receipt.json";
  if (flags.table != "-" && access(receipt.c_str(), R_OK) == 0) return receipt;
  throw usage("--statement is missing", "give the statement or the receipt that came with the table");
}

// Those of the statement that --column asks for: all of them when it is not given.
std::vector<size_t> wanted_columns(const std::vector<PublishedColumn>& columns, const std::string& name) {
  std::vector<size_t> places;
  for (size_t c = 0; c < columns.size(); ++c) {
    if (columns.size() == 1 || name.empty() || columns[c].name == name) places.push_back(c);
  }
  if (places.empty())
    throw usage(fmt::format("--column: the statement has no column '{}'", name), "name one of its columns");
  return places;
}

void run(const EstimateFlags& flags) {
  const bool json = flags.general.json();
  const auto threads = flags.general.limit_threads();
  const std::string path = statement_path(flags);
  const std::string place = path == "-" ? "standard input" : path;
  const auto columns = published_from_json(parse_json(read_text(path), place), place);
  if (columns.size() > 1 && flags.table == "-")
    throw usage("standard input is read once, and there are several columns", "give the table as a file");
  ProgressBar bar(flags.general.quiet);
  Json estimates = Json::array();
  std::string text;
  EstimateOptions options;
  for (size_t c : wanted_columns(columns, flags.column)) {
    options = read_options(flags, columns[c]);
    const ReleasedTable table{flags.table,
                              columns.size() == 1 ? flags.column : "",
                              c,
                              columns.size(),
                              split_list(flags.by, "--by"),
                              read_separator(flags.separator),
                              !flags.no_header};
    for (const ReleasedGroup& group : count_released(table, columns[c], bar.callback())) {
      const Estimate found = estimate(columns[c], group.counts, options, bar.callback());
      estimates.if_array()->push_back(estimate_to_json(columns[c], found, group.name));
      text += (text.empty() ? "" : "\n") + estimate_text(columns[c], found, options, group.name);
    }
  }
  bar.clear();
  if (!json) return print(text);
  Json result = Json::object();
  result.add("confidence", Json::number(options.confidence));
  result.add("of", Json::string(options.population ? "population" : "table"));
  result.add("estimates", std::move(estimates));
  print(result.pretty());
}

}  // namespace

Command add_estimate(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "estimate",
      "for whoever receives a release: mean, quantiles and shares of the true values, with bounds");
  auto flags = std::make_shared<EstimateFlags>();
  command->add_option("TABLE", flags->table, "the released table; - is standard input")
      ->type_name("TABLE")
      ->required();
  command
      ->add_option("--statement", flags->statement,
                   "the statement or receipt of the release; TABLE.receipt.json when not given")
      ->type_name("FILE")
      ->group("Input");
  command->add_option("--column", flags->column, "the released column; the statement's when not given")
      ->type_name("COL")
      ->group("Input");
  command->add_option("--by", flags->by, "estimate each group of rows that agree in these columns")
      ->type_name("COL[,COL]")
      ->group("Estimates");
  command
      ->add_option("--confidence", flags->confidence, "how sure each bound is by itself; 0.95 when not given")
      ->type_name("C")
      ->group("Estimates");
  command
      ->add_option(
          "--of", flags->of,
          "table: of the very rows that were released (default); population: of the law that they were "
          "drawn from")
      ->type_name("table|population")
      ->group("Estimates");
  command
      ->add_option("--support", flags->support,
                   "the least and the greatest true value; the released ones when not given and not stated")
      ->type_name("LO:HI")
      ->group("Estimates");
  command->add_option("--bin", flags->bin, "width of the histogram's bins; chosen when not given")
      ->type_name("W")
      ->group("Estimates");
  command->add_option("--quantiles", flags->quantiles, "levels; 0.1,0.25,0.5,0.75,0.9 when not given")
      ->type_name("Q[,Q]")
      ->group("Estimates");
  command->add_option("--separator", flags->separator, "between fields; found by itself when not given")
      ->type_name("CHAR")
      ->group("Input");
  command->add_flag("--no-header", flags->no_header, "the first line is data; name columns by number")
      ->disable_flag_override()
      ->group("Input");
  add_general_options(*command, flags->general);
  command->footer(
      "fugu estimate fugu-demo/released.csv --statement fugu-demo/statement.json\n"
      "fugu estimate out.csv --by region --format json\n");
  return {command, [flags] { run(*flags); }};
}

}  // namespace fugu::cli
