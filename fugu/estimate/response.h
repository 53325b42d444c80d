// What a release does to each true value, as a table of probabilities in doubles: for estimates, not for
// proofs.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "fugu/plan/published.h"

namespace fugu::inline in_estimate {

class Response {
 public:
  // `domain` holds the true values that are possible, increasing. Precondition: a channel has a row for each.
  Response(const PublishedColumn& column, std::vector<int64_t> domain);

  // Probabilities: a row for each released value, a column for each true one. Values far outside, which only
  // the tails of the noise reach, are gathered in the outermost rows.
  const Eigen::MatrixXd& table() const { return table_; }
  size_t row_of(int64_t released) const;
  const std::vector<int64_t>& domain() const { return domain_; }

 private:
  void fill_noise(const Noise& noise, const PublishedColumn& column);
  void fill_channel(const Channel& channel);

  std::vector<int64_t> domain_;
  int64_t row_first_ = 0;
  std::vector<int64_t> outputs_;  // of a channel
  Eigen::MatrixXd table_;
};

}  // namespace fugu::inline in_estimate
