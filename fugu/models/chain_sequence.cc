#include "fugu/models/chain_sequence.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/core/utf8.h"
#include "fugu/count/column_name.h"
#include "fugu/csv/chunk_scan.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_models {
namespace {

size_t wanted_column(const TableHead& head, const std::string& column) {
  if (!column.empty()) return head.column(column, "--column");
  if (head.columns > 1) {
    throw Error(ErrorKind::kUsage, head.file + ": the table has several columns",
                "name the one with the states: --column NAME");
  }
  return 0;
}

// Takes the states one after the other.
class SequenceCounter {
 public:
  explicit SequenceCounter(TableName name) : name_(std::move(name)) {}

  void add(std::string_view text, uint64_t at) {
    if (text.empty()) throw bad(at, "there is no state", "give every time a state, such as None");
    const size_t state = tally_.add(text, at);
    if (state == steps_.size()) {
      if (state == ChainModel::kMostStates)
        throw bad(at, "there are more than 50 states", "merge rare states into one");
      if (!is_utf8(text)) throw bad(at, "the state is not UTF-8", "convert the file");
      steps_.emplace_back(ChainModel::kMostStates, 0);
    }
    if (previous_ != SIZE_MAX) ++steps_[previous_][state];
    previous_ = state;
    if (++length_ > ChainModel::kLongest)
      throw bad(at, "the sequence is longer than 1,000,000", "release shorter pieces");
  }

  StateSequence finish() const {
    if (tally_.size() < 2)
      throw Error(ErrorKind::kData, name_.file + ": there are fewer than two states",
                  "there is nothing to hide");
    std::vector<size_t> order(tally_.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return tally_[a].key < tally_[b].key; });
    StateSequence sequence;
    sequence.length = length_;
    for (size_t from : order) {
      sequence.states.emplace_back(tally_[from].key);
      sequence.occurrences.push_back(tally_[from].count);
      std::vector<uint64_t> row;
      for (size_t to : order) row.push_back(steps_[from][to]);
      sequence.steps.push_back(std::move(row));
    }
    return sequence;
  }

 private:
  Error bad(uint64_t at, const std::string& what, const std::string& hint) const {
    return Error(ErrorKind::kData, name_.file + ": " + name_.row(at) + ": " + what, hint);
  }

  TableName name_;
  Tally tally_;
  std::vector<std::vector<uint64_t>> steps_;  // in the order of the tally
  size_t previous_ = SIZE_MAX;
  uint64_t length_ = 0;
};

}  // namespace

StateSequence read_sequence(const std::string& path, const std::string& column, const CsvOptions& options,
                            const Progress& progress) {
  ChunkReader reader(path, options);
  const std::string& file = reader.head().file;
  const size_t wanted = wanted_column(reader.head(), column);
  ChunkScanner scanner(reader.layout({wanted}));
  ColumnName name(reader.head(), wanted, {});
  SequenceCounter counter(reader.head().name());
  uint64_t line = reader.first_line();
  for (Chunk chunk; reader.next(chunk);) {
    report(progress, reader.fraction(), "reading the sequence");
    auto visit = [&](const Field* fields, uint64_t at, std::string_view) {
      counter.add(fields[0].text, at);
      name.see(fields[0].text);
    };
    try {
      line += scanner.scan(chunk, line, visit).lines;
    } catch (const Error& error) {
      if (error.message().starts_with(file)) throw;
      throw error.at(file);
    }
  }
  check_names(reader.head(), {&name, 1}, {&wanted, 1}, false);
  return counter.finish();
}

StateSequence sequence_of(const std::vector<std::string>& states) {
  SequenceCounter counter({"the sequence", "item"});
  for (size_t k = 0; k < states.size(); ++k) counter.add(states[k], k + 1);
  return counter.finish();
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

}  // namespace fugu::inline in_models
