// P(y|s) of several columns with Laplace noise on each, on the product grid of their atoms.
//
// Which outputs suffice (docs/math.md, section 11): with all columns but one fixed, P(y|s) is that of a
// single column with other weights, so the ratio of two secrets is largest at an atom of that column, and
// constant beyond the outermost. Column by column: it is largest on the grid of every column's atoms. The
// joint values alone do not suffice.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fugu/scenario/scenario.h"
#include "fugu/proof/kernel.h"

namespace fugu {

// By axis, the atoms of a prior's secrets, increasing. A cell of the grid is numbered with the last axis
// running fastest.
class ProductGrid {
 public:
  ProductGrid(const Scenario& scenario, const Prior& prior);
  const std::vector<std::vector<int64_t>>& axes() const { return axes_; }
  size_t cells() const { return cells_; }
  size_t cell(const std::vector<int64_t>& point) const;
  std::vector<int64_t> point(size_t cell) const;

 private:
  std::vector<std::vector<int64_t>> axes_;
  size_t cells_ = 1;
};

// Error (usage) when the grid of a prior, times its secrets, is too large to look at. Precondition: several
// columns.
void check_grid(const Scenario& scenario);

// The outputs are the cells of the prior's grid. The scenario and the bounds must outlive what comes back.
std::unique_ptr<Kernel> joint_masses(const Scenario& scenario, const Prior& prior,
                                           const JointBounds& bounds);

}  // namespace fugu
