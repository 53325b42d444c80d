#include "fugu/models/table_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/models/group_priors.h"
#include "fugu/models/published_values.h"
#include "fugu/table/utf8.h"

namespace fugu {
namespace {

// These texts end up in the plan, which is JSON.
void check_option_texts(const std::vector<std::string>& texts, const std::string& option) {
  if (std::all_of(texts.begin(), texts.end(), is_utf8)) return;
  throw Error(ErrorKind::kUsage, option + ": the text is not UTF-8", "use a terminal with a UTF-8 locale");
}

// The secrets in their order, and the position of each of the table's.
struct OrderedSecrets {
  std::vector<std::string> labels;
  std::vector<size_t> position;
};

OrderedSecrets order_secrets(const CountedTable& table, const std::vector<std::string>& order) {
  if (table.secrets.size() < 2) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: {} has only one secret value", table.file, table.secret_place),
                "there must be two secrets to be told apart; choose another column for --secret");
  }
  OrderedSecrets result{order, {}};
  if (order.empty()) {
    for (const Tally::Entry& secret : table.secrets.entries()) result.labels.emplace_back(secret.key);
    std::sort(result.labels.begin(), result.labels.end());
  }
  result.position = positions_in_order(table.secrets, result.labels, "--secret-order", "secret", table.file);
  std::vector<bool> seen(result.labels.size());
  for (size_t position : result.position) seen[position] = true;
  for (size_t k = 0; k < seen.size(); ++k) {
    if (!seen[k]) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--secret-order: no row has the secret '{}'", result.labels[k]),
                  "name only secrets that the table has");
    }
  }
  return result;
}

std::string missing_word(Missing missing) {
  switch (missing) {
    case Missing::kDrop:
      return "drop";
    case Missing::kKeep:
      return "keep";
    default:
      return "error";
  }
}

}  // namespace

Scenario scenario_from_table(const TableQuestion& question, const Progress& progress, TableCounts* counts) {
  check_option_texts(question.table.na, "--na");
  check_option_texts(question.order, "--order");
  CountedTable table = count_table(question.table, progress);
  if (counts) *counts = {table.rows, table.dropped};
  OrderedSecrets secrets = order_secrets(table, question.secret_order);
  PublishedValues published = place_published(table, question.order, question.step);

  PairSet pairs = PairSet::parse(question.pairs, secrets.labels);
  PlacedCells cells = place_cells(table, secrets.position, published.index);
  std::vector<Prior> priors{prior_of(kWholeTable, cells)};
  SmallGroups small;
  if (!table.given_columns.empty()) {
    small = add_group_priors(priors, table, std::move(cells), secrets.labels.size(), question.min_group);
  }
  Scenario scenario{.epsilon = question.epsilon,
                    .lattice = published.lattice,
                    .secrets = std::move(secrets.labels),
                    .priors = std::move(priors),
                    .pairs = std::move(pairs),
                    .source = Source{.secret = std::move(table.secret_columns),
                                     .published = {table.published_column},
                                     .labels = std::move(published.labels),
                                     .na = question.table.na,
                                     .missing = missing_word(question.table.missing),
                                     .header = question.table.header,
                                     .step = question.step,
                                     .given = table.given_columns,
                                     .min_group = table.given_columns.empty() ? 0 : question.min_group,
                                     .merged = std::move(small.merged),
                                     .left_out = std::move(small.left_out)}};
  scenario.promise({question.epsilon, question.delta}, question.closeness);
  return scenario;
}

}  // namespace fugu
