// What the page asks, from its JSON: the texts of a question and of a plan, about a table that is open.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "apps/studio/tables.h"
#include "fugu/ask/plan_options.h"
#include "fugu/ask/question.h"
#include "fugu/core/error.h"
#include "fugu/core/json.h"

namespace fugu::studio {

struct Asking {
  OpenTable table;
  std::string page;    // which page asks: its newer request replaces the older
  uint64_t round = 0;  // of that page's requests: a greater one is newer, whichever arrives first
  QuestionOptions question;
  PlanOptions plan;
  std::string output, keep;  // of a release
  std::string digest;        // of the plan that the page shows, which a release must be of
  bool shuffle = false;
  std::string cross;  // of a preview: two columns to count by each other
  std::string job;    // the file of a job that was opened on the page, as it was
};

// {"table": id, "page", "round", "question": {flag: text, …, "no-header": bool}, "plan": {…}, "output",
// "keep", "shuffle", "digest", "cross", "job"}. Error (usage) for anything else, and for a loss that would be
// a file.
Asking read_asking(const Json& body, Tables& tables);

// {"message", "hint", "status", "field"}: what the command line says, and the field that it is about; null
// where it is about none.
Json error_to_json(const Error& error);

// The table and every text of the question and the plan: the same for the same plan.
std::string fields_of(const Asking& asking);

// A release of another plan than one that was shown for the fields and the table as they are.
Error not_the_plan_shown();

// The error as the page should say it: the table by the name that people gave it.
Error named_as_given(const Error& error, const OpenTable& table);

// A question that was read, whatever its epsilon; with what does not depend on that.
struct ReadQuestion {
  Question question;
  Json facts;
  std::optional<FileState> state;  // of the table when it was counted
};

// The questions that were asked last, so that another epsilon takes no reading.
class Questions {
 public:
  explicit Questions(Tables& tables) : tables_(tables) {}

  // With the epsilon and the delta asked for. Errors of read_question().
  std::shared_ptr<const ReadQuestion> read(const Asking& asking, const Progress& progress);

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const ReadQuestion> value;
  };

  Tables& tables_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // the last used first
};

}  // namespace fugu::studio
