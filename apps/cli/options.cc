#include "apps/cli/options.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <charconv>

#include "fugu/ask/lists.h"
#include "fugu/core/error.h"

namespace fugu::cli {

bool GeneralOptions::json() const {
  if (format == "json") return true;
  if (format == "text") return false;
  throw usage(fmt::format("--format: '{}' is unknown", format), "use one of text, json");
}

std::shared_ptr<void> GeneralOptions::limit_threads() const {
  if (threads.empty()) return nullptr;
  size_t count = 0;
  const auto [end, failed] = std::from_chars(threads.data(), threads.data() + threads.size(), count);
  if (failed != std::errc() || end != threads.data() + threads.size() || count < 1 || count > 1024) {
    throw usage(fmt::format("--threads: '{}' is not a number of threads", threads),
                "give a number from 1 to 1024");
  }
  return std::make_shared<tbb::global_control>(tbb::global_control::max_allowed_parallelism, count);
}

void add_general_options(CLI::App& command, GeneralOptions& options) {
  command.add_option("--format", options.format, "how the result is written; text when not given")
      ->type_name("text|json")
      ->group("General");
  command.add_flag("--quiet", options.quiet, "no progress bar")->disable_flag_override()->group("General");
  command.add_option("--threads", options.threads, "use at most N threads; all cores when not given")
      ->type_name("N")
      ->group("General");
}

void add_output_options(CLI::App& command, std::string& output, bool& force, const char* what) {
  command.add_option("-o,--output", output, what)->type_name("FILE")->group("Output");
  command.add_flag("--force", force, "replace an existing file")->disable_flag_override()->group("Output");
}

void add_publish_min(CLI::App& command, std::string& text, const char* group) {
  command
      .add_option("--publish-min", text,
                  "refuse to publish a category, an end of the range or a channel's value that fewer than N "
                  "people share; 5 when not given, 1 publishes all")
      ->type_name("N")
      ->group(group);
}

void add_database_options(CLI::App& command, std::string& table, std::string& query, const char* group) {
  command.add_option("--table", table, "of a database: the table or view, as SQL names it")
      ->type_name("NAME")
      ->group(group);
  command.add_option("--query", query, "of a database: one SELECT, in place of --table")
      ->type_name("SQL")
      ->group(group);
}

void add_question_options(CLI::App& command, QuestionOptions& options) {
  auto text = [&](const char* group, const char* name, std::string& value, const char* type,
                  const char* what) {
    return command.add_option(name, value, what)->type_name(type)->group(group);
  };
  constexpr const char* kWhat = "What is hidden, what is released";
  text(kWhat, "TABLE", options.table, "TABLE",
       "CSV or TSV file with one row a person; - is standard input; or a database: postgresql://... or "
       "sqlite:FILE");
  text(kWhat, "--secret", options.secret, "COL[,COL]",
       "column that must stay hidden, by name or number; several make one secret, joined with ' & '");
  text(kWhat, "--public", options.published, "COL[,COL]",
       "column to be released, by name or number; several, such as age,hours, up to four, are released "
       "together by one plan");
  text(kWhat, "--pairs", options.pairs, "PAIRS",
       "which secrets must not be told apart: all (when not given), neighbours (adjacent in their order), or "
       "pairs such "
       "as A:B,A:C or A:*");
  text(kWhat, "--given", options.given, "COL[,COL]",
       "columns that an adversary may know: each group of people who agree in them is one more prior");
  text(
      kWhat, "--min-group", options.min_group, "N",
      "people with each secret that a group needs to be a prior of its own, else it is merged with the other "
      "small ones or, as always with --confidence, left out, and named; 20 when not given");
  command
      .add_option("--prior", options.priors,
                  "JSON file with further beliefs that an adversary may hold; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group(kWhat);
  text(kWhat, "--scenario", options.scenario, "FILE",
       "JSON file with the distributions, in place of TABLE and columns");

  constexpr const char* kBudget = "How much";
  text(kBudget, "--epsilon", options.epsilon, "E",
       "privacy budget, greater than 0; smaller hides more; there is no default");
  text(kBudget, "--delta", options.delta, "D",
       "what a conclusion's likelihood may exceed the factor e^epsilon by; 0 when not given");
  text(kBudget, "--confidence", options.confidence, "C",
       "hold for every law that the counts allow with this confidence, for example 0.95; the table is taken "
       "as the truth when not given. Numbers need --clip with --step or --bin, or --bin-edges");
  text(kBudget, "--closeness", options.closeness, "LAMBDA",
       "also cover every belief within a factor e^LAMBDA of a prior; takes 2 LAMBDA from epsilon");
  text(kBudget, "--noise", options.noise, "laplace|gaussian|power:P|log:ETA",
       "family of the noise; laplace when not given");

  text(kBudget, "--weights", options.weights, "W,W",
       "of several columns, how the noise is shared out: a column of weight 2 gets twice the scale of one of "
       "weight 1; by the columns' spread when not given");

  text(kBudget, "--range", options.range, "free|clamp",
       "whether released values may leave the range of the data, or of --clip where it is given; clamp for "
       "categories, free for numbers when not given");

  constexpr const char* kRead = "How the table is read";
  add_database_options(command, options.database_table, options.query, kRead);
  text(kRead, "--order", options.order, "a,b,c|@FILE",
       "the categories that can be released, in their order, as a list or a file with one a line; those of "
       "the table, by their bytes, when not given")
      ->transform([](const std::string& list) {
        return list.starts_with('@') ? list_of_file(list.substr(1), "--order") : list;
      });
  text(kRead, "--secret-order", options.secret_order, "a,b,c",
       "order of the secrets, for --pairs neighbours");
  text(kRead, "--step", options.step, "G[,G]",
       "snap numbers to the nearest multiple of G; of several columns one for all numbers, or one for each");
  constexpr const char* kShape = "What is done to the values first (one column)";
  text(kShape, "--clip", options.clip, "LO:HI",
       "hold numbers within a range: what lies beyond becomes its end");
  text(kShape, "--bin", options.bin, "W",
       "put numbers into bins of width W, from multiples of W on; each becomes the middle of its bin");
  text(kShape, "--bin-edges", options.bin_edges, "E,E,...",
       "release only between which edges a number lies, as ordered categories");
  text(kShape, "--merge-rare", options.merge_rare, "N",
       "make one category of all that have fewer than N rows");
  text(kRead, "--na", options.na, "TEXT,...", "texts that mean missing, besides the empty field");
  text(kRead, "--missing", options.missing, "error|drop|keep",
       "what a missing field does: stop (when not given), drop its row, or be a category of its own");
  text(kRead, "--separator", options.separator, "CHAR",
       "between fields; , ; or tab is detected when not given");
  command.add_flag("--no-header", options.no_header, "the first line is data; name columns by number")
      ->disable_flag_override()
      ->group(kRead);
}

}  // namespace fugu::cli
