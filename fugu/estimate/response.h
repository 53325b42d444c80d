// What a release does to each true value, as a table of probabilities in doubles: for estimates, not for
// proofs.
#pragma once

#include <Eigen/Dense>
#include <cstdint>
#include <utility>
#include <vector>

#include "fugu/estimate/published.h"

namespace fugu {

// How many steps the noise stays within but for a mass of `left` on each side: (down, up).
std::pair<int64_t, int64_t> reach_of(const Noise& noise, double left);

// The least t with P(|sum of that many draws| > t) <= miss. Precondition: the sum's variance is at most 400.
int64_t widest_sum(const Noise& noise, uint64_t draws, double miss);

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

}  // namespace fugu
