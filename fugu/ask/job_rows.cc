#include "fugu/ask/job_rows.h"

#include <fmt/format.h>

#include "fugu/ask/lists.h"
#include "fugu/ask/read_shaping.h"
#include "fugu/core/json_read.h"
#include "fugu/csv/csv_field.h"

namespace fugu::inline in_ask {
namespace {

using enum FlagKind;

constexpr const char* kFilesGroup = "Output";

constexpr FlagOf<JobFiles> kFileRows[] = {
    {Flag{"plan", kFile, "FILE", kFilesGroup,
          "the plan, which is private; default OUT.plan.json beside a release"},
     &JobFiles::plan},
    {Flag{"receipt", kFile, "FILE", kFilesGroup, "the release's receipt; default OUT.receipt.json"},
     &JobFiles::receipt},
    {Flag{"statement", kFile, "FILE", kFilesGroup,
          "the plan's statement, which may be published; by default not written"},
     &JobFiles::statement},
    {Flag{"report", kFile, "FILE", kFilesGroup,
          "the plan as a page, which is private; by default not written"},
     &JobFiles::report}};

template <class Options>
void add_rows_of(std::vector<JobRow>& rows, const char* texts, Options Job::*part) {
  for (const auto* row : flags_for<Options>("release")) {
    const auto place = job_place(texts, row->flag);
    if (!place) continue;
    rows.push_back({row->flag, place->first, place->second, !std::is_same_v<Options, JobFiles>,
                    [row, part](Job& job, const std::string& text) { set_text(job.*part, *row, text); },
                    [row, part](const Job& job) -> std::vector<std::string> {
                      if (const auto* list = std::get_if<std::vector<std::string> Options::*>(&row->to))
                        return job.*part.*(*list);
                      const std::string text = text_of(job.*part, *row);
                      return text.empty() ? std::vector<std::string>{} : std::vector{text};
                    },
                    [row, part](Job& job) {
                      std::vector<std::string*> places;
                      if (const auto* text = std::get_if<std::string Options::*>(&row->to)) {
                        if (!(job.*part.*(*text)).empty()) places.push_back(&(job.*part.*(*text)));
                      } else if (const auto* list =
                                     std::get_if<std::vector<std::string> Options::*>(&row->to)) {
                        for (std::string& each : job.*part.*(*list)) places.push_back(&each);
                      }
                      return places;
                    }});
  }
}

std::vector<JobRow> make_rows() {
  std::vector<JobRow> rows;
  add_rows_of(rows, "question", &Job::question);
  add_rows_of(rows, "plan", &Job::plan);
  add_rows_of(rows, "release", &Job::release);
  add_rows_of(rows, "ledger", &Job::ledger);
  add_rows_of(rows, "release", &Job::output);
  add_rows_of(rows, "outputs", &Job::files);
  return rows;
}

bool is_several(const Flag& flag) { return std::string_view(flag.value).find(',') != std::string_view::npos; }

// Whether one value of it may hold commas.
bool takes_commas(const Flag& flag) {
  return is_several(flag) || flag.kind == kNamesOrFile || flag.kind == kWord;
}

// What a setting of one column is, where the flag lists columns.
bool is_word_of_column(const JobRow& row) { return row.names_columns() && row.flag.kind == kNames; }

// Whether the text is a number that JSON gives back as it stands: not so "-0".
bool is_literal(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string::npos) return false;
  try {
    const Json json = parse_json(text, "");
    return json.if_number() && json.if_number()->literal == text;
  } catch (const Error&) {
    return false;
  }
}

Json number_value(const std::string& text) {
  if (text.empty()) return Json::null();
  return is_literal(text) ? Json::number(text) : Json::string(text);
}

std::string setting_text(const Json& value, const std::string& place) {
  std::string text = need_string(value, place);
  if (text.find('\0') != std::string::npos || text.empty())
    throw data_error(place, "this is not a text that the flag takes", "write a text, or leave the key out");
  return text;
}

std::string setting_number(const Json& value, const std::string& place) {
  need_number(value, place);
  return value.if_number() ? value.if_number()->literal : *value.if_string();
}

std::string joined_items(const Json& value, const std::string& place,
                         std::string (*item)(const Json&, const std::string&)) {
  std::string text;
  const Json::Array& items = need_array(value, place);
  if (items.empty()) throw data_error(place, "the list is empty", "leave the key out");
  for (size_t k = 0; k < items.size(); ++k)
    text += (k > 0 ? "," : "") + item(items[k], fmt::format("{}[{}]", place, k));
  return text;
}

const std::string& checked_name(const std::string& text, const std::string& place) {
  if (text.find('\0') != std::string::npos)
    throw data_error(place, "this is not a name", "write it without a NUL");
  return text;
}

std::string name_item(const Json& value, const std::string& place) {
  if (value.if_number()) return setting_number(value, place);
  return list_item(checked_name(need_string(value, place), place));
}

std::string quoted_text(const std::string& text) {
  std::string quoted;
  append_quoted(quoted, text);
  return quoted;
}

std::string pair_item(const Json& value, const std::string& place) {
  const auto labels = need_strings(value, place);
  if (labels.size() != 2) throw data_error(place, "a pair has two secrets", "write it as [\"A\", \"B\"]");
  auto label = [&](const std::string& text) {
    checked_name(text, place);
    return text.find(':') == std::string::npos ? list_item(text) : quoted_text(text);
  };
  return label(labels[0]) + ":" + label(labels[1]);
}

std::string span_text(const Json& value, const std::string& place) {
  const Json::Array& ends = need_array(value, place);
  if (ends.size() != 2) throw data_error(place, "a range has two ends", "write it as [20, 70]");
  auto end = [&](size_t k) {  // a number, or a date
    const std::string at = fmt::format("{}[{}]", place, k);
    return ends[k].if_string() ? setting_text(ends[k], at) : setting_number(ends[k], at);
  };
  return end(0) + ":" + end(1);
}

}  // namespace

template <>
std::span<const FlagOf<JobFiles>> flags_of() {
  return kFileRows;
}

const std::vector<JobRow>& job_rows() {
  static const std::vector<JobRow> rows = make_rows();
  return rows;
}

bool JobRow::is_path(std::string_view text) const {
  if (text.empty() || text == "-") return false;
  if (flag.kind == kFile || flag.kind == kFiles) return true;
  if (flag.kind == kNamesOrFile) return text.starts_with('@');
  const std::string words = "|" + std::string(flag.value) + "|";
  return flag.kind == kChoice && words.find("|FILE|") != std::string::npos &&
         words.find("|" + std::string(text) + "|") == std::string::npos;
}

std::string list_item(const std::string& text) {
  const bool plain = !text.empty() && text.front() != ' ' && text.back() != ' ' && text.front() != '@' &&
                     text.find_first_of(",\"") == std::string::npos;
  return plain ? text : quoted_text(text);
}

Json job_value(const JobRow& row, const std::vector<std::string>& texts) {
  const std::string& text = texts.front();
  if (is_word_of_column(row)) return Json::string(text);
  switch (row.flag.kind) {
    case kSwitch:
    case kNotSwitch:
      return Json::boolean(row.flag.kind == kSwitch);
    case kFiles:
      return Json::strings(texts);
    case kNumber:
    case kPeople: {
      Json::Array numbers;
      for (const std::string& item : split_list(text, row.flag.dashed()))
        numbers.push_back(number_value(item));
      return numbers.size() == 1 ? numbers.front() : Json::array(std::move(numbers));
    }
    case kSpan: {
      const size_t colon = text.find(':');
      if (colon == std::string::npos || colon == 0 || colon + 1 == text.size()) return Json::string(text);
      return Json::array({number_value(text.substr(0, colon)), number_value(text.substr(colon + 1))});
    }
    case kNames:
    case kNamesOrFile:
    case kValues:
      if (row.is_path(text)) return Json::string(text);
      return Json::strings(split_list(text, row.flag.dashed()));
    default:
      return Json::string(text);
  }
}

std::vector<std::string> texts_of_value(const JobRow& row, const Json& value, const std::string& place) {
  if (is_word_of_column(row)) return {setting_text(value, place)};
  const bool array = value.if_array() != nullptr;
  switch (row.flag.kind) {
    case kSwitch:
    case kNotSwitch: {
      const bool* on = value.if_boolean();
      if (!on) throw data_error(place, "this must be true or false", "write true or false, without quotes");
      return *on == (row.flag.kind == kSwitch) ? std::vector<std::string>{"yes"} : std::vector<std::string>{};
    }
    case kFiles:
      if (!array) return {setting_text(value, place)};
      for (const Json& item : *value.if_array()) setting_text(item, place);
      return need_strings(value, place);
    case kNumber:
      if (array && is_several(row.flag)) {
        return {joined_items(value, place, [](const Json& item, const std::string& at) {
          if (item.if_string()) return setting_text(item, at);  // it may be a date
          return item.is_null() ? std::string() : setting_number(item, at);
        })};
      }
      return {value.if_string() && row.is_shape() ? setting_text(value, place)
                                                  : setting_number(value, place)};
    case kPeople:
      return {setting_number(value, place)};
    case kSpan:
      return {value.if_string() ? setting_text(value, place) : span_text(value, place)};
    case kNames:
    case kNamesOrFile:
    case kValues:
      if (array) return {joined_items(value, place, name_item)};
      if (value.if_string() && row.is_path(*value.if_string())) return {setting_text(value, place)};
      return {name_item(value, place)};
    case kPairs:
      return {array ? joined_items(value, place, pair_item) : setting_text(value, place)};
    default:
      return {setting_text(value, place)};
  }
}

std::string text_of_columns(const JobRow& row, const ColumnTexts& said,
                            const std::vector<std::string>& published, const std::string& place) {
  const bool one = published.size() == 1 && said.size() == 1 && said.front().first == published.front();
  // A setting that begins like the column's own part would be taken for one.
  if (one && !is_word_of_column(row) && !said.front().second.starts_with(published.front() + "="))
    return said.front().second;
  std::string text;
  if (is_word_of_column(row)) {
    for (const auto& [column, setting] : said) {
      if (setting.find('=') != std::string::npos)
        throw data_error(fmt::format("{}.{}.{}", place, column, row.key), "this has a = in it",
                         "write what the flag takes for the column, without its name");
      text += (text.empty() ? "" : ",") + list_item(column + "=" + setting);
    }
    return text;
  }
  const bool all = published == std::vector<std::string>{kAllColumns};
  for (const auto& [column, setting] : said) {
    if (!all && std::find(published.begin(), published.end(), column) == published.end())
      throw data_error(fmt::format("{}.{}.{}", place, column, row.key), "this is said of a released column",
                       "give the column the role \"public\", or leave this out");
  }
  for (const auto& [column, setting] : said) text += (text.empty() ? "" : ";") + column + "=" + setting;
  return text;
}

ColumnTexts columns_of_text(const JobRow& row, const std::string& text,
                            const std::vector<std::string>& published) {
  ColumnTexts said;
  if (is_word_of_column(row) && text.find('=') != std::string::npos) {
    for (const std::string& item : split_list(text, row.flag.dashed())) {
      const size_t sign = item.rfind('=');
      if (sign == std::string::npos || sign == 0 || sign + 1 == item.size()) return {};
      said.emplace_back(item.substr(0, sign), item.substr(sign + 1));
    }
    return said;
  }
  if (is_word_of_column(row)) return {};
  for (const auto& [column, setting] : split_by_column(text, takes_commas(row.flag), published))
    said.emplace_back(column, setting);
  if (!said.empty()) return said;
  if (published.size() == 1) return {{published.front(), text}};
  const auto items = row.flag.kind == kNumber && is_several(row.flag) ? split_list(text, row.flag.dashed())
                                                                      : std::vector<std::string>{};
  if (items.size() != published.size()) return {};
  for (size_t k = 0; k < items.size(); ++k) {
    if (!items[k].empty()) said.emplace_back(published[k], items[k]);
  }
  return said;
}

}  // namespace fugu::inline in_ask
