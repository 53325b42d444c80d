#include "columns.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "fugu/arrow/arrow_reader.h"
#include "fugu/core/error.h"

namespace fugu::r {
namespace {

constexpr int64_t kPerSecond = 1'000'000;  // R's times are handed over in microseconds
constexpr double kMostSeconds = 4e11;      // beyond the year 9999, and within 64 bits of microseconds

void leave_schema(ArrowSchema* schema) { schema->release = nullptr; }
void leave_array(ArrowArray* array) { array->release = nullptr; }

const ArrowArray& chunk_at(const ArrowColumn& column, size_t k) { return *column.chunks[k]; }

// The values of all chunks one after the other; a null is `none`.
template <class To, class Of>
void fill(const ArrowColumn& column, To* to, To none, const Of& of) {
  for (size_t c = 0; c < column.chunks.size(); ++c) {
    const ArrowArray& chunk = chunk_at(column, c);
    for (int64_t k = 0; k < chunk.length; ++k)
      *to++ = is_null(chunk, k) ? none : static_cast<To>(of(chunk, chunk.offset + k));
  }
}

template <class Number>
Number at(const ArrowArray& array, int64_t k) {
  return static_cast<const Number*>(array.buffers[1])[k];
}

double number_at(const ArrowType& type, const ArrowArray& array, int64_t k) {
  if (type.kind == ArrowType::kFloat) return type.bytes == 4 ? at<float>(array, k) : at<double>(array, k);
  if (type.bytes == 8) return static_cast<double>(at<int64_t>(array, k));
  if (type.bytes == 4) return at<int32_t>(array, k);
  return type.bytes == 2 ? at<int16_t>(array, k) : at<int8_t>(array, k);
}

std::string_view text_at(const ArrowType& type, const ArrowArray& array, int64_t k) {
  const auto* bytes = static_cast<const char*>(array.buffers[2]);
  auto of = [&](auto* ends) {
    return std::string_view(bytes + ends[k], static_cast<size_t>(ends[k + 1] - ends[k]));
  };
  return type.texts == ArrowType::kLarge ? of(static_cast<const int64_t*>(array.buffers[1]))
                                         : of(static_cast<const int32_t*>(array.buffers[1]));
}

SEXP char_of(std::string_view text) {
  return cpp11::safe[Rf_mkCharLenCE](text.data(), static_cast<int>(text.size()), CE_UTF8);
}

}  // namespace

cpp11::sexp text_to_r(std::string_view text) {
  cpp11::sexp one = char_of(text);
  return cpp11::safe[Rf_ScalarString](one);
}

cpp11::sexp texts_to_r(const std::vector<std::string>& texts) {
  cpp11::sexp result = cpp11::safe[Rf_allocVector](STRSXP, static_cast<R_xlen_t>(texts.size()));
  for (size_t k = 0; k < texts.size(); ++k)
    SET_STRING_ELT(result, static_cast<R_xlen_t>(k), char_of(texts[k]));
  return result;
}

std::vector<std::string> texts_of(const cpp11::strings& texts) {
  std::vector<std::string> result;
  for (R_xlen_t k = 0; k < texts.size(); ++k) {
    SEXP one = STRING_ELT(texts, k);
    result.emplace_back(one == NA_STRING ? "" : CHAR(one));
  }
  return result;
}

struct RFrame::Column {
  cpp11::sexp kept;  // R's vectors, as long as the core looks at them
  std::string name, format;
  std::vector<uint8_t> valid, bits;
  std::vector<int64_t> ticks;
  std::vector<int64_t> ends;  // of the levels
  std::string levels;
  const void* buffers[2] = {};
  const void* level_buffers[3] = {};
  ArrowSchema schema = {}, level_schema = {};
  ArrowArray array = {}, level_array = {};

  Column(const cpp11::list& from, std::string called, int64_t rows) : kept(from), name(std::move(called)) {
    format = cpp11::as_cpp<std::string>(from["format"]);
    schema = {format.c_str(), name.c_str(), nullptr,      kArrowNullable, 0,
              nullptr,        nullptr,      leave_schema, nullptr};
    array = {rows, 0, 0, 2, 0, buffers, nullptr, nullptr, leave_array, nullptr};
    valid.assign(static_cast<size_t>(rows) / 8 + 1, 0xff);
    buffers[0] = valid.data();
    take_data(from, rows);
  }

  void take_data(const cpp11::list& from, int64_t rows) {
    SEXP data = from["data"];
    if (format == "levels") return take_codes(data, from["levels"], rows);
    // What the core does not read it refuses by the format alone, where somebody asks for the column.
    if (format == "i" || format == "tdD") return take(INTEGER(data), rows, NA_INTEGER);
    if (format == "l")
      return take(reinterpret_cast<const int64_t*>(REAL(data)), rows, std::numeric_limits<int64_t>::min());
    if (format == "g") return take_reals(REAL(data), rows);
    if (format == "b") return take_truths(LOGICAL(data), rows);
    if (format == "tsu:") return take_times(REAL(data), rows);
    buffers[1] = valid.data();
  }

  void is_missing(int64_t k) {
    valid[static_cast<size_t>(k / 8)] &= static_cast<uint8_t>(~(1u << (k % 8)));
    ++array.null_count;
  }

  template <class Number>
  void take(const Number* values, int64_t rows, Number none) {
    for (int64_t k = 0; k < rows; ++k) {
      if (values[k] == none) is_missing(k);
    }
    buffers[1] = values;
  }

  void take_reals(const double* values, int64_t rows) {
    for (int64_t k = 0; k < rows; ++k) {
      if (std::isnan(values[k])) is_missing(k);
    }
    buffers[1] = values;
  }

  void take_truths(const int* values, int64_t rows) {
    bits.assign(static_cast<size_t>(rows) / 8 + 1, 0);
    for (int64_t k = 0; k < rows; ++k) {
      if (values[k] == NA_LOGICAL) is_missing(k);
      if (values[k] == 1) bits[static_cast<size_t>(k / 8)] |= static_cast<uint8_t>(1u << (k % 8));
    }
    buffers[1] = bits.data();
  }

  void take_times(const double* seconds, int64_t rows) {
    ticks.resize(static_cast<size_t>(rows));
    for (int64_t k = 0; k < rows; ++k) {
      if (std::isnan(seconds[k])) {
        is_missing(k);
      } else if (std::fabs(seconds[k]) < kMostSeconds) {
        ticks[static_cast<size_t>(k)] = std::llround(seconds[k] * kPerSecond);
      } else {
        ticks[static_cast<size_t>(k)] = std::numeric_limits<int64_t>::max();  // which the core refuses
      }
    }
    buffers[1] = ticks.data();
  }

  // R counts codes from 1: the dictionary has one more text before them.
  void take_codes(SEXP codes, const cpp11::strings& texts, int64_t rows) {
    const int* values = INTEGER(codes);
    ends = {0, 0};
    for (R_xlen_t k = 0; k < texts.size(); ++k) {
      levels += CHAR(STRING_ELT(texts, k));
      ends.push_back(static_cast<int64_t>(levels.size()));
    }
    for (int64_t k = 0; k < rows; ++k) {
      if (values[k] == NA_INTEGER) {
        is_missing(k);
      } else if (values[k] < 1 || values[k] > texts.size()) {
        throw Error(ErrorKind::kData, "column '" + name + "': a code of the factor has no level",
                    "make the factor again: factor(as.character(x))");
      }
    }
    buffers[1] = values;
    level_buffers[1] = ends.data();
    level_buffers[2] = levels.data();
    level_schema = {"U", "", nullptr, 0, 0, nullptr, nullptr, leave_schema, nullptr};
    level_array = {texts.size() + 1, 0, 0, 3, 0, level_buffers, nullptr, nullptr, leave_array, nullptr};
    schema.format = "i";
    schema.dictionary = &level_schema;
    array.dictionary = &level_array;
  }
};

RFrame::RFrame(const cpp11::list& frame) {
  const auto names = texts_of(cpp11::strings(frame["names"]));
  const cpp11::list columns(frame["columns"]);
  const auto rows = static_cast<int64_t>(cpp11::as_cpp<double>(frame["rows"]));
  for (R_xlen_t k = 0; k < columns.size(); ++k) {
    columns_.push_back(
        std::make_unique<Column>(cpp11::list(columns[k]), names[static_cast<size_t>(k)], rows));
    schemas_.push_back(&columns_.back()->schema);
    arrays_.push_back(&columns_.back()->array);
  }
  const auto count = static_cast<int64_t>(columns_.size());
  static const void* no_nulls[1] = {nullptr};
  schema_ = {"+s", "", nullptr, 0, count, schemas_.data(), nullptr, leave_schema, nullptr};
  chunk_ = {rows, 0, 0, 1, count, no_nulls, arrays_.data(), nullptr, leave_array, nullptr};
}

RFrame::~RFrame() = default;

ArrowArrayStream RFrame::stream() {
  // One chunk: when it was given, `release` of the stream's own copy says so.
  struct Given {
    ArrowSchema schema;
    ArrowArray chunk;
  };
  ArrowArrayStream stream{};
  stream.private_data = new Given{schema_, chunk_};
  stream.get_schema = [](ArrowArrayStream* from, ArrowSchema* out) {
    *out = static_cast<Given*>(from->private_data)->schema;
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* from, ArrowArray* out) {
    *out = std::exchange(static_cast<Given*>(from->private_data)->chunk, ArrowArray{});
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream*) { return "the table was read already"; };
  stream.release = [](ArrowArrayStream* from) {
    delete static_cast<Given*>(from->private_data);
    from->release = nullptr;
  };
  return stream;
}

cpp11::writable::list column_to_r(const ArrowColumn& column) {
  using namespace cpp11::literals;
  const ArrowType type = arrow_type(*column.schema, "the released column");
  R_xlen_t rows = 0;
  for (const auto& chunk : column.chunks) rows += static_cast<R_xlen_t>(chunk->length);
  auto vector = [&](SEXPTYPE kind) { return cpp11::sexp(cpp11::safe[Rf_allocVector](kind, rows)); };
  cpp11::writable::list out;
  auto give = [&](const char* kind, const cpp11::sexp& data) {
    out.push_back("kind"_nm = kind);
    out.push_back("data"_nm = data);
  };
  if (type.is_dictionary()) {
    const cpp11::sexp data = vector(INTSXP);
    ArrowType codes = type;
    codes.kind = ArrowType::kInt;
    codes.bytes = type.index_bytes;
    fill(column, INTEGER(data), NA_INTEGER,
         [&](const ArrowArray& chunk, int64_t k) { return number_at(codes, chunk, k) + 1; });
    std::vector<std::string> levels;  // every chunk has the plan's labels
    if (!column.chunks.empty()) {
      const ArrowArray& labels = *chunk_at(column, 0).dictionary;
      for (int64_t k = 0; k < labels.length; ++k)
        levels.emplace_back(text_at(type, labels, labels.offset + k));
    }
    give("codes", data);
    out.push_back("levels"_nm = texts_to_r(levels));
  } else if (type.kind == ArrowType::kText) {
    const cpp11::sexp data = vector(STRSXP);
    R_xlen_t row = 0;
    for (size_t c = 0; c < column.chunks.size(); ++c) {
      const ArrowArray& chunk = chunk_at(column, c);
      for (int64_t k = 0; k < chunk.length; ++k, ++row)
        SET_STRING_ELT(data, row,
                       is_null(chunk, k) ? NA_STRING : char_of(text_at(type, chunk, chunk.offset + k)));
    }
    give("text", data);
  } else if (type.kind == ArrowType::kBool) {
    const cpp11::sexp data = vector(LGLSXP);
    fill(column, LOGICAL(data), NA_LOGICAL, [](const ArrowArray& chunk, int64_t k) {
      return static_cast<const uint8_t*>(chunk.buffers[1])[k / 8] >> (k % 8) & 1;
    });
    give("logical", data);
  } else {
    const cpp11::sexp data = vector(REALSXP);
    const bool is_time = type.kind == ArrowType::kDate && type.bytes == 8;
    fill(column, REAL(data), NA_REAL, [&](const ArrowArray& chunk, int64_t k) {
      ArrowType number = type;
      if (type.kind == ArrowType::kDate) number.kind = ArrowType::kInt;
      return is_time ? number_at(number, chunk, k) / kPerSecond : number_at(number, chunk, k);
    });
    give(type.kind != ArrowType::kDate ? "number" : is_time ? "time" : "date", data);
  }
  return out;
}

}  // namespace fugu::r
