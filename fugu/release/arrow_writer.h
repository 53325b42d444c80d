// How released values become Arrow: the type of the column, and its arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fugu/arrow/arrow_abi.h"
#include "fugu/arrow/arrow_build.h"
#include "fugu/arrow/arrow_type.h"
#include "fugu/release/column_map.h"
#include "fugu/release/released_values.h"

namespace fugu::inline in_release {

// How the released values of a column of that type are written: the same type where the released values are
// held within a range that fits into it, or noise adds nothing; else 64-bit whole numbers (the widest
// decimals) or floats for numbers, text for categories. How far the values reach decides none of that, but
// for numbers next to the end of 64 bits.
ArrowType released_type(const ArrowType& type, const ColumnRelease& column);

// A column on its way out, written from several threads at once. `values` and the column must outlive it.
class ArrowColumnWriter {
 public:
  // With room for so many rows.
  ArrowColumnWriter(const ArrowType& type, const ColumnRelease& column, const ReleasedValues& values,
                    size_t rows);
  ~ArrowColumnWriter();
  ArrowColumnWriter(ArrowColumnWriter&&) noexcept;

  // The lattice points to be written from this row on; each row is written once. Error (io) for one that does
  // not fit into the type.
  void write(size_t row, std::span<const int64_t> index);
  // When all is written: so many rows at `from` come to stand at `to`, which is not behind it.
  void move(size_t to, size_t from, size_t count);
  // The arrays of the first rows: one, or of types without a fixed width one for each of these lengths. Error
  // (usage) for texts of more than 2 GiB where the type has no room for them.
  std::vector<Owned<ArrowArray>> finish(const std::vector<size_t>& lengths);

 private:
  class Writer;
  std::unique_ptr<const Writer> writer_;
  size_t width_;  // in bytes, of a row
  ArrowBuffer rows_;
};

// The array of these lattice points. Errors of ArrowColumnWriter.
Owned<ArrowArray> write_released(const std::vector<int64_t>& index, const ArrowType& type,
                                 const ColumnRelease& column, const ReleasedValues& values);

}  // namespace fugu::inline in_release
