// P(y|s) of several columns with Laplace noise on each, on the product grid of their atoms.
//
// Which outputs suffice (docs/math.md, section 11): with all columns but one fixed, P(y|s) is that of a
// single column with other weights, so the ratio of two secrets is largest at an atom of that column, and
// constant beyond the outermost. Column by column: it is largest on the grid of every column's atoms. The
// joint values alone do not suffice.
#pragma once

#include <cstdint>
#include <vector>

#include "fugu/proof/kernel.h"

namespace fugu::inline in_proof {

// By axis, the atoms of a prior's secrets, increasing. A cell of the grid is numbered with the last axis
// running fastest.
class ProductGrid {
 public:
  ProductGrid(const Claim& claim, const Prior& prior);
  const std::vector<std::vector<int64_t>>& axes() const { return axes_; }
  size_t cells() const { return cells_; }
  size_t cell(const std::vector<int64_t>& point) const;
  std::vector<int64_t> point(size_t cell) const;

 private:
  std::vector<std::vector<int64_t>> axes_;
  size_t cells_ = 1;
};

// Whether the grid of every prior, times its secrets, is small enough to look at. Precondition: several
// columns.
bool grid_is_small(const Claim& claim);
// Error (usage) where it is not.
void check_grid(const Claim& claim);

// The outputs are the cells of the prior's grid. The claim and the bounds must outlive it.
class GridKernel : public Kernel {
 public:
  GridKernel(const Claim& claim, const Prior& prior, const JointBounds& bounds);
  Masses of(const Law& law, bool with_gaps) const override;

 private:
  const Claim& claim_;
  const JointBounds& bounds_;
  ProductGrid grid_;
  std::vector<std::vector<Interval>> powers_;  // by axis, tail^gap to the next atom
};

}  // namespace fugu::inline in_proof
