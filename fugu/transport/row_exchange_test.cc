#include "fugu/transport/row_exchange.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

namespace fugu {
namespace {

struct Exchanged {
  ExchangedRows rows;
  std::vector<ClassShare> flows;
};

// Rows in classes, and a circulation of rings of classes, off balance by rounding.
Exchanged random_exchange() {
  Exchanged result;
  const auto classes = *rc::gen::inRange<uint32_t>(2, 8);
  const auto rows = *rc::gen::inRange<size_t>(classes, 60);
  const auto most = *rc::gen::element<uint64_t>(2, 1000, uint64_t{1} << 40);
  double all = 0;
  std::vector<double> weights(classes, 0);
  for (size_t i = 0; i < rows; ++i) {
    result.rows.classes.push_back(i < classes ? static_cast<uint32_t>(i)
                                              : *rc::gen::inRange<uint32_t>(0, classes));
    result.rows.counts.push_back(*rc::gen::inRange<uint64_t>(1, most));
    weights[result.rows.classes[i]] += static_cast<double>(result.rows.counts[i]);
    all += static_cast<double>(result.rows.counts[i]);
  }
  result.rows.columns.resize(*rc::gen::inRange<size_t>(0, 4));
  for (SimilarColumn& column : result.rows.columns) {
    column.is_number = *rc::gen::arbitrary<bool>();
    for (size_t i = 0; i < rows; ++i) column.values.push_back(*rc::gen::inRange<int64_t>(-3, 3));
  }
  const auto rings = *rc::gen::inRange<int>(0, 6);
  const double fullness = *rc::gen::element(0.1, 0.9, 1.0);
  for (int k = 0; k < rings; ++k) {
    std::vector<uint32_t> order(classes);
    std::iota(order.begin(), order.end(), 0u);
    for (size_t i = classes - 1; i > 0; --i) std::swap(order[i], order[*rc::gen::inRange<size_t>(0, i + 1)]);
    order.resize(*rc::gen::inRange<size_t>(2, classes + size_t{1}));
    double room = 1;
    for (uint32_t a : order) room = std::min(room, weights[a] / all);
    for (size_t i = 0; i < order.size(); ++i) {
      const double jitter = 1 + 1e-13 * *rc::gen::inRange(-5, 6);
      result.flows.push_back({order[i], order[(i + 1) % order.size()], room * fullness / rings * jitter});
    }
  }
  return result;
}

RC_GTEST_PROP(RowExchangeProperty, IsBalancedExactlyAndInProportion, ()) {
  const Exchanged made = random_exchange();
  const RowExchange result = exchange_rows(made.rows, made.flows, {});
  const size_t rows = made.rows.counts.size();
  __extension__ using Large = __int128;
  Large sum = 0;
  RC_ASSERT(result.totals.size() == rows);
  for (size_t i = 0; i < rows; ++i) {
    RC_ASSERT(result.totals[i] == made.rows.counts[i] << result.shift);
    RC_ASSERT(result.totals[i] < uint64_t{1} << 62);
    sum += result.totals[i];
  }
  RC_ASSERT(sum < Large{1} << 63);
  std::vector<Large> in(rows, 0), out(rows, 0);
  const size_t classes = *std::max_element(made.rows.classes.begin(), made.rows.classes.end()) + size_t{1};
  std::vector<Large> between(classes * classes, 0), taken(rows * classes, 0);
  for (size_t k = 0; k < result.flows.size(); ++k) {
    const RowFlow& flow = result.flows[k];
    RC_ASSERT(flow.weight > 0);
    RC_ASSERT(made.rows.classes[flow.from] != made.rows.classes[flow.to]);
    if (k > 0) {
      const RowFlow& before = result.flows[k - 1];
      RC_ASSERT(before.from < flow.from || (before.from == flow.from && before.to < flow.to));
    }
    out[flow.from] += flow.weight;
    in[flow.to] += flow.weight;
    between[made.rows.classes[flow.from] * classes + made.rows.classes[flow.to]] += flow.weight;
    taken[flow.to * classes + made.rows.classes[flow.from]] += flow.weight;
  }
  std::vector<double> count(classes, 0), out_of(classes, 0);
  for (size_t i = 0; i < rows; ++i) {
    RC_ASSERT(in[i] == out[i]);
    RC_ASSERT(out[i] <= result.totals[i]);
    count[made.rows.classes[i]] += static_cast<double>(made.rows.counts[i]);
    out_of[made.rows.classes[i]] += static_cast<double>(out[i]);
  }
  for (size_t i = 0; i < rows; ++i) {
    const uint32_t b = made.rows.classes[i];
    const double part = static_cast<double>(made.rows.counts[i]) / count[b];
    RC_ASSERT(std::fabs(static_cast<double>(out[i]) - part * out_of[b]) <= 2 + 1e-14 * out_of[b]);
    for (size_t a = 0; a < classes; ++a) {
      const double share = part * static_cast<double>(between[a * classes + b]);
      const double units = static_cast<double>(taken[i * classes + a]);
      RC_ASSERT(std::fabs(units - share) <= 2 + static_cast<double>(classes) + 1e-14 * out_of[b]);
    }
  }
  // The class flows are what was asked for.
  std::vector<double> asked(classes * classes, 0);
  for (const ClassShare& flow : made.flows) asked[flow.from * classes + flow.to] += flow.share;
  for (size_t k = 0; k < asked.size(); ++k) {
    const double found = static_cast<double>(between[k]) / static_cast<double>(sum);
    RC_ASSERT(std::fabs(found - asked[k]) <= 1e-11);
  }
  RC_ASSERT(result.changed_columns <= static_cast<double>(made.rows.columns.size()) + 1e-9);
}

// Two classes of rows that have a twin each in the other class, but for one column.
TEST(RowExchange, SendsRowsToTheirTwins) {
  ExchangedRows rows;
  rows.columns.resize(3);
  rows.columns[2].is_number = true;
  for (uint32_t k = 0; k < 40; ++k) {
    for (uint32_t a : {0u, 1u}) {
      rows.counts.push_back(1 + k % 3);
      rows.classes.push_back(a);
      rows.columns[0].values.push_back(a);
      rows.columns[1].values.push_back(k % 7);
      rows.columns[2].values.push_back(k * 10);
    }
  }
  const RowExchange result = exchange_rows(rows, {{0, 1, 0.25}, {1, 0, 0.25}}, {});
  EXPECT_EQ(result.flows.size(), 80u);
  EXPECT_NEAR(result.changed_columns, 1, 1e-12);
  EXPECT_GT(result.random_columns, 2.5);
}

// A class of two units is to give what rounds to more, and another has no rows at all: the flows between the
// others are not less for it.
TEST(RowExchange, TinyClassesDoNotConcernOthers) {
  const uint64_t large = uint64_t{1} << 40;
  const double all = 2 * static_cast<double>(large) + 2;
  ExchangedRows rows{{large, large, 2}, {0, 1, 2}, {}, 0};
  const std::vector<ClassShare> flows = {{0, 1, 0.25},      {1, 0, 0.25},      {0, 2, 2.7 / all},
                                         {2, 1, 1.6 / all}, {2, 0, 1.9 / all}, {0, 3, 1.1 / all},
                                         {3, 0, 1.1 / all}};
  const RowExchange result = exchange_rows(rows, flows, {});
  std::vector<uint64_t> in(3, 0), out(3, 0);
  for (const RowFlow& flow : result.flows) {
    if (flow.from + flow.to == 1) {
      EXPECT_NEAR(static_cast<double>(flow.weight), 0.25 * all, 4);
    }
    out[flow.from] += flow.weight;
    in[flow.to] += flow.weight;
  }
  EXPECT_EQ(in, out);
  EXPECT_LE(out[2], 2u);
}

TEST(RowExchange, SendsNumbersToTheNearest) {
  ExchangedRows rows{{1, 1, 1, 1}, {0, 0, 1, 1}, {{{1, 50, 52, 3}, 1, true}}};
  const RowExchange result = exchange_rows(rows, {{0, 1, 0.5}, {1, 0, 0.5}}, {});
  ASSERT_EQ(result.flows.size(), 4u);
  EXPECT_EQ(result.flows[0].to, 3u);
  EXPECT_EQ(result.flows[1].to, 2u);
}

TEST(RowDistance, AddsUpWeightsAndPartsOfRanges) {
  const std::vector<SimilarColumn> columns = {{{1, 2, 1}, 2, false}, {{0, 10, 5}, 1, true}};
  const RowDistance distance(columns);
  EXPECT_EQ(distance(0, 0), 0);
  EXPECT_EQ(distance(0, 1), 3);
  EXPECT_EQ(distance(0, 2), 0.5);
  const std::vector<double> own = class_distances(columns, {0, 1, 2}, 3);
  for (size_t a = 0; a < 3; ++a) {
    for (size_t b = 0; b < 3; ++b) EXPECT_EQ(own[a * 3 + b], distance(a, b));
  }
  EXPECT_EQ(class_distances(columns, {0, 1, 1}, 2)[1], 0.5);
}

}  // namespace
}  // namespace fugu
