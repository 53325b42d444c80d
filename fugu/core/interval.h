// Numbers known to lie between two bounds, rounded outward at every step (MPFI).
//
// The exponent range is the widest that MPFR has, about 2^62, so products of tiny masses do not underflow to
// zero.
#pragma once

#include <mpfi.h>

#include <algorithm>
#include <cstdint>

#include "fugu/core/number.h"

namespace fugu::inline in_core {

using Bits = mpfr_prec_t;

class Interval;
Interval log_factorial(uint64_t n, Bits precision);

class Interval {
 public:
  explicit Interval(Bits precision) {
    prepare_thread();
    mpfi_init2(value_, precision);
    mpfi_set_ui(value_, 0);
  }
  Interval(const Rational& value, Bits precision) {
    prepare_thread();
    mpfi_init2(value_, precision);
    mpfi_set_q(value_, value.backend().data());
  }
  // The interval between two doubles.
  Interval(double low, double high, Bits precision) {
    prepare_thread();
    mpfi_init2(value_, precision);
    mpfi_interv_d(value_, low, high);
  }
  Interval(const Integer& value, Bits precision) {
    prepare_thread();
    mpfi_init2(value_, precision);
    mpfi_set_z(value_, value.backend().data());
  }
  Interval(const Interval& other) {
    prepare_thread();
    mpfi_init2(value_, other.precision());
    mpfi_set(value_, other.value_);
  }
  Interval(Interval&& other) noexcept {
    mpfi_init2(value_, MPFR_PREC_MIN);
    mpfi_swap(value_, other.value_);
  }
  Interval& operator=(const Interval& other) {
    if (this == &other) return *this;
    mpfi_set_prec(value_, other.precision());
    mpfi_set(value_, other.value_);
    return *this;
  }
  Interval& operator=(Interval&& other) noexcept {
    mpfi_swap(value_, other.value_);
    return *this;
  }
  ~Interval() { mpfi_clear(value_); }

  Bits precision() const { return mpfi_get_prec(value_); }

  Interval& operator+=(const Interval& b) {
    mpfi_add(value_, value_, b.value_);
    return *this;
  }
  Interval& operator-=(const Interval& b) {
    mpfi_sub(value_, value_, b.value_);
    return *this;
  }
  Interval& operator*=(const Interval& b) {
    mpfi_mul(value_, value_, b.value_);
    return *this;
  }
  Interval& operator*=(uint64_t b) {
    static_assert(sizeof(unsigned long) == sizeof(uint64_t));
    mpfi_mul_ui(value_, value_, b);
    return *this;
  }
  Interval& operator/=(const Interval& b) {
    mpfi_div(value_, value_, b.value_);
    return *this;
  }
  friend Interval operator+(Interval a, const Interval& b) { return std::move(a += b); }
  friend Interval operator-(Interval a, const Interval& b) { return std::move(a -= b); }
  friend Interval operator*(Interval a, const Interval& b) { return std::move(a *= b); }
  friend Interval operator/(Interval a, const Interval& b) { return std::move(a /= b); }

  friend Interval exp(Interval a) {
    mpfi_exp(a.value_, a.value_);
    return a;
  }
  friend Interval log(Interval a) {
    mpfi_log(a.value_, a.value_);
    return a;
  }
  friend Interval sqrt(Interval a) {
    mpfi_sqrt(a.value_, a.value_);
    return a;
  }

  // 2/sqrt(pi) times the integral of e^(-t^2) from a to infinity; decreasing.
  friend Interval erfc(const Interval& a) {
    Interval result(a.precision());
    mpfr_erfc(&result.value_->left, &a.value_->right, MPFR_RNDD);
    mpfr_erfc(&result.value_->right, &a.value_->left, MPFR_RNDU);
    return result;
  }

  // log n!
  friend Interval log_factorial(uint64_t n, Bits precision) {
    Interval result(precision), argument(Integer(n) + 1, std::max<Bits>(precision, 66));
    mpfr_lngamma(&result.value_->left, &argument.value_->left, MPFR_RNDD);
    mpfr_lngamma(&result.value_->right, &argument.value_->right, MPFR_RNDU);
    return result;
  }

  // max(a, 0), end by end.
  friend Interval positive_part(Interval a) {
    if (mpfr_sgn(&a.value_->left) < 0) mpfr_set_zero(&a.value_->left, 1);
    if (mpfr_sgn(&a.value_->right) < 0) mpfr_set_zero(&a.value_->right, 1);
    return a;
  }
  // Every real between the two intervals' ends, both included.
  friend Interval hull(Interval a, const Interval& b) {
    mpfi_union(a.value_, a.value_, b.value_);
    return a;
  }

  static Interval pi(Bits precision) {
    Interval result(precision);
    mpfi_const_pi(result.value_);
    return result;
  }

  bool certainly_positive() const { return mpfr_sgn(&value_->left) > 0; }
  bool certainly_not_positive() const { return mpfr_sgn(&value_->right) <= 0; }

  // a^n for a >= 0, each end rounded outward once.
  friend Interval pow(const Interval& a, uint64_t n) {
    Interval result(a.precision());
    mpfr_pow_ui(&result.value_->left, &a.value_->left, n, MPFR_RNDD);
    mpfr_pow_ui(&result.value_->right, &a.value_->right, n, MPFR_RNDU);
    return result;
  }

  bool is_zero() const { return mpfi_is_zero(value_) > 0; }

  // Decisions, exact on the ends: "certainly" means for every pair of members.
  friend bool certainly_less(const Interval& a, const Interval& b) {
    return mpfr_less_p(&a.value_->right, &b.value_->left) != 0;
  }
  friend bool certainly_at_most(const Interval& a, const Interval& b) {
    return mpfr_lessequal_p(&a.value_->right, &b.value_->left) != 0;
  }
  // Order by upper (lower) ends, to find the interval whose end decides.
  friend bool upper_less(const Interval& a, const Interval& b) {
    return mpfr_less_p(&a.value_->right, &b.value_->right) != 0;
  }
  friend bool lower_less(const Interval& a, const Interval& b) {
    return mpfr_less_p(&a.value_->left, &b.value_->left) != 0;
  }

  // MPFI writes an upper end of zero as -0; adding 0 makes it plain.
  double upper() const { return mpfr_get_d(&value_->right, MPFR_RNDU) + 0.0; }
  double lower() const { return mpfr_get_d(&value_->left, MPFR_RNDD) + 0.0; }

  // The least n / 2^bits that is not below any member; n as an integer.
  Integer ceil_scaled(uint64_t bits) const {
    mpfr_t scaled;
    mpfr_init2(scaled, precision() + 64);
    mpfr_mul_2ui(scaled, &value_->right, bits, MPFR_RNDU);
    Integer result;
    mpfr_get_z(result.backend().data(), scaled, MPFR_RNDU);
    mpfr_clear(scaled);
    return result;
  }

 private:
  // MPFR's range is a setting of each thread, and narrower (2^30) until asked for; and what MPFR keeps for a
  // thread that ends is lost unless it is freed.
  static void prepare_thread() {
    struct Thread {
      Thread() {
        mpfr_set_emin(mpfr_get_emin_min());
        mpfr_set_emax(mpfr_get_emax_max());
      }
      ~Thread() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
      Thread(const Thread&) = delete;
    };
    thread_local const Thread thread;
  }

  mpfi_t value_;
};

// Runs `attempt(precision)` with more and more bits until it returns a decision (an engaged optional).
// Returns nullopt when even the last precision did not decide.
template <class Attempt>
auto decide_with_more_bits(Attempt attempt, Bits first = 128, Bits last = 8192) {
  auto decision = attempt(first);
  for (Bits bits = first * 2; !decision && bits <= last; bits *= 2) decision = attempt(bits);
  return decision;
}

}  // namespace fugu::inline in_core
