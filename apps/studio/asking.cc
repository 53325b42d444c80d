#include "apps/studio/asking.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "fugu/ask/flags.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/show/wording.h"

namespace fugu::studio {
namespace {

constexpr size_t kMostQuestions = 16;
constexpr const char* kPageHint = "reload the page";
constexpr const char* kNotShown = "the plan that was shown can no longer be released";

Error not_asked_like_this(std::string_view what) {
  return usage(fmt::format("the request is not one of the page's: {}", what), kPageHint);
}

std::string text_of(const Json& value, std::string_view name) {
  const std::string* text = value.if_string();
  if (!text || text->find('\0') != std::string::npos) throw not_asked_like_this(fmt::format("'{}'", name));
  return *text;
}

bool switch_of(const Json& value, std::string_view name) {
  const bool* on = value.if_boolean();
  if (!on) throw not_asked_like_this(fmt::format("'{}'", name));
  return *on;
}

uint64_t count_of(const Json& value, std::string_view name) {
  const std::string text = value.if_number() ? value.if_number()->literal : "";
  uint64_t count = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (text.empty() || failed != std::errc() || end != text.data() + text.size())
    throw not_asked_like_this(fmt::format("'{}'", name));
  return count;
}

const Json::Object& members_of(const Json& value, std::string_view name) {
  const Json::Object* members = value.if_object();
  if (!members) throw not_asked_like_this(fmt::format("'{}' is not an object", name));
  return *members;
}

template <class Options>
Options read_texts(const Json& json, const char* what) {
  Options options;
  const auto rows = flags_of_page<Options>();
  for (const auto& [name, value] : members_of(json, what)) {
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto* each) { return name == each->flag.name; });
    if (row == rows.end()) throw not_asked_like_this(fmt::format("{} '{}'", what, printable(name)));
    const bool is_switch = (*row)->flag.is_switch();
    set_text(options, **row, is_switch ? (switch_of(value, name) ? "yes" : "") : text_of(value, name));
  }
  return options;
}

// On the command line any other text is the name of a file.
void check_loss(const std::string& loss) {
  if (!loss.empty() && loss != "squared" && loss != "absolute" && loss != "zero-one")
    throw usage("--loss: the page takes no file", "use one of squared, absolute, zero-one");
}

// Every text of them, in order; not those that are named.
template <class Options>
void add_texts(Json::Array& parts, const Options& options, std::initializer_list<std::string_view> but = {}) {
  for (const auto* row : flags_of_page<Options>()) {
    if (std::find(but.begin(), but.end(), row->flag.name) == but.end())
      parts.push_back(Json::string(fugu::text_of(options, *row)));
  }
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); !from.empty() && at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Everything that makes the question, its epsilon and its noise excepted.
std::string key_of(const Asking& asking, const KeptRows& rows) {
  Json::Array parts{Json::string(asking.table.id)};
  add_texts(parts, asking.question, {"epsilon", "noise"});
  std::string key = Json::array(std::move(parts)).canonical();
  if (const auto& state = rows.state())
    key += fmt::format(" {} {} {} {} {}", state->device, state->inode, state->size, state->seconds,
                       state->nanoseconds);
  return key;
}

// The question at another epsilon.
std::shared_ptr<const ReadQuestion> at_epsilon(const std::shared_ptr<const ReadQuestion>& read,
                                               const Epsilon& epsilon) {
  const Scenario& scenario = read->question.scenario;
  if (scenario.stated().epsilon == epsilon) return read;
  auto copy = std::make_shared<ReadQuestion>(*read);
  copy->question.scenario.promise({epsilon, scenario.stated().delta}, scenario.lambda());
  if (auto& unshaped = copy->question.before.unshaped)
    unshaped->promise({epsilon, unshaped->stated().delta}, unshaped->lambda());
  return copy;
}

}  // namespace

Asking read_asking(const Json& body, Tables& tables) {
  Asking asking;
  std::string table;
  for (const auto& [name, value] : members_of(body, "the request")) {
    if (name == "table") {
      table = text_of(value, name);
    } else if (name == "page") {
      asking.page = text_of(value, name);
    } else if (name == "round") {
      asking.round = count_of(value, name);
    } else if (name == "question") {
      asking.question = read_texts<QuestionOptions>(value, "question");
    } else if (name == "plan") {
      asking.plan = read_texts<PlanOptions>(value, "plan");
      check_loss(asking.plan.loss);
    } else if (name == "output") {
      asking.output = text_of(value, name);
    } else if (name == "keep") {
      asking.keep = text_of(value, name);
    } else if (name == "digest") {
      asking.digest = text_of(value, name);
    } else if (name == "cross") {
      asking.cross = text_of(value, name);
    } else if (name == "job") {
      asking.job = text_of(value, name);
    } else if (name == "shuffle") {
      asking.shuffle = switch_of(value, name);
    } else {
      throw not_asked_like_this(fmt::format("'{}'", printable(name)));
    }
  }
  asking.table = tables.find(table);
  asking.question.table = asking.table.path;
  return asking;
}

Json error_to_json(const Error& error) {
  const std::string& message = error.message();
  std::string field = message == kNotShown ? "plan" : field_of_message(message);
  if (field.empty() && message.find("--keep") != std::string::npos) field = "keep";
  if (field.empty() && (message.starts_with("-o") || message.find("--output") != std::string::npos ||
                        error.hint().find("--force") != std::string::npos))
    field = "output";
  if (field.empty() && (error.kind() == ErrorKind::kData || error.kind() == ErrorKind::kIo ||
                        message.find("table") != std::string::npos || message.starts_with("TABLE")))
    field = "table";
  Json json = Json::object();
  json.add("message", Json::string(printable(message)));
  json.add("hint", Json::string(printable(error.hint())));
  json.add("status", Json::number(static_cast<long long>(error.kind())));
  json.add("field", field.empty() ? Json::null() : Json::string(field));
  return json;
}

std::string fields_of(const Asking& asking) {
  Json::Array parts{Json::string(asking.table.id)};
  add_texts(parts, asking.question);
  add_texts(parts, asking.plan);
  return Json::array(std::move(parts)).canonical();
}

Error not_the_plan_shown() {
  return usage(kNotShown,
               "nothing was released: the table or a field changed, or many plans were shown since; look at "
               "the plan again, then release");
}

Error named_as_given(const Error& error, const OpenTable& table) {
  return Error(error.kind(), replaced(error.message(), table.path, table.name),
               replaced(error.hint(), table.path, table.name));
}

std::shared_ptr<const ReadQuestion> Questions::read(const Asking& asking, const Progress& progress) {
  QuestionOptions options = asking.question;
  const auto epsilons = options.epsilons();
  options.noises();
  if (epsilons.empty() || options.secret.empty() || options.published.empty())
    read_question(options, progress);  // says what is missing before it reads anything
  options.rows = tables_.rows(asking.table,
                              {.separator = read_separator(options.separator), .header = !options.no_header});
  const auto& rows = static_cast<const KeptRows&>(*options.rows);
  const std::string key = key_of(asking, rows);
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
    if (found != entries_.end()) {
      entries_.splice(entries_.begin(), entries_, found);
      return at_epsilon(found->value, epsilons.front());
    }
  }
  Question question = read_question(options, progress);
  Json facts = facts_to_json(question.scenario, facts_of(question.scenario), question.rows);
  const auto fresh =
      std::make_shared<ReadQuestion>(ReadQuestion{std::move(question), std::move(facts), rows.state()});
  const std::lock_guard lock(mutex_);
  entries_.push_front({key, fresh});
  if (entries_.size() > kMostQuestions) entries_.pop_back();
  return fresh;
}

}  // namespace fugu::studio
