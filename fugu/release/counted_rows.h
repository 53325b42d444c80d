// The rows of a table of which is known how often each occurs, in an order that nobody can guess: nothing is
// read once more.
//
// Each row goes to one of some heaps at random, and each heap is shuffled by itself when its turn comes; so
// every order of the rows is equally likely, as in shuffle.h. Rows of equal texts are equal, and until then a
// heap is how many of each it holds: what takes memory is distinct rows and one heap.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/file/byte_source.h"
#include "fugu/sample/random.h"
#include "fugu/table/tally.h"

namespace fugu::inline in_release {

class CountedRows final : public ByteSource {
 public:
  // As records of CSV, fields parted by `separator`. Null for so many distinct rows that it would take more
  // than about 20 MB. Error (io) from the generator.
  static std::unique_ptr<CountedRows> in_random_order(const Tally& rows, char separator);

  // Error (io) from the generator.
  size_t read(char* to, size_t size) override;
  double fraction() const override { return done_.fraction(); }

 private:
  CountedRows(const Tally& rows, char separator, uint64_t total, size_t heaps);
  void scatter(size_t row, uint64_t times);
  void shuffle(size_t heap);

  std::vector<std::string> records_;  // the distinct rows, each with its line end
  size_t heaps_;                      // a power of two
  std::vector<uint32_t> held_;        // by distinct row, by heap: how many
  size_t next_heap_ = 0;
  std::vector<uint32_t> order_;  // of the heap whose turn it is
  size_t next_ = 0;              // in that order
  std::string_view rest_;        // of the row that is being read
  SecureRandom random_;
  RowsRead done_;
};

}  // namespace fugu::inline in_release
