// Epsilon and delta: exact numbers with a legal range, and what they mean in words.
#pragma once

#include <string>

#include "fugu/core/error.h"
#include "fugu/core/number.h"

namespace fugu::inline in_law {

// kLeast <= epsilon <= kMost, exact as written.
class Epsilon {
 public:
  // Error of the given kind, its message beginning with `place` ("--epsilon", "plan.json: epsilon").
  static Epsilon parse(std::string_view text, const std::string& place, ErrorKind kind);
  const Rational& value() const { return value_; }
  std::string text() const { return short_text_up(value_); }
  friend bool operator==(const Epsilon&, const Epsilon&) = default;

 private:
  explicit Epsilon(Rational value) : value_(std::move(value)) {}
  Rational value_;
};

// 0, which is pure epsilon, or 1e-60 <= delta < 1; exact as written.
class Delta {
 public:
  Delta() = default;
  static Delta parse(std::string_view text, const std::string& place, ErrorKind kind);
  const Rational& value() const { return value_; }
  std::string text() const { return short_text_up(value_); }
  bool is_zero() const { return value_ == 0; }
  friend bool operator==(const Delta&, const Delta&) = default;

 private:
  explicit Delta(Rational value) : value_(std::move(value)) {}
  Rational value_;
};

struct Budget {
  Epsilon epsilon;
  Delta delta = {};
  friend bool operator==(const Budget&, const Budget&) = default;
};

// What must hold under a prior so that `stated` holds under every belief within max-divergence lambda of it,
// both ways: epsilon - 2 lambda, and delta e^-lambda rounded down to a decimal (docs/math.md, section 9).
// Precondition: lambda > 0. Error of the given kind when nothing is left of either.
Budget tightened(const Budget& stated, const Rational& lambda, const std::string& place, ErrorKind kind);

// "becomes at most 62.3 %", of a belief of 50 %: e^eps/(1+e^eps), rounded up.
std::string half_becomes(const Epsilon& epsilon);

// "a 50 % belief in either of two secrets becomes at most 62.3 %".
std::string in_words(const Epsilon& epsilon);

// The promise of both: the same with delta 0; else "whatever is concluded is at most e^0.5 times as likely
// under one secret as under the other, plus 1e-05".
std::string in_words(const Epsilon& epsilon, const Delta& delta);

}  // namespace fugu::inline in_law
