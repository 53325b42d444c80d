#include "fugu/calibrate/crowd_law.h"

#include <gtest/gtest.h>
#include <mpfr.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include "fugu/calibrate/sliding_sum.h"
#include "fugu/core/error.h"
#include "fugu/core/json.h"
#include "tests/support/random_crowd.h"

namespace fugu {
namespace {

using Exact = testing::ExactLaw;
using testing::exact_sum;

// The law's own promise: each mass within the relative error, but for what was cut.
void expect_within_bounds(const SumLaw& law, const Exact& truth) {
  const Rational error = exact(law.relative_error()), missing = exact(law.cut()) + exact(law.underflow());
  Rational lost(0);
  for (const auto& [x, p] : truth) {
    const Rational mass = exact(law.at(x));
    if (mass * (1 - error) > p) lost += mass * (1 - error) - p;
    if (mass * (1 + error) < p) lost += p - mass * (1 + error);
  }
  RC_ASSERT(lost <= missing);
  RC_ASSERT(law.cut() <= 1e-220 * static_cast<double>(law.masses().size() + 1000));
  RC_ASSERT(law.relative_error() < 1e-11);
}

CrowdUsers random_users(const std::vector<int64_t>& values) {
  CrowdUsers users;
  for (int64_t value : values) {
    users.values.push_back(value);
    users.masses.emplace_back(
        *rc::gen::weightedElement<int>({{1, 0}, {3, 1}, {3, 7}, {2, 100}, {1, 1000000}}),
        *rc::gen::element<int>(1, 3, 1000, 1 << 20));
  }
  users.masses[*rc::gen::inRange<size_t>(0, values.size())] = Rational(1, 3);
  users.copies = *rc::gen::element<uint64_t>(1, 1, 1, 2, 13);
  return users;
}

std::vector<int64_t> random_values() {
  static const std::vector<std::vector<int64_t>> kValues = {{0, 1},     {0, 1},   {-1, 2},   {0, 1, 5},
                                                            {3, -4, 0}, {0, 100}, {7, 7, 8}, {0, 40, -13}};
  return kValues[*rc::gen::inRange<size_t>(0, kValues.size())];
}

RC_GTEST_PROP(SumLaw, holds_every_mass_within_its_bound, ()) {
  std::vector<LatticeTerm> terms;
  Exact truth{{0, Rational(1)}};
  for (int kind = *rc::gen::inRange(0, 12); kind > 0; --kind) {
    const CrowdUsers users = random_users(random_values());
    terms.push_back(term_of(users));
    truth = exact_sum(truth, users, users.copies);
  }
  const SumLaw law = law_of_sum(terms);
  expect_within_bounds(law, truth);
  for (const auto& [x, p] : truth) {  // and much closer than the bound says
    if (p > Rational(1, Integer(1) << 720))
      RC_ASSERT(std::fabs(static_cast<double>(Rational(exact(law.at(x)) / p)) - 1) < 1e-13);
  }
}

RC_GTEST_PROP(SumLaw, leaves_out_each_kind_in_turn, ()) {
  std::vector<CrowdUsers> kinds;
  std::vector<LatticeTerm> terms;
  for (int kind = *rc::gen::inRange(1, 9); kind > 0; --kind) {
    kinds.push_back(random_users(random_values()));
    terms.push_back(term_of(kinds.back()));
  }
  const std::vector<double> noise{0.25, 0.5, 0.25};
  std::map<size_t, SumLaw> found;
  std::mutex mutex;
  for_each_leave_one_out(terms, SumLaw(-1, noise, 0, 0), [&](size_t kind, const SumLaw& law) {
    const std::lock_guard lock(mutex);
    RC_ASSERT(found.emplace(kind, law).second);
  });
  RC_ASSERT(found.size() == kinds.size());
  for (const auto& [left_out, law] : found) {
    Exact truth{{-1, Rational(1, 4)}, {0, Rational(1, 2)}, {1, Rational(1, 4)}};
    for (size_t k = 0; k < kinds.size(); ++k)
      truth = exact_sum(truth, kinds[k], kinds[k].copies - (k == left_out ? 1 : 0));
    expect_within_bounds(law, truth);
  }
}

// Masses of so many users with 300 bits, from 0 on.
std::vector<double> with_many_bits(const std::vector<Rational>& probabilities) {
  constexpr mpfr_prec_t kBits = 300;
  std::vector<mpfr_t> law(probabilities.size() + 1);
  for (auto& mass : law) {
    mpfr_init2(mass, kBits);
    mpfr_set_zero(mass, 1);
  }
  mpfr_set_ui(law[0], 1, MPFR_RNDN);
  mpfr_t p, rest, part;
  mpfr_inits2(kBits, p, rest, part, nullptr);
  for (size_t i = 0; i < probabilities.size(); ++i) {
    mpfr_set_q(p, probabilities[i].backend().data(), MPFR_RNDN);
    mpfr_ui_sub(rest, 1, p, MPFR_RNDN);
    for (size_t k = i + 2; k-- > 0;) {
      mpfr_mul(law[k], law[k], rest, MPFR_RNDN);
      if (k == 0) continue;
      mpfr_mul(part, law[k - 1], p, MPFR_RNDN);
      mpfr_add(law[k], law[k], part, MPFR_RNDN);
    }
  }
  std::vector<double> result;
  for (auto& mass : law) {
    result.push_back(mpfr_get_d(mass, MPFR_RNDN));
    mpfr_clear(mass);
  }
  mpfr_clears(p, rest, part, nullptr);
  return result;
}

TEST(SumLaw, IsAccurateIntoTailsOf1e200) {
  std::vector<Rational> probabilities;
  std::vector<LatticeTerm> terms;
  for (int k = 0; k < 2000; ++k) {
    probabilities.emplace_back((k * 7919) % 9973 + 1, 10000);
    terms.push_back(term_of({{1 - probabilities.back(), probabilities.back()}, {0, 1}, 1}));
  }
  const SumLaw law = law_of_sum(terms);
  const auto truth = with_many_bits(probabilities);
  double least = 1, worst = 0;
  for (size_t k = 0; k < truth.size(); ++k) {
    if (truth[k] < 1e-200) continue;
    least = std::min(least, truth[k]);
    worst = std::max(worst, std::fabs(law.at(static_cast<int64_t>(k)) / truth[k] - 1));
  }
  EXPECT_LT(least, 1e-199);
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(worst, law.relative_error());
}

TEST(SumLaw, SquaringGivesWhatAddingOneByOneGives) {
  const LatticeTerm term = term_of({{Rational(3, 10), Rational(7, 10)}, {0, 1}, 1});
  SumLaw at_once, one_by_one;
  at_once.add(term, 10001);
  for (int k = 0; k < 10001; ++k) one_by_one.add(term, 1);
  double worst = 0;
  for (int64_t k = 5600; k <= 8200; ++k)
    worst = std::max(worst, std::fabs(at_once.at(k) / one_by_one.at(k) - 1));
  EXPECT_LT(at_once.at(5600), 1e-190);
  EXPECT_LT(worst, 1e-11);
  EXPECT_LT(at_once.relative_error(), 2e-11);
}

TEST(SumLaw, AllUsersSureIsOnePoint) {
  const LatticeTerm term = term_of({{Rational(0), Rational(5)}, {0, 3}, 1});
  SumLaw law;
  law.add(term, 1'000'000);
  EXPECT_EQ(law.first(), 3'000'000);
  EXPECT_EQ(law.masses().size(), 1u);
  EXPECT_EQ(law.masses()[0], 1);
}

TEST(SumLaw, RefusesWindowsThatAreTooWide) {
  SumLaw law;
  EXPECT_THROW(law.add(term_of({{Rational(1), Rational(1)}, {0, int64_t{1} << 39}, 1}), 1), Error);
}

TEST(SumLaw, CountsWhatItCutsOff) {
  SumLaw law(1e-6);
  const LatticeTerm term = term_of({{Rational(1), Rational(1)}, {0, 1}, 1});
  law.add(term, 100);
  double sum = 0;
  for (double mass : law.masses()) sum += mass;
  EXPECT_GT(law.cut(), 0);
  EXPECT_LE(1 - sum, law.cut() + 1e-13);
}

// The 78 probabilities that the paper prints: 25 users, p = 0.7.
TEST(SumLaw, GivesThePapersBinomialProbabilities) {
  std::ifstream file(FUGU_SOURCE_DIR "/tests/data/paper.json");
  std::stringstream text;
  text << file.rdbuf();
  const Json json = parse_json(text.str(), "paper.json");
  const LatticeTerm term = term_of({{Rational(3, 10), Rational(7, 10)}, {0, 1}, 25});
  std::map<std::string, SumLaw> laws;
  for_each_leave_one_out(std::vector{term}, SumLaw(), [&](size_t, const SumLaw& others) {
    laws.emplace("zero", others);
    laws.emplace("one", others);
    laws.emplace("absent", others).first->second.add(term, 1);
  });
  for (const auto& [name, shift] : {std::pair{"zero", 0}, {"one", 1}, {"absent", 0}}) {
    const auto& printed = *json.find("binomial")->find(name)->if_array();
    ASSERT_EQ(printed.size(), 26u);
    for (size_t k = 0; k < printed.size(); ++k) {
      const double truth = std::strtod(printed[k].if_number()->literal.c_str(), nullptr);
      const double mass = laws.at(name).at(static_cast<int64_t>(k) - shift);
      EXPECT_NEAR(mass, truth, 1e-12 * truth) << name << " " << k;
    }
  }
}

// What the registers hold makes no difference: the same by definition, in one fused multiply-add each.
RC_GTEST_PROP(SlidingSum, is_the_same_bit_by_bit_as_one_cell_at_a_time, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, 300);
  const auto terms = *rc::gen::element<size_t>(1, 2, 3, 7, 25, 40, 127, 128, 200, 301);
  std::vector<size_t> offsets;
  std::vector<double> masses;
  for (size_t j = 0; j < terms; ++j) {
    offsets.push_back(offsets.empty() ? 0 : offsets.back() + *rc::gen::inRange<size_t>(1, 4));
    masses.push_back(1.0 / static_cast<double>(*rc::gen::inRange(1, 1000)));
  }
  const bool dense = *rc::gen::arbitrary<bool>();
  const size_t most = dense ? terms - 1 : offsets.back(), margin = most + kSlidingBlock;
  std::vector<double> cells(margin + count + margin, 0.0);
  for (size_t k = 0; k < count; ++k)
    cells[margin + k] = 1.0 / static_cast<double>(*rc::gen::inRange(1, 1000));
  std::vector<double> expected = cells;
  for (size_t k = 0; k < count + most; ++k) {
    double sum = 0;
    for (size_t j = 0; j < terms; ++j)
      sum = std::fma(masses[j], cells[margin + k - (dense ? j : offsets[j])], sum);
    expected[margin + k] = sum;
  }
  sliding_sum(cells.data() + margin, count + most, dense ? std::span<const size_t>{} : offsets, masses);
  RC_ASSERT(cells == expected);
}

}  // namespace
}  // namespace fugu
