#include "fugu/ask/flags.h"

#include "fugu/ask/chain_question.h"
#include "fugu/ask/crowd_question.h"
#include "fugu/ask/estimate_question.h"
#include "fugu/ask/job_rows.h"
#include "fugu/ask/model_budget.h"
#include "fugu/ask/plan_options.h"
#include "fugu/ask/preview_question.h"
#include "fugu/ask/question.h"
#include "fugu/ask/rate_question.h"
#include "fugu/ask/release_texts.h"

namespace fugu::inline in_ask {
namespace {

std::vector<std::string> split_words(std::string_view text, char separator) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

bool is_among(std::string_view words, std::string_view word) {
  const auto all = split_words(words, ' ');
  return std::find(all.begin(), all.end(), word) != all.end();
}

// "--bin-edges" as a page has it: "bin edges".
std::string without_dashes(std::string text) {
  for (size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at)) {
    text.erase(at, 2);
    for (; at < text.size() && (text[at] == '-' || (text[at] >= 'a' && text[at] <= 'z')); ++at)
      if (text[at] == '-') text[at] = ' ';
  }
  return text;
}

// A sentence of what a flag's help begins.
std::string as_sentence(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

// The words that a value may be, of those that its notation lists: not what stands for others, as in power:P.
std::vector<std::string> words_of(const Flag& flag) {
  std::vector<std::string> words = split_words(flag.value, '|');
  if (words.size() < 2) return {};
  std::erase_if(words, [](const std::string& word) {
    return std::any_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  });
  return words;
}

template <class Options>
void add_rows(std::vector<std::pair<std::string, Flag>>& all, const char* texts) {
  for (const FlagOf<Options>& row : flags_of<Options>()) all.emplace_back(texts, row.flag);
}

template <class Options>
void add_fields(Json& sections, const char* texts) {
  for (const auto* row : flags_of_page<Options>()) {
    const Flag& flag = row->flag;
    Json field = Json::object();
    field.add("texts", Json::string(texts));
    field.add("name", Json::string(flag.name));
    field.add("label", Json::string(flag.field.label));
    field.add("help",
              Json::string(as_sentence(without_dashes(*flag.field.help ? flag.field.help : flag.help))));
    field.add("example", Json::string(flag.field.example));
    field.add("kind", Json::string(kind_name(flag.kind)));
    field.add("words", Json::strings(words_of(flag)));
    const std::string section = *flag.field.section ? flag.field.section : "other";
    if (!sections.find(section)) sections.add(section, Json::array());
    for (auto& [name, fields] : *sections.if_object())
      if (name == section) fields.if_array()->push_back(field);
  }
}

Json job_place_to_json(const std::optional<std::pair<std::string, std::string>>& place) {
  if (!place) return Json::null();
  Json json = Json::object();
  json.add("section", Json::string(place->first));
  json.add("key", Json::string(place->second));
  return json;
}

// The section of a question's flag whose row names none.
std::string section_of_group(const Flag& flag) {
  const std::string_view group = flag.group, value = flag.value;
  if (value.find("COL=") != std::string_view::npos || group.starts_with("What is done")) return "shape";
  if (group.starts_with("What is hidden")) return value.starts_with("COL") ? "role" : "secrets";
  return group == "How much" ? "budget" : "table";
}

}  // namespace

std::optional<std::pair<std::string, std::string>> job_place(std::string_view texts, const Flag& flag) {
  const std::pair<std::string_view, const char*> sections[] = {{"question", ""},
                                                               {"plan", "mechanism"},
                                                               {"release", "release"},
                                                               {"ledger", "ledger"},
                                                               {"outputs", "outputs"}};
  const auto* known = std::find_if(std::begin(sections), std::end(sections),
                                   [&](const auto& one) { return one.first == texts; });
  const std::string_view said = flag.job.section;
  if (known == std::end(sections) || said == "-" || !flag.is_for("release")) return std::nullopt;
  std::string section(said);
  if (section.empty()) section = *known->second ? known->second : section_of_group(flag);
  return std::pair(section, *flag.job.key ? std::string(flag.job.key) : flag.in_python());
}

const char* kind_name(FlagKind kind) {
  constexpr const char* kKinds[] = {"word",          "choice", "numbers",   "span", "names",
                                    "names or file", "values", "pairs",     "file", "files",
                                    "people",        "switch", "not switch"};
  return kKinds[static_cast<size_t>(kind)];
}

std::string Flag::in_python() const {
  if (*python_name) return python_name;
  std::string text = name;
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}

bool Flag::is_for(std::string_view command) const { return !commands || is_among(commands, command); }

bool Flag::is_said_by(std::string_view what) const { return is_among(sayers, what); }

bool Flag::is_everyday(std::string_view command) const {
  return is_among(short_in, command) || is_among(short_in, "*");
}

std::vector<std::pair<std::string, Flag>> all_flags() {
  std::vector<std::pair<std::string, Flag>> all;
  add_rows<QuestionOptions>(all, "question");
  add_rows<PlanOptions>(all, "plan");
  add_rows<ReleaseTexts>(all, "release");
  add_rows<ReleaseOutput>(all, "release");
  add_rows<LedgerTexts>(all, "ledger");
  add_rows<JobFiles>(all, "outputs");
  add_rows<CrowdOptions>(all, "crowd");
  add_rows<ChainOptions>(all, "chain");
  add_rows<RateOptions>(all, "rate");
  add_rows<ModelBudget>(all, "budget");
  add_rows<EstimateTexts>(all, "estimate");
  add_rows<PreviewTexts>(all, "preview");
  return all;
}

Json flags_to_json() {
  Json::Array rows;
  for (const auto& [texts, flag] : all_flags()) {
    Json python = Json::object();
    python.add("name", Json::string(flag.in_python()));
    python.add("functions", Json::strings(split_words(flag.functions, ' ')));
    python.add("required", Json::boolean(flag.required));
    Json row = Json::object();
    row.add("texts", Json::string(texts));
    row.add("name", Json::string(flag.name));
    row.add("kind", Json::string(kind_name(flag.kind)));
    row.add("value", Json::string(flag.value));
    row.add("group", Json::string(flag.group));
    row.add("help", Json::string(flag.help));
    row.add("commands", flag.commands ? Json::strings(split_words(flag.commands, ' ')) : Json::null());
    row.add("everyday", Json::strings(split_words(flag.short_in, ' ')));
    row.add("page_help", Json::string(flag.field.help));
    row.add("label", Json::string(flag.field.label));
    row.add("page", flag.field.section ? Json::string(flag.field.section) : Json::null());
    row.add("python", std::move(python));
    row.add("job", job_place_to_json(job_place(texts, flag)));
    rows.push_back(std::move(row));
  }
  return Json::array(std::move(rows));
}

Json page_fields_to_json() {
  Json sections = Json::object();
  add_fields<QuestionOptions>(sections, "question");
  add_fields<PlanOptions>(sections, "plan");
  return sections;
}

std::string field_of_message(std::string_view message) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-";
  auto is_field = [](std::string_view name) {
    auto has = [name](const auto& rows) {
      return std::any_of(rows.begin(), rows.end(),
                         [name](const auto* row) { return name == row->flag.name; });
    };
    return has(flags_of_page<QuestionOptions>()) || has(flags_of_page<PlanOptions>());
  };
  for (size_t at = message.find("--"); at != std::string_view::npos; at = message.find("--", at + 2)) {
    const size_t begin = at + 2;
    const size_t end = std::min(message.find_first_not_of(kLetters, begin), message.size());
    const std::string_view name = message.substr(begin, end - begin);
    if (is_field(name)) return std::string(name);
  }
  return "";
}

}  // namespace fugu::inline in_ask
