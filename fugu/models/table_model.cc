#include "fugu/models/table_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

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

Prior empirical_prior(const CountedTable& table, const std::vector<size_t>& secret_position,
                      const std::vector<int64_t>& value_index) {
  using Place = std::tuple<size_t, int64_t, uint64_t>;  // secret, atom, count
  std::vector<Place> places;
  places.reserve(table.cells.size());
  for (const CountedTable::Cell& cell : table.cells) {
    places.emplace_back(secret_position[cell.secret], value_index[cell.value], cell.count);
  }
  std::sort(places.begin(), places.end());
  Prior prior{"empirical", {}};
  for (auto at = places.begin(); at != places.end();) {
    size_t secret = std::get<0>(*at);
    std::vector<int64_t> atoms;
    std::vector<uint64_t> counts;
    for (; at != places.end() && std::get<0>(*at) == secret; ++at) {
      if (atoms.empty() || atoms.back() != std::get<1>(*at)) {
        atoms.push_back(std::get<1>(*at));
        counts.push_back(0);
      }
      counts.back() += std::get<2>(*at);
    }
    prior.given.push_back(Distribution::from_counts(std::move(atoms), std::move(counts)));
  }
  return prior;
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
  Prior prior = empirical_prior(table, secrets.position, published.index);
  return Scenario{.epsilon = question.epsilon,
                  .delta = question.delta,
                  .lattice = published.lattice,
                  .secrets = std::move(secrets.labels),
                  .priors = {std::move(prior)},
                  .pairs = std::move(pairs),
                  .source = Source{.secret = std::move(table.secret_columns),
                                   .published = {table.published_column},
                                   .labels = std::move(published.labels),
                                   .na = question.table.na,
                                   .missing = missing_word(question.table.missing),
                                   .header = question.table.header,
                                   .step = question.step}};
}

}  // namespace fugu
