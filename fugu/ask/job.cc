#include "fugu/ask/job.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "fugu/ask/job_rows.h"
#include "fugu/ask/lists.h"
#include "fugu/core/json_read.h"
#include "fugu/database/database_url.h"
#include "fugu/plan/file_kind.h"

namespace fugu::inline in_ask {
namespace {

constexpr const char* kFormat = "fugu-job";
constexpr const char* kOut = "out";  // the role of a column that plays none
// In the order in which they are written; those of columns have a form of their own.
constexpr const char* kSections[] = {"table",     "columns", "shape",  "secrets", "budget",
                                     "mechanism", "release", "ledger", "outputs"};

template <class Is>
std::vector<std::string> keys_where(Is is) {
  std::vector<std::string> keys;
  for (const JobRow& row : job_rows()) {
    if (is(row)) keys.push_back(row.key);
  }
  return keys;
}

const JobRow& row_at(const std::string& section, const std::string& key, const std::string& place) {
  for (const JobRow& row : job_rows()) {
    if (row.section == section && row.key == key) return row;
  }
  auto known = keys_where([&](const JobRow& row) { return row.section == section; });
  if (place.ends_with(']')) known.insert(known.begin(), "role");
  throw data_error(place, fmt::format("the key \"{}\" is unknown", key),
                   fmt::format("known keys: {}", fmt::join(known, ", ")));
}

const Json::Object& members_at(const Json& value, const std::string& place) {
  const Json::Object* members = value.if_object();
  if (!members) throw data_error(place, "this must be an object", "write it in { }");
  return *members;
}

void add_texts(Job& job, const JobRow& row, const Json& value, const std::string& place) {
  for (const std::string& text : texts_of_value(row, value, place)) row.add(job, text);
}

std::string role_of(const Json& column, const std::string& place) {
  const Json* value = column.find("role");
  if (!value) return kOut;
  const std::string role = need_string(*value, place + ".role");
  auto roles = keys_where([](const JobRow& row) { return row.is_role(); });
  roles.emplace_back(kOut);
  if (std::find(roles.begin(), roles.end(), role) == roles.end())
    throw data_error(place + ".role", "there is no such role",
                     fmt::format("roles: {}", fmt::join(roles, ", ")));
  return role;
}

// The columns' roles and settings become the texts of the flags.
void read_columns(Job& job, const Json& columns, const std::string& place) {
  std::map<std::string, std::vector<std::string>> roles;  // in the order of the columns
  std::map<std::string, ColumnTexts> settings;
  for (const auto& [name, column] : members_at(columns, place)) {
    const std::string at = fmt::format("{}[\"{}\"]", place, name);
    if (name.empty() || name.find('\0') != std::string::npos)
      throw data_error(at, "this is not the name of a column", "write the name, or the number from 1");
    job.columns.push_back(name);
    members_at(column, at);
    roles[role_of(column, at)].push_back(name);
    for (const auto& [key, value] : *column.if_object()) {
      if (key == "role") continue;
      const auto texts = texts_of_value(row_at("shape", key, at), value, at + "." + key);
      if (!texts.empty()) settings[key].emplace_back(name, texts.front());
    }
  }
  for (const JobRow& row : job_rows()) {
    if (!row.is_role() || !roles.contains(row.key)) continue;
    std::string list;
    for (const std::string& name : roles[row.key]) list += (list.empty() ? "" : ",") + list_item(name);
    row.add(job, list);
  }
  for (const JobRow& row : job_rows()) {
    const auto said = settings.find(row.key);
    if (!row.is_shape() || said == settings.end()) continue;
    if (!row.texts(job).empty())
      throw data_error(fmt::format("{}[\"{}\"].{}", place, said->second.front().first, row.key),
                       "this is said under \"shape\" as well", "say it once");
    row.add(job, text_of_columns(row, said->second, roles["public"], place));
  }
}

void check_password(const Job& job, const std::string& place) {
  std::string shown = job.question.table;
  hide_passwords(shown.data());
  if (shown == job.question.table) return;
  throw data_error(place + ".table.file", "a job holds no password",
                   "leave it out: ~/.pgpass or PGPASSWORD gives it when the job runs");
}

// {name: {"role", …}} of all columns, those that are named first.
Json columns_to_json(const Job& job, Json& shape) {
  std::vector<std::pair<std::string, Json>> columns;
  auto column = [&](const std::string& name) -> Json& {
    for (auto& [known, json] : columns) {
      if (known == name) return json;
    }
    columns.emplace_back(name, Json::object());
    return columns.back().second;
  };
  for (const std::string& name : job.columns) column(name);
  const auto published = split_list(job.question.published, "--public");
  for (const JobRow& row : job_rows()) {
    if (!row.is_role()) continue;
    for (const std::string& list : row.texts(job)) {
      for (const std::string& name : split_list(list, row.flag.dashed())) {
        if (!column(name).find("role")) column(name).add("role", Json::string(row.key));
      }
    }
  }
  for (auto& [name, json] : columns) {
    if (!json.find("role")) json.add("role", Json::string(kOut));
  }
  for (const JobRow& row : job_rows()) {
    const auto texts = row.texts(job);
    if (!row.is_shape() || texts.empty()) continue;
    const ColumnTexts said = columns_of_text(row, texts.front(), published);
    if (said.empty()) shape.add(row.key, job_value(row, texts));
    for (const auto& [name, text] : said) {
      Json& json = column(name);
      if (!json.find("role")) json.add("role", Json::string(kOut));
      if (!json.find(row.key)) json.add(row.key, job_value(row, {text}));
    }
  }
  return Json::object(std::move(columns));
}

// In one line, members as they stand.
std::string in_line(const Json& value) {
  std::string text;
  auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (const Json::Object* members = value.if_object()) {
    for (const auto& [key, member] : *members) add(Json::string(key).canonical() + ": " + in_line(member));
    return "{" + text + "}";
  }
  if (const Json::Array* items = value.if_array()) {
    for (const Json& item : *items) add(in_line(item));
    return "[" + text + "]";
  }
  return value.canonical();
}

std::string in_folder(const std::string& path, const std::string& folder) {
  if (is_database(path)) {
    const std::string file = file_behind(path);
    return file == path ? path : path.substr(0, path.size() - file.size()) + in_folder(file, folder);
  }
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

// The role that a flag gives to a column; empty where it gives none.
std::string role_of_flag(std::string_view dashed) {
  for (const JobRow& row : job_rows()) {
    if (row.has_flag && row.is_role() && dashed == row.flag.dashed()) return std::string(row.key);
  }
  return "";
}

// Where a flag stands in the file, as messages say it; empty for what is no flag of a job.
std::string place_of_flag(std::string_view dashed) {
  for (const JobRow& row : job_rows()) {
    const bool is_letter = row.flag.letter && dashed == std::string{'-', row.flag.letter};
    if (!row.has_flag || (!is_letter && dashed != row.flag.dashed())) continue;
    if (row.is_role()) return fmt::format("the role \"{}\"", row.key);
    return row.is_shape() ? fmt::format("\"{}\" of the column", row.key)
                          : fmt::format("{}.{}", row.section, row.key);
  }
  return "";
}

// The column that a flag is shown with, as in "for example --secret race" and "--person id takes one row".
std::string_view example_after(std::string_view rest) {
  if (!rest.starts_with(' ')) return {};
  rest.remove_prefix(1);
  const size_t end = std::min(rest.find_first_of(" ,;"), rest.size());
  return end == rest.size() || rest.substr(end).starts_with(" takes ") ? rest.substr(0, end)
                                                                       : std::string_view{};
}

// The value that a flag is shown with after "for example", as in "--epsilon 0.5; smaller hides more".
std::string_view example_value(std::string_view rest) {
  if (!rest.starts_with(' ')) return {};
  rest.remove_prefix(1);
  std::string_view value = rest.substr(0, std::min(rest.find_first_of(" ;'"), rest.size()));
  if (value.ends_with(',')) value.remove_suffix(1);
  return value;
}

// The same flag and value as the file has them; empty for what is no flag of a job.
std::string example_in_job(std::string_view dashed, std::string_view value) {
  for (const JobRow& row : job_rows()) {
    if (!row.has_flag || row.is_role() || dashed != row.flag.dashed()) continue;
    const std::string member =
        fmt::format("\"{}\": {}", row.key, in_line(job_value(row, {std::string(value)})));
    return row.is_shape() ? member : fmt::format("\"{}\": {{{}}}", row.section, member);
  }
  return "";
}

// The text with these places for the flags.
std::string with_places(const std::string& text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-";
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const bool begins = text[at] == '-' && (at == 0 || text[at - 1] == ' ');
    const size_t end = begins ? std::min(text.find_first_not_of(kLetters, at), text.size()) : at + 1;
    if (begins) {
      const std::string_view column = example_after(std::string_view(text).substr(end));
      const std::string role = role_of_flag(std::string_view(text).substr(at, end - at));
      if (!column.empty() && !role.empty()) {
        out += fmt::format("{}: {{\"role\": \"{}\"}}", Json::string(std::string(column)).canonical(), role);
        at = end + 1 + column.size();
        continue;
      }
    }
    if (begins && out.ends_with("for example ")) {
      const std::string_view value = example_value(std::string_view(text).substr(end));
      const std::string member =
          value.empty() ? "" : example_in_job(std::string_view(text).substr(at, end - at), value);
      if (!member.empty()) {
        out += member;
        at = end + 1 + value.size();
        continue;
      }
    }
    const std::string place = begins ? place_of_flag(text.substr(at, end - at)) : "";
    out += place.empty() ? text.substr(at, end - at) : place;
    at = end;
  }
  return out;
}

}  // namespace

Job job_from_json(const Json& json, const std::string& place) {
  check_kind(json, FileKind::kJob, place);
  check_keys(json, place,
             {"format", "version", "table", "columns", "shape", "secrets", "budget", "mechanism", "release",
              "ledger", "outputs"});
  if (need_string(need(json, "format", place), place + ".format") != kFormat)
    throw data_error(place + ".format", "this is not a job", fmt::format("write \"{}\"", kFormat));
  if (const Json& version = need(json, "version", place);
      !version.if_number() || version.if_number()->literal != "1")
    throw data_error(place + ".version", "this is not a version that fugu reads", "write 1");
  Job job;
  for (const char* section : kSections) {
    const Json* value = json.find(section);
    if (!value || section == std::string_view("columns")) continue;
    const std::string at = fmt::format("{}.{}", place, section);
    for (const auto& [key, member] : members_at(*value, at))
      add_texts(job, row_at(section, key, at), member, at + "." + key);
  }
  if (const Json* columns = json.find("columns")) read_columns(job, *columns, place + ".columns");
  check_password(job, place);
  return job;
}

Json job_to_json(const Job& job) {
  Json json = Json::object(), shape = Json::object();
  json.add("format", Json::string(kFormat));
  json.add("version", Json::number(1LL));
  const Json columns = columns_to_json(job, shape);
  for (const std::string section : kSections) {
    Json part = section == "columns" ? columns : section == "shape" ? shape : Json::object();
    for (const JobRow& row : job_rows()) {
      if (row.section != section || row.is_shape()) continue;
      if (const auto texts = row.texts(job); !texts.empty()) part.add(row.key, job_value(row, texts));
    }
    if (!part.if_object()->empty()) json.add(section, std::move(part));
  }
  return json;
}

std::string job_text(const Job& job) {
  const Json json = job_to_json(job);
  std::string text;
  for (const auto& [key, value] : *json.if_object()) {
    text += (text.empty() ? "{\n  " : ",\n  ") + Json::string(key).canonical() + ": ";
    if (!value.if_object()) {
      text += in_line(value);
      continue;
    }
    std::string lines;
    for (const auto& [name, member] : *value.if_object())
      lines +=
          (lines.empty() ? "\n    " : ",\n    ") + Json::string(name).canonical() + ": " + in_line(member);
    text += "{" + lines + "\n  }";
  }
  return text + "\n}\n";
}

Job job_in_folder(Job job, const std::string& folder) {
  const auto published = split_list(job.question.published, "--public");
  for (const JobRow& row : job_rows()) {
    for (std::string* text : row.places(job)) {
      if (!row.is_path(*text)) continue;
      if (const auto parts = columns_of_text(row, *text, published); row.names_columns() && !parts.empty()) {
        text->clear();
        for (const auto& [column, path] : parts)
          *text += (text->empty() ? "" : ";") + column + "=" + in_folder(path, folder);
        continue;
      }
      const bool is_list = text->starts_with('@') && row.flag.kind == FlagKind::kNamesOrFile;
      const std::string path = in_folder(is_list ? text->substr(1) : *text, folder);
      *text = is_list ? list_of_file(path, row.flag.dashed()) : path;
    }
  }
  return job;
}

std::vector<std::string> job_words(const Job& job) {
  std::vector<std::string> words{"fugu", job.releases() ? "release" : "calibrate"}, flags;
  auto add = [&flags](const std::string& flag, const std::string& text) {
    if (text.starts_with('-')) {
      flags.push_back(flag + "=" + text);
    } else {
      flags.insert(flags.end(), {flag, text});
    }
  };
  for (const JobRow& row : job_rows()) {
    if (!row.has_flag || !(job.releases() || row.flag.is_for("calibrate"))) continue;
    if (!job.releases() && (row.section == "release" || row.section == "ledger")) continue;
    for (const std::string& text : row.texts(job)) {
      if (row.flag.is_argument()) {
        words.push_back(text.starts_with('-') ? "./" + text : text);
      } else if (row.flag.is_switch()) {
        flags.push_back(row.flag.dashed());
      } else {
        add(row.flag.dashed(), text);
      }
    }
  }
  if (!job.releases() && !job.files.plan.empty()) add("--output", job.files.plan);
  words.insert(words.end(), flags.begin(), flags.end());
  return words;
}

Error named_in_job(const Error& error, const std::string& place) {
  if (error.kind() != ErrorKind::kUsage) return error;
  const std::string said = with_places(error.message());
  if (said == error.message() && !said.starts_with("columns: ")) return error;
  return Error(ErrorKind::kData, fmt::format("{}: {}", place, said), with_places(error.hint()));
}

}  // namespace fugu::inline in_ask
