// Rows in an order that nobody can guess, of any number in bounded memory: each row goes to one of 256 heaps
// at random, and each heap is shuffled by itself when it is written.
//
// Every order of the rows is equally likely: those of which each heap holds a given number are, and the
// numbers say nothing of which rows they are of. What does not fit into memory waits in files without names.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fugu/core/number.h"
#include "fugu/file/byte_sink.h"
#include "fugu/sample/random.h"

namespace fugu::inline in_release {

// Uniform on 0 … bound - 1, exactly: the high word of a product, with the words refused that would favour
// some.
inline uint64_t below(SecureRandom& random, uint64_t bound) {
  for (;;) {
    const Wide product = Wide(random.word()) * bound;
    const auto low = static_cast<uint64_t>(product);
    if (low >= bound || low >= -bound % bound) return static_cast<uint64_t>(product >> 64);
  }
}

// Every order equally likely. Error (io) from the generator.
template <class Row>
void shuffle(SecureRandom& random, std::vector<Row>& rows) {
  for (size_t left = rows.size(); left > 1; --left) std::swap(rows[left - 1], rows[below(random, left)]);
}

// The numbers below `rows`, every order equally likely. Error (io) from the generator.
std::vector<int64_t> random_order(size_t rows);

inline constexpr size_t kHeaps = 256;

// Some rows, by their heaps: a row's size in four bytes, then the row.
struct ScatteredRows {
  std::string text = {};
  std::array<size_t, kHeaps + 1> begin = {};  // of each heap's part of `text`
};

// Whole rows, each with its line end, and where each of them ends. Only who wrote them knows that: a quote in
// a text need not open a quoted field.
ScatteredRows scatter(SecureRandom& random, std::string_view rows, const std::vector<uint32_t>& ends);

class ShuffledRows {
 public:
  explicit ShuffledRows(size_t held = size_t{1} << 30);  // bytes in memory, before files are used
  ~ShuffledRows();

  // Error (io) from a file.
  void add(const ScatteredRows& rows);
  // Writes every row once. Error (io) from the generator, a file or the sink.
  void write(ByteSink& sink);

 private:
  class Heap;
  std::vector<Heap> heaps_;
  size_t most_held_, held_ = 0;
};

}  // namespace fugu::inline in_release
