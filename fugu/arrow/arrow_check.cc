#include "fugu/arrow/arrow_check.h"

#include <cstring>

#include "fugu/core/error.h"

namespace fugu::inline in_arrow {
namespace {

void insist(bool holds, const char* what) {
  if (!holds)
    throw Error(ErrorKind::kData, what,
                "make the table again, with a program that follows Arrow's interface");
}

bool is_structure(const ArrowSchema& schema) { return std::strcmp(schema.format, "+s") == 0; }

int64_t buffers_of(const ArrowType& type) {
  if (!type.is_dictionary() && type.kind == ArrowType::kNull) return 0;
  return !type.is_dictionary() && type.kind == ArrowType::kText ? 3 : 2;
}

}  // namespace

void check_schema(const ArrowSchema& schema) {
  constexpr const char* kNoType = "a column has no type";
  insist(schema.format != nullptr, kNoType);
  insist(!schema.dictionary || schema.dictionary->format, kNoType);
  if (!is_structure(schema)) return;
  insist(schema.n_children >= 0 && (schema.children || schema.n_children == 0), "the columns are missing");
  for (int64_t k = 0; k < schema.n_children; ++k) {
    const ArrowSchema* column = schema.children[k];
    insist(column && column->format && (!column->dictionary || column->dictionary->format), kNoType);
  }
}

void check_chunk(const ArrowArray& chunk, const ArrowSchema& schema) {
  insist(chunk.length >= 0 && chunk.offset >= 0, "a chunk's length is below 0");
  if (!is_structure(schema)) return;
  insist(chunk.n_children == schema.n_children && (chunk.children || chunk.n_children == 0),
         "a chunk has other columns than the table");
  for (int64_t k = 0; k < chunk.n_children; ++k) {
    const ArrowArray* column = chunk.children[k];
    insist(column && column->length - chunk.length >= chunk.offset, "a column is shorter than its chunk");
  }
}

void check_array(const ArrowArray& array, const ArrowType& type, int64_t from, int64_t count) {
  insist(array.length >= 0 && array.offset >= 0 && array.length - count >= from, "a column is too short");
  insist(array.n_buffers >= buffers_of(type) && (array.buffers || array.n_buffers <= 0),
         "a column lacks its values");
  insist(buffers_of(type) == 0 || count == 0 || array.buffers[1], "a column lacks its values");
  insist(!type.is_dictionary() || (array.dictionary && array.dictionary->length >= 0),
         "a column lacks its dictionary");
}

}  // namespace fugu::inline in_arrow
