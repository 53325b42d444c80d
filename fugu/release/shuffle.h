// Rows in an order that nobody can guess: all of them are held in memory, the output's size and 16 bytes a
// row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fugu/file/byte_sink.h"

namespace fugu::inline in_release {

class ShuffledRows {
 public:
  // Whole rows, each with its line end, and where each of them ends. Only who wrote them knows that: a quote
  // in a text need not open a quoted field.
  void add(std::string rows, const std::vector<uint32_t>& ends);
  // Writes every row once, each order equally likely. Error (io) from the generator or the sink.
  void write(ByteSink& sink);

 private:
  struct Span {
    uint32_t part, begin;  // of parts_, and within it
    uint32_t size;
  };
  std::vector<std::string> parts_;
  std::vector<Span> rows_;
};

}  // namespace fugu::inline in_release
