#include "fugu/count/column_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"

namespace fugu::inline in_count {
namespace {

// Which rows are of a form, and which are not. Lines count from 1; 0 is none.
struct Rows {
  uint64_t fitting = 0, others = 0;
  uint64_t first_fitting = 0, first_other = 0;
};

template <class Fits>
Rows rows_that(const CountedColumn& column, const Fits& fits) {
  Rows rows;
  for (size_t k = 0; k < column.values.size(); ++k) {
    if (column.missing == k) continue;
    const Tally::Entry& value = column.values[k];
    const bool fit = fits(value.key);
    (fit ? rows.fitting : rows.others) += value.count;
    uint64_t& first = fit ? rows.first_fitting : rows.first_other;
    if (first == 0) first = value.line;
  }
  return rows;
}

std::vector<std::string_view> texts_of(const CountedColumn& column) {
  std::vector<std::string_view> texts;
  for (size_t k = 0; k < column.values.size(); ++k) {
    if (column.missing != k) texts.push_back(column.values[k].key);
  }
  return texts;
}

ColumnTexts read_as(const CountedColumn& column, const Reading& reads) {
  ColumnTexts texts{.reads = reads};
  texts.numbers.resize(column.values.size());
  for (size_t k = 0; k < column.values.size(); ++k) {
    if (column.missing == k) continue;
    if (const auto number = reads.number(column.values[k].key)) {
      texts.numbers[k] = *number;
    } else if (texts.first_out_of_range == 0) {
      texts.first_out_of_range = column.values[k].line;
    }
  }
  return texts;
}

// What the column may hold is asked about; mixtures are data that are wrong.
Error doubt(const TableName& table, const CountedColumn& column, const DetectedKind& detected) {
  DoubtWords words = words_of(detected, column.name);
  std::string place = fmt::format("{}: {} {}", table.file, column.place, words.what);
  const bool dates = detected.doubt == DetectedKind::kMixedDates;
  if (dates || detected.doubt == DetectedKind::kMixedNumbers) {
    const Rows rows = rows_that(column, dates ? is_date : looks_like_decimal);
    const bool text_is_rare = rows.others <= rows.fitting;
    place += fmt::format("; {} is the first with {}",
                         table.row(text_is_rare ? rows.first_other : rows.first_fitting),
                         text_is_rare ? "text"
                         : dates      ? "a date"
                                      : "a number");
    return Error(ErrorKind::kData, place, words.hint);
  }
  return detected.doubt == DetectedKind::kMixedForms ? Error(ErrorKind::kData, place, words.hint)
                                                     : usage(place, words.hint);
}

Reading date_reading(DateForm form, const Shaping& shaping) {
  return {.date = DateReading{form, shaping.unit.value_or(DateUnit::kDay)}};
}

ColumnTexts read_as_said(const TableName& table, const CountedColumn& column, const Shaping& shaping) {
  const KindSaid& said = *column.kind;
  const auto no = [&](const char* what, const Rows& rows, const char* hint) {
    return Error(ErrorKind::kData,
                 fmt::format("{}: {} holds no {}; {} is the first with text", table.file, column.place, what,
                             table.row(rows.first_other)),
                 hint);
  };
  if (said.kind == ColumnKind::kNumber) {
    const Reading reads{.numbers = said.numbers};
    const Rows rows = rows_that(column, [&](std::string_view text) { return reads.has_form(text); });
    if (rows.others > 0)
      throw no(reads.is_plain() ? "numbers" : "numbers in this format", rows,
               "leave out --kind, or name what means missing with --na");
    return read_as(column, reads);
  }
  std::vector<DateForm> forms = date_forms_of(texts_of(column));
  if (said.date) std::erase_if(forms, [&](DateForm form) { return form != *said.date; });
  const bool ambiguous = forms.size() > 1;
  if (forms.empty() || ambiguous) {
    const Rows rows = rows_that(column, [&](std::string_view text) {
      return said.date ? parse_date(text, *said.date).has_value() : is_date(text);
    });
    if (rows.others > 0)
      throw no("dates in this format", rows, "name what means missing with --na, or leave out --kind");
    throw doubt(table, column, {.doubt = ambiguous ? DetectedKind::kDayOrMonth : DetectedKind::kMixedForms});
  }
  return read_as(column, date_reading(forms.front(), shaping));
}

}  // namespace

ColumnTexts read_column(const TableName& table, const CountedColumn& column, const Shaping& shaping) {
  if (!shaping.order.empty() || (column.kind && column.kind->is_categorical())) return {.categorical = true};
  if (column.kind) return read_as_said(table, column, shaping);
  const std::vector<std::string_view> texts = texts_of(column);
  if (texts.empty()) return {.categorical = true};
  DetectedKind detected = detect_kind(column.name, texts);
  // Who shapes numbers says that they are some.
  const bool is_number = detected.doubt == DetectedKind::kMayBeCode && shaping.numeric_flag() != nullptr;
  if (detected.doubt != DetectedKind::kNone && !is_number) throw doubt(table, column, detected);
  if (detected.kind == ColumnKind::kDate)
    return read_as(column, date_reading(detected.reads.date->form, shaping));
  return detected.kind == ColumnKind::kNumber || is_number ? read_as(column, {})
                                                           : ColumnTexts{.categorical = true};
}

}  // namespace fugu::inline in_count
