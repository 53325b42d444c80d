// Columns between R and the core. R hands over lists: `format`, the letters of Arrow's C data interface;
// `data`, a vector; for texts `levels`, which the codes of `data` name from 1 on. R's own NA is a null.
#pragma once

#include <cpp11.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fugu/arrow/arrow_abi.h"
#include "fugu/release/arrow_release.h"

namespace fugu::r {

// A table whose columns lie in R's memory, which it keeps. Its streams must not outlive it.
class RFrame {
 public:
  // `names` and `columns` as one list; `rows` of each.
  explicit RFrame(const cpp11::list& frame);
  ~RFrame();
  RFrame(const RFrame&) = delete;
  RFrame& operator=(const RFrame&) = delete;

  ArrowArrayStream stream();

 private:
  struct Column;
  ArrowSchema schema_ = {};
  ArrowArray chunk_ = {};
  std::vector<std::unique_ptr<Column>> columns_;
  std::vector<ArrowSchema*> schemas_;
  std::vector<ArrowArray*> arrays_;
};

// A released column: `data`, `levels` where they are codes, and `kind`: "codes", "text", "logical", "number",
// "date" (days) or "time" (seconds).
cpp11::writable::list column_to_r(const ArrowColumn& column);

// Texts of the core are UTF-8.
cpp11::sexp text_to_r(std::string_view text);
cpp11::sexp texts_to_r(const std::vector<std::string>& texts);
std::vector<std::string> texts_of(const cpp11::strings& texts);

}  // namespace fugu::r
