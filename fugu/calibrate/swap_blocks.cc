#include "fugu/calibrate/swap_blocks.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <tuple>

#include "fugu/solve/blocks.h"
#include "fugu/solve/pool.h"

namespace fugu::inline in_calibrate {
namespace {

constexpr size_t kMostAtOnce = 3200;  // classes times laws
// A block of k classes under l laws takes about 3e-7 (k l)^1.5 seconds for each of its classes.
constexpr double kBlockWork = 4e8;

// What of which rows is in a block.
struct BlockRows {
  std::vector<uint32_t> rows;     // of the whole
  std::vector<uint64_t> units;    // of the row's total
  std::vector<uint32_t> classes;  // of the block
};

// The rows of each class one after another into the blocks that have shares of it.
std::vector<BlockRows> rows_of(const std::vector<Block>& blocks, const ExchangedRows& rows,
                               const std::vector<uint64_t>& totals, size_t classes) {
  std::vector<size_t> ends(classes + 1, 0), left(classes, 0);
  for (uint32_t a : rows.classes) ++ends[a + 1];
  for (size_t a = 0; a < classes; ++a) ends[a + 1] += ends[a];
  std::vector<size_t> next(ends.begin(), ends.end() - 1);
  std::vector<uint32_t> members(rows.classes.size());
  std::vector<uint64_t> all(classes, 0);
  for (size_t i = 0; i < rows.classes.size(); ++i) {
    members[next[rows.classes[i]]++] = static_cast<uint32_t>(i);
    all[rows.classes[i]] += totals[i];
  }
  next.assign(ends.begin(), ends.end() - 1);
  for (const Block& block : blocks) {
    for (const BlockShare& one : block) ++left[one.of];
  }
  std::vector<uint64_t> taken(classes, 0);  // of the next row
  std::vector<BlockRows> result(blocks.size());
  for (size_t b = 0; b < blocks.size(); ++b) {
    for (size_t k = 0; k < blocks[b].size(); ++k) {
      const auto [a, share] = blocks[b][k];
      auto wanted = static_cast<uint64_t>(share * static_cast<double>(all[a]));
      if (--left[a] == 0) wanted = UINT64_MAX;  // the rest
      while (wanted > 0 && next[a] < ends[a + 1]) {
        const uint32_t row = members[next[a]];
        const uint64_t units = std::min(wanted, totals[row] - taken[a]);
        result[b].rows.push_back(row);
        result[b].units.push_back(units);
        result[b].classes.push_back(static_cast<uint32_t>(k));
        wanted -= units;
        taken[a] += units;
        if (taken[a] < totals[row]) continue;
        taken[a] = 0;
        ++next[a];
      }
    }
  }
  return result;
}

std::vector<SimilarColumn> columns_in(const std::vector<SimilarColumn>& columns,
                                      const std::vector<uint32_t>& rows) {
  std::vector<SimilarColumn> result;
  for (const SimilarColumn& column : columns) {
    SimilarColumn& one = result.emplace_back(SimilarColumn{{}, column.weight, column.is_number});
    one.values.reserve(rows.size());
    for (uint32_t row : rows) one.values.push_back(column.values[row]);
  }
  return result;
}

// Every class leaves into one pool and is drawn from it; who draws its own class stays.
std::vector<ClassShare> pool_shares(const CirculationProblem& problem, const std::vector<double>& leave) {
  double all = 0;
  for (size_t x = 0; x < leave.size(); ++x) all += leave[x] * problem.weights[x];
  std::vector<ClassShare> result;
  for (uint32_t x = 0; x < leave.size(); ++x) {
    for (uint32_t y = 0; y < leave.size(); ++y) {
      const double share = all > 0 ? leave[x] * problem.weights[x] * leave[y] * problem.weights[y] / all : 0;
      if (x != y && share > 0) result.push_back({x, y, share});
    }
  }
  return result;
}

struct BlockFlows {
  Circulation::Outcome outcome;
  std::vector<ClassShare> shares;
};

BlockFlows solve_block(const CirculationProblem& problem, const Patience& patience) {
  const Circulation found = least_circulation(problem, patience);
  BlockFlows result{found.outcome, {}};
  if (found.outcome == Circulation::kInfeasible) return result;
  for (const ClassFlow& flow : found.flows) result.shares.push_back({flow.from, flow.to, flow.amount});
  if (found.has_flows()) return result;
  // The block's mean is that of the table: if nothing else, everybody may leave into its pool.
  Pool pool = least_pool(problem, Patience{patience.progress});
  if (pool.outcome == Circulation::kInfeasible) return {pool.outcome, {}};
  if (pool.outcome != Circulation::kSolved) pool.leave.assign(problem.weights.size(), 1 - problem.least_kept);
  result.shares = pool_shares(problem, pool.leave);
  return result;
}

std::vector<RowFlow> merged(std::vector<std::vector<RowFlow>>& parts) {
  size_t size = 0;
  for (const auto& part : parts) size += part.size();
  std::vector<RowFlow> flows;
  flows.reserve(size);
  for (auto& part : parts) {
    flows.insert(flows.end(), part.begin(), part.end());
    part = {};
  }
  std::sort(flows.begin(), flows.end(), [](const RowFlow& a, const RowFlow& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  size_t kept = 0;
  for (const RowFlow& flow : flows) {
    if (kept > 0 && flows[kept - 1].from == flow.from && flows[kept - 1].to == flow.to) {
      flows[kept - 1].weight += flow.weight;
    } else {
      flows[kept++] = flow;
    }
  }
  flows.resize(kept);
  return flows;
}

}  // namespace

size_t most_classes_at_once(size_t laws) { return kMostAtOnce / laws; }

size_t most_classes_of_block(size_t classes, size_t laws) {
  const double size =
      std::pow(kBlockWork / static_cast<double>(classes), 2.0 / 3) / static_cast<double>(laws);
  return static_cast<size_t>(std::clamp(size, 24.0, 256.0));
}

BlockExchange exchange_in_blocks(const CirculationProblem& problem, const ExchangedRows& rows,
                                 bool by_columns, size_t block_size, const Patience& patience) {
  BlockExchange result;
  result.exchange.shift = largest_shift(rows.counts);
  for (uint64_t count : rows.counts) result.exchange.totals.push_back(count << result.exchange.shift);
  const std::vector<Block> blocks =
      split_alike(problem, std::max(block_size, least_block_size(problem)), patience);
  result.blocks = blocks.size();
  const std::vector<BlockRows> parts = rows_of(blocks, rows, result.exchange.totals, problem.weights.size());
  std::vector<std::vector<RowFlow>> flows(blocks.size());
  std::atomic<bool> infeasible = false, stopped = false;
  std::mutex one_at_a_time;
  size_t done = 0;
  tbb::parallel_for(size_t{0}, blocks.size(), [&](size_t b) {
    if (infeasible) return;
    const Progress silent;
    CirculationProblem part = problem_of(problem, blocks[b]);
    ExchangedRows local{parts[b].units, parts[b].classes, columns_in(rows.columns, parts[b].rows), 0};
    std::vector<double> distances;
    if (by_columns) {
      distances = class_distances(local.columns, local.classes, part.weights.size());
      part.cost = [&](size_t from, size_t to) { return distances[from * part.weights.size() + to]; };
    }
    const BlockFlows found = solve_block(part, Patience{silent, patience.deadline, patience.good_gap});
    if (found.outcome == Circulation::kInfeasible) infeasible = true;
    if (found.outcome == Circulation::kStopped) stopped = true;
    flows[b] = exchange_rows(local, found.shares, silent).flows;
    for (RowFlow& flow : flows[b]) flow = {parts[b].rows[flow.from], parts[b].rows[flow.to], flow.weight};
    const std::lock_guard lock(one_at_a_time);
    report(patience.progress, static_cast<double>(++done) / static_cast<double>(blocks.size()),
           "trading places in blocks");
  });
  result.outcome = infeasible ? Circulation::kInfeasible
                   : stopped  ? Circulation::kStopped
                              : Circulation::kSolved;
  result.exchange.flows = merged(flows);
  return result;
}

}  // namespace fugu::inline in_calibrate
