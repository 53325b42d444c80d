#include "fugu/estimate/likeliest.h"

#include <cmath>

namespace fugu::inline in_estimate {
namespace {

constexpr int kMostSteps = 5000;
constexpr double kGain = 1e-9;

// Only values that were released say anything.
class Ascent {
 public:
  Ascent(const Eigen::MatrixXd& table, const Eigen::VectorXd& released)
      : table_((released.array() > 0).count(), table.cols()), released_(table_.rows()) {
    Eigen::Index at = 0;
    for (Eigen::Index y = 0; y < released.size(); ++y) {
      if (released(y) <= 0) continue;
      table_.row(at) = table.row(y);
      released_(at++) = released(y);
    }
  }

  Eigen::VectorXd step(const Eigen::VectorXd& p) const {
    const Eigen::VectorXd ratio = released_.cwiseQuotient(table_ * p);
    Eigen::VectorXd next = p.cwiseProduct(table_.transpose() * ratio);
    return next / next.sum();
  }

  double value(const Eigen::VectorXd& p) const { return released_.dot((table_ * p).array().log().matrix()); }

 private:
  Eigen::MatrixXd table_;
  Eigen::VectorXd released_;
};

Eigen::VectorXd even_shares(const Eigen::MatrixXd& table) {
  return Eigen::VectorXd::Constant(table.cols(), 1.0 / static_cast<double>(table.cols()));
}

}  // namespace

Eigen::VectorXd likeliest(const Eigen::MatrixXd& table, const Eigen::VectorXd& released,
                          const Progress& progress) {
  const Ascent ascent(table, released);
  Eigen::VectorXd p = even_shares(table);
  double value = ascent.value(p);
  for (int k = 0; k < kMostSteps; k += 3) {
    report(progress, static_cast<double>(k) / kMostSteps, "finding the likeliest distribution");
    const Eigen::VectorXd one = ascent.step(p), two = ascent.step(one);
    const Eigen::VectorXd first = one - p, bend = two - one - first;
    Eigen::VectorXd next = two;
    double reached = ascent.value(two);
    if (const double size = bend.norm(); size > 0) {
      // Squared extrapolation: kept where it stays a distribution and is likelier than the plain steps.
      const double stride = -std::max(1.0, first.norm() / size);
      const Eigen::VectorXd far = p - 2 * stride * first + stride * stride * bend;
      if (far.minCoeff() > 0) {
        const Eigen::VectorXd settled = ascent.step(far / far.sum());
        if (const double there = ascent.value(settled); there > reached) {
          next = settled;
          reached = there;
        }
      }
    }
    const double gain = reached - value;
    p = std::move(next);
    value = reached;
    if (gain < kGain) break;
  }
  return p;
}

}  // namespace fugu::inline in_estimate
