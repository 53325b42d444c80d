#include "fugu/models/chain_sequence.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/table/chunk_scan.h"
#include "fugu/table/tally.h"
#include "fugu/table/utf8.h"

namespace fugu {
namespace {

size_t wanted_column(const TableHead& head, const std::string& column) {
  if (!column.empty()) return head.column(column, "--column");
  if (head.columns > 1) {
    throw Error(ErrorKind::kUsage, head.file + ": the table has several columns",
                "name the one with the states: --column NAME");
  }
  return 0;
}

Error bad_record(const std::string& file, uint64_t line, const std::string& what, const std::string& hint) {
  return Error(ErrorKind::kData, file + ": line " + std::to_string(line) + ": " + what, hint);
}

}  // namespace

StateSequence read_sequence(const std::string& path, const std::string& column, const CsvOptions& options,
                            const Progress& progress) {
  ChunkReader reader(path, options);
  const std::string& file = reader.head().file;
  ChunkScanner scanner(reader.layout({wanted_column(reader.head(), column)}));
  Tally tally;
  std::vector<std::vector<uint64_t>> steps;  // in the order of the tally
  size_t previous = SIZE_MAX;
  StateSequence sequence;
  uint64_t line = reader.first_line();
  for (Chunk chunk; reader.next(chunk);) {
    report(progress, reader.fraction(), "reading the sequence");
    auto visit = [&](const Field* fields, uint64_t at, std::string_view) {
      if (fields[0].text.empty())
        throw bad_record(file, at, "there is no state", "give every time a state, such as None");
      const size_t state = tally.add(fields[0].text, at);
      if (state == steps.size()) {
        if (state == ChainModel::kMostStates)
          throw bad_record(file, at, "there are more than 50 states", "merge rare states into one");
        if (!is_utf8(fields[0].text))
          throw bad_record(file, at, "the state is not UTF-8", "convert the file");
        steps.emplace_back(ChainModel::kMostStates, 0);
      }
      if (previous != SIZE_MAX) ++steps[previous][state];
      previous = state;
      if (++sequence.length > ChainModel::kLongest)
        throw bad_record(file, at, "the sequence is longer than 1,000,000", "release shorter pieces");
    };
    try {
      line += scanner.scan(chunk, line, visit).lines;
    } catch (const Error& error) {
      if (error.message().starts_with(file)) throw;
      throw error.at(file);
    }
  }
  if (tally.size() < 2)
    throw Error(ErrorKind::kData, file + ": there are fewer than two states", "there is nothing to hide");
  std::vector<size_t> order(tally.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return tally[a].key < tally[b].key; });
  for (size_t from : order) {
    sequence.states.emplace_back(tally[from].key);
    sequence.occurrences.push_back(tally[from].count);
    std::vector<uint64_t> row;
    for (size_t to : order) row.push_back(steps[from][to]);
    sequence.steps.push_back(std::move(row));
  }
  return sequence;
}

ChainModel estimate_chain(const StateSequence& sequence, const std::string& place) {
  MarkovChain chain{"estimated", {}, {}};
  for (const auto& counts : sequence.steps) {
    const Integer sum = std::accumulate(counts.begin(), counts.end(), Integer(0),
                                        [](const Integer& a, uint64_t b) { return Integer(a + b); });
    if (sum == 0) {
      throw data_error(place, "no step leaves the last state: what follows it is not known",
                       "leave out the last time, or give the chain with --matrix");
    }
    std::vector<Rational> row;
    for (uint64_t count : counts) row.emplace_back(Integer(count), sum);
    chain.transition.push_back(std::move(row));
  }
  try {
    stationary_law(chain.transition, place);
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(),
                "the sequence falls into parts that it never returns to: give the chain with --matrix");
  }
  ChainModel model;
  model.states = sequence.states;
  model.chains = {std::move(chain)};
  model.length = sequence.length;
  model.estimated = true;
  return model;
}

}  // namespace fugu
