#include "fugu/law/band_prices.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace fugu {
namespace {

using Bounds = std::vector<MassBox>;

// Bounds around a law, so that there is one within them.
struct Question {
  std::vector<double> weights;
  Bounds boxes, band;
};

Question random_question(double box_width, double band_width) {
  const auto size = *rc::gen::inRange<size_t>(1, 12);
  Question question;
  std::vector<double> law;
  for (size_t k = 0; k < size; ++k) {
    question.weights.push_back(*rc::gen::inRange(0, 20));
    law.push_back(*rc::gen::inRange(0, 8));
  }
  law[0] += 1;
  const double total = std::accumulate(law.begin(), law.end(), 0.0);
  double sum = 0;
  auto part = [] { return *rc::gen::inRange(0, 101) / 100.0; };
  for (double& mass : law) {
    mass /= total;
    sum += mass;
    question.boxes.push_back(
        {std::max(0.0, mass - box_width * part()), std::min(1.0, mass + box_width * part())});
    question.band.push_back(
        {std::max(0.0, sum - band_width * part()), std::min(1.0, sum + band_width * part())});
  }
  question.band.back() = {1, 1};
  return question;
}

std::vector<size_t> order_of(const std::vector<double>& weights) {
  std::vector<size_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return weights[a] < weights[b]; });
  return order;
}

// The bound of docs/math.md, section 9.
double dual_value(const Question& question, const std::vector<uint32_t>& prices) {
  auto most = [](double difference, const MassBox& box) {
    return difference * (difference > 0 ? box.high : box.low);
  };
  double sum = question.weights[prices.back()];
  for (size_t k = 0; k < prices.size(); ++k) {
    sum += most(question.weights[k] - question.weights[prices[k]], question.boxes[k]);
    if (k + 1 < prices.size())
      sum += most(question.weights[prices[k]] - question.weights[prices[k + 1]], question.band[k]);
  }
  return sum;
}

// A law within all bounds whose sum is the bound: then neither can be better.
void expect_optimal(const Question& question) {
  const auto order = order_of(question.weights);
  const auto prices = band_prices(order, question.boxes, &question.band);
  const auto law = law_at_prices(order, prices, question.boxes, question.band);
  double value = 0, sum = 0;
  for (size_t k = 0; k < law.size(); ++k) {
    value += question.weights[k] * law[k];
    sum += law[k];
    RC_ASSERT(law[k] >= question.boxes[k].low - 1e-12);
    RC_ASSERT(law[k] <= question.boxes[k].high + 1e-12);
    RC_ASSERT(sum >= question.band[k].low - 1e-12);
    RC_ASSERT(sum <= question.band[k].high + 1e-12);
  }
  RC_ASSERT(std::abs(value - dual_value(question, prices)) <= 1e-11);
}

RC_GTEST_PROP(BandPricesProperty, ALawWithinBoxesAndBandAttainsTheBound, ()) {
  expect_optimal(random_question(0.3, 0.15));
}

RC_GTEST_PROP(BandPricesProperty, ALawWithinABandAloneAttainsTheBound, ()) {
  Question question = random_question(1, 0.2);
  question.boxes.assign(question.boxes.size(), {0, 1});
  expect_optimal(question);
}

// Without a band it is the filling by weight: one price for all.
RC_GTEST_PROP(BandPricesProperty, ABandThatSaysNothingChangesNothing, ()) {
  Question question = random_question(0.3, 0.15);
  const auto order = order_of(question.weights);
  const auto filling = band_prices(order, question.boxes, nullptr);
  RC_ASSERT(std::equal(filling.begin() + 1, filling.end(), filling.begin()));
  question.band.assign(question.band.size(), {0, 1});
  question.band.back() = {1, 1};
  const auto prices = band_prices(order, question.boxes, &question.band);
  RC_ASSERT(std::abs(dual_value(question, prices) - dual_value(question, filling)) <= 1e-12);
}

}  // namespace
}  // namespace fugu
