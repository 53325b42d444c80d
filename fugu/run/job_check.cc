#include "fugu/run/job_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/ask/job_rows.h"
#include "fugu/ask/lists.h"
#include "fugu/core/json_read.h"
#include "fugu/count/database_rows.h"
#include "fugu/csv/chunks.h"
#include "fugu/file/atomic_file.h"
#include "fugu/law/budget.h"
#include "fugu/law/budget_list.h"
#include "fugu/law/promise_words.h"
#include "fugu/run/release_run.h"

namespace fugu::inline in_run {
namespace {

// The question is made as always, up to the first row.
struct FirstRow {};

class HeadAlone final : public RowSource {
 public:
  explicit HeadAlone(TableHead head) : head_(std::move(head)) {}

  const TableHead& head() const override { return head_; }
  RowCounts count(const std::vector<size_t>&, const RowCheck&, const Progress&, const Watched&) override {
    throw FirstRow{};
  }

 private:
  TableHead head_;
};

TableHead head_of(const QuestionOptions& question, const std::function<void()>& stop) {
  if (auto database = open_database_of(question, false, stop))
    return DatabaseRows(std::move(database)).head();
  return ChunkReader(question.table,
                     {.separator = read_separator(question.separator), .header = !question.no_header})
      .head();
}

void check_question(QuestionOptions question, const PlanOptions& plan, const TableHead& head) {
  plan.check(one_noise(question));
  check_one_epsilon(question);
  question.rows = std::make_shared<HeadAlone>(head);
  try {
    read_question(question, {});
  } catch (const FirstRow&) {
    return;
  }
}

std::vector<std::string> check_outputs(const Job& job) {
  if (job.releases()) {
    const ReleaseRun run(asked_of(job));
    run.check();
    std::vector<std::string> written = run.outputs();
    if (run.to_table()) written.insert(written.begin(), job.output.into);
    return written;
  }
  check_plan_outputs(job);
  std::vector<std::string> written{job.files.plan, job.files.statement, job.files.report};
  std::erase(written, "");
  return written;
}

// "Released: age, hours." of each role that columns have.
void add_roles(const Job& job, std::vector<std::string>& sentences) {
  for (const JobRow& row : job_rows()) {
    if (!row.is_role() || row.texts(job).empty()) continue;
    const std::string word = row.key == "secret"   ? "Hidden"
                             : row.key == "public" ? "Released"
                             : row.key == "given"  ? "Known to others"
                             : row.key == "known"  ? "Known, and written unchanged"
                             : row.key == "except" ? "Not released"
                                                   : "Role " + row.key;
    const auto names = split_list(row.texts(job).front(), row.flag.dashed());
    sentences.push_back(fmt::format("{}: {}.", word, fmt::join(names, ", ")));
  }
}

// The columns without a role, where they have names and are not too many to list.
void add_left_out(const Job& job, const TableHead& head, std::vector<std::string>& sentences) {
  constexpr size_t kMost = 20;
  std::vector<size_t> used;
  for (const JobRow& row : job_rows()) {
    if (!row.is_role() || row.texts(job).empty() || row.key == "except") continue;
    const auto names = row.key == "public" ? released_columns(job.question, head)
                                           : split_list(row.texts(job).front(), row.flag.dashed());
    for (const std::string& name : names) used.push_back(head.column(name, row.flag.dashed()));
  }
  std::vector<std::string> left;
  for (size_t column = 0; column < head.header.size(); ++column) {
    if (std::find(used.begin(), used.end(), column) == used.end()) left.push_back(head.header[column]);
  }
  if (left.empty()) return;
  sentences.push_back(left.size() > kMost ? fmt::format("Left out: {} other columns.", left.size())
                                          : fmt::format("Left out: {}.", fmt::join(left, ", ")));
}

}  // namespace

void check_complete(const Job& job, const std::string& place) {
  if (job.question.table.empty())
    throw data_error(place + ".table", "no table is given",
                     "name it: \"table\": {\"file\": \"people.csv\"}, relative to the job's folder");
  if (job.question.table == "-")
    throw data_error(place + ".table.file", "a job can be run again, but standard input is read once",
                     "name the table's file");
  for (const JobRow& row : job_rows()) {
    const auto texts = row.texts(job);
    const std::string where = fmt::format("{}.{}.{}", place, row.section, row.key);
    if (row.section == "outputs" && std::find(texts.begin(), texts.end(), "-") != texts.end())
      throw data_error(where, "a job writes files, not to standard output", "name a file");
    const bool for_release = row.section == "ledger" || row.key == "receipt" ||
                             (row.section == "release" && row.key != "publish_min");
    if (!job.releases() && for_release && !texts.empty())
      throw data_error(where, "this is for a release, but the job ends with the plan",
                       "name outputs.release, or leave this out");
  }
}

JobCheck check_job(const Job& job, const std::function<void()>& stop) {
  JobCheck checked;
  checked.writes = check_outputs(job);
  read_publish_min(job.release.publish_min);
  const TableHead head = head_of(job.question, stop);
  for (const std::string& name : job.columns) {
    if (name == kAllColumns && job.question.published == kAllColumns) continue;  // no column of its own
    head.column(name, "columns");
  }
  check_question(job.question, job.plan, head);
  auto& sentences = checked.sentences;
  sentences.push_back(
      fmt::format("The table: {}, {} column{}.", head.file, head.columns, head.columns == 1 ? "" : "s"));
  add_roles(job, sentences);
  add_left_out(job, head, sentences);
  const auto& question = job.question;
  const Delta delta =
      question.delta.empty() ? Delta() : Delta::parse(question.delta, "--delta", ErrorKind::kUsage);
  Claim promised{question.epsilons().front(), delta};
  if (const auto named = promise_named(question.promise)) promised.promised = *named;
  sentences.push_back(fmt::format("Epsilon {}{}: {}.", question.epsilon,
                                  names_budgets(question.epsilon) ? ", of everything else" : "",
                                  in_words(promised)));
  sentences.push_back(job.plan.method.empty()
                          ? "fugu chooses the method that fits the question."
                          : fmt::format("Method {}, noise {}.", job.plan.method, one_noise(question)));
  if (job.ledger.given()) {
    sentences.push_back(
        fmt::format("Counted in the ledger {} as a release of {}.", job.ledger.path, job.ledger.dataset));
  }
  if (!job.releases()) sentences.emplace_back("It ends with the plan: outputs.release is missing.");
  if (!checked.writes.empty())
    sentences.push_back(fmt::format("Written: {}.", fmt::join(checked.writes, ", ")));
  return checked;
}

}  // namespace fugu::inline in_run
