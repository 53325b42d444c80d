// A job: all that a release takes, in one file that can be kept under version control. It is the texts of the
// flags (flags.h) in sections that people like to read, and holds no counts, no seed and no password.
//
//   {"format": "fugu-job", "version": 1,
//    "table": {"file": "people.csv"},
//    "columns": {"race": {"role": "secret"}, "job": {"role": "public", "merge_rare": 20}, "note": {"role":
//    "out"}}, "budget": {"epsilon": 0.5}, "outputs": {"release": "out.csv"}}
//
// Which sections and keys there are follows from the rows of the flags (docs/jobs.md; docs/schema).
#pragma once

#include <string>
#include <vector>

#include "fugu/ask/plan_options.h"
#include "fugu/ask/question.h"
#include "fugu/ask/release_texts.h"
#include "fugu/core/error.h"
#include "fugu/core/json.h"

namespace fugu::inline in_ask {

// Files of a job besides the released table; empty is not given.
struct JobFiles {
  std::string plan = {};       // OUT.plan.json beside a release OUT when not given
  std::string receipt = {};    // likewise
  std::string statement = {};  // none when not given
  std::string report = {};     // none when not given
};

struct Job {
  QuestionOptions question = {};
  PlanOptions plan = {};
  ReleaseTexts release = {};
  ReleaseOutput output = {};
  LedgerTexts ledger = {};
  JobFiles files = {};
  std::vector<std::string> columns = {};  // all that are named, in order, those without a role too
  std::string path = {};                  // of its own file, where it has one

  // Else it ends with the plan.
  bool releases() const { return !output.output.empty() || !output.into.empty(); }
};

// Error (data), naming the place: a key that is unknown, a value of another kind, a column of two settings, a
// password. What the texts say is for read_question() and its like to judge.
Job job_from_json(const Json& json, const std::string& place);

// The same file again; flags that were not given are not there.
Json job_to_json(const Job& job);
// As it is written for people: a line for each column and each setting.
std::string job_text(const Job& job);

// The job as it is from here: what it names by relative paths lies in `folder`, and a list that is in a file
// is read. Error (usage, io) of list_of_file().
Job job_in_folder(Job job, const std::string& folder);

// The words of the command line that does the same, but for files that it has no flag for: fugu release …, or
// fugu calibrate … of a job that ends with the plan.
std::vector<std::string> job_words(const Job& job);

// What is wrong with a flag, said of the job's file: "--epsilon: none is given" becomes "job.json:
// budget.epsilon: none is given", Error (data), and so does what is said of "columns". Any other error as it
// is.
Error named_in_job(const Error& error, const std::string& place);

}  // namespace fugu::inline in_ask
