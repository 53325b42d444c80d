#include "fugu/compose/joint_hockey_rounded.h"

namespace fugu::inline in_compose {
namespace {

class OutputWalk {
 public:
  OutputWalk(const std::vector<OutputRows>& releases, const std::vector<bool>& same_as_next,
             const std::vector<std::vector<double>>& laws)
      : releases_(releases), same_as_next_(same_as_next), laws_(laws), masses_(laws.size()) {
    left_.assign(releases.size() + 1, std::vector<double>(laws.front().size(), 1.0));
  }

  std::vector<std::vector<double>> masses() {
    visit(0, 0, 0, 1);
    return std::move(masses_);
  }

 private:
  // `run` releases before this one are the same as it, the last of them with the output `from`, as were
  // `equal` of them; `orders` counts in how many ways what was chosen so far can be spread over them.
  void visit(size_t release, size_t from, size_t run, double orders, size_t equal = 0) {
    if (release == releases_.size()) {
      for (size_t s = 0; s < laws_.size(); ++s) {
        double sum = 0;
        for (size_t x = 0; x < laws_[s].size(); ++x) sum += laws_[s][x] * left_[release][x];
        masses_[s].push_back(orders * sum);
      }
      return;
    }
    const OutputRows& rows = releases_[release];
    const bool again = run > 0, more = same_as_next_[release];
    for (size_t y = again ? from : 0; y < rows.size(); ++y) {
      for (size_t x = 0; x < rows[y].size(); ++x) left_[release + 1][x] = left_[release][x] * rows[y][x];
      // The n-th of one kind, and the m-th of that output: n/m times as many orders, a whole number.
      const size_t m = again && y == from ? equal + 1 : 1;
      const double ways = orders * static_cast<double>(run + 1) / static_cast<double>(m);
      visit(release + 1, more ? y : 0, more ? run + 1 : 0, ways, more ? m : 0);
    }
  }

  const std::vector<OutputRows>& releases_;
  const std::vector<bool>& same_as_next_;
  const std::vector<std::vector<double>>& laws_;
  std::vector<std::vector<double>> left_;  // of each value, before each release
  std::vector<std::vector<double>> masses_;
};

}  // namespace

std::vector<std::vector<double>> joint_output_masses(const std::vector<OutputRows>& releases,
                                                     const std::vector<bool>& same_as_next,
                                                     const std::vector<std::vector<double>>& laws) {
  return OutputWalk(releases, same_as_next, laws).masses();
}

}  // namespace fugu::inline in_compose
