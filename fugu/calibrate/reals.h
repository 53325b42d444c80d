// Positive numbers in doubles for guesses: plain, or by their logarithms where masses underflow.
#pragma once

#include <cmath>
#include <utility>

namespace fugu::inline in_calibrate {

// A positive number by its logarithm, for masses that underflow a double.
struct LogReal {
  double log = -HUGE_VAL;
  static LogReal of(double value) { return {std::log(value)}; }
  static LogReal power(double exponent) { return {exponent}; }
  friend LogReal operator*(LogReal a, LogReal b) { return {a.log + b.log}; }
  friend LogReal operator+(LogReal a, LogReal b) {
    if (a.log < b.log) std::swap(a, b);
    return b.log == -HUGE_VAL ? a : LogReal{a.log + std::log1p(std::exp(b.log - a.log))};
  }
  friend bool operator<(LogReal a, LogReal b) { return a.log < b.log; }
  double logarithm() const { return log; }
  bool usable() const { return true; }
};

struct PlainReal {
  double value = 0;
  static PlainReal of(double value) { return {value}; }
  static PlainReal power(double exponent) { return {std::exp(exponent)}; }
  friend PlainReal operator*(PlainReal a, PlainReal b) { return {a.value * b.value}; }
  friend PlainReal operator+(PlainReal a, PlainReal b) { return {a.value + b.value}; }
  friend bool operator<(PlainReal a, PlainReal b) { return a.value < b.value; }
  double logarithm() const { return std::log(value); }
  bool usable() const { return value > 1e-280; }  // below, digits may already be lost
};

}  // namespace fugu::inline in_calibrate
