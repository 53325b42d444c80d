// fugu release: a table in, its column with exact noise out, with receipt and plan.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/held_back.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/ledger_words.h"
#include "apps/cli/making.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/core/error.h"
#include "fugu/ledger/ledger_json.h"
#include "fugu/release/kept_columns.h"
#include "fugu/report/plan_text.h"
#include "fugu/report/shaping.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

struct ReleaseOptions {
  ReleaseAsked asked;
  GeneralOptions general;
};

uint64_t size_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
}

void warn_of_what_is_told(const ReleaseRun& run, const ReleaseSummary& summary) {
  const auto& source = run.plan().scenario.source;
  if (!summary.kept_unprotected.empty()) {
    warn(unprotected_warning(summary.kept_unprotected,
                             source && source->person ? source->person->column : std::string()));
  }
}

void release_to_stdout(ReleaseRun& run, ProgressBar& bar) {
  FileSink out(STDOUT_FILENO, "standard output", Compression::kNone);
  HeldBack sink(out);
  const ReleaseSummary summary = run.release_to(sink, bar.callback(), now());
  run.appeared();
  bar.clear();
  warn_of_what_is_told(run, summary);
}

void say_json(const ReleaseRun& run, const FileReleased& released, const ShapingHint& hint) {
  Json said = released.receipt;
  if (run.spent()) said.add("ledger", spent_to_json(*run.spent()));
  if (!hint.what.empty()) said.add("hint", Json::string(hint.sentence()));
  print(said.pretty());
}

void say(const ReleaseRun& run, const FileReleased& released, const ShapingHint& hint) {
  const ReleaseSummary& summary = released.summary;
  const ReleaseAsked& asked = run.asked();
  print(fmt::format(
      "Released {}{} to {}{}{}.\n{}", counted(summary.released, "row"),
      run.plan().scenario.rows_per_person() > 1
          ? fmt::format(", up to {} of each person,", run.plan().scenario.rows_per_person())
      : run.plan().scenario.source->person ? ", one of each person,"
                                           : "",
      run.to_table() ? "table " + printable(asked.into) : printable(asked.output),
      summary.dropped > 0
          ? fmt::format(", and dropped {} with {}", counted(summary.dropped, "row"),
                        run.request().drop ? "a field that is missing or that the plan does not know"
                                           : "a missing field")
          : "",
      summary.outside > 0
          ? fmt::format(", and left out {} of groups that are too small", counted(summary.outside, "row"))
          : "",
      plan_summary(run.plan())));
  if (asked.new_data)
    print(fmt::format(
        "  new data   the promise is for rows that follow the plan's priors and have one of its secrets;\n"
        "             statements about frequencies and unchanged rows are about the plan's own table{}\n",
        run.request().nearest
            ? ";\n             rows that the plan does not have were released like their nearest rows"
            : ""));
  print(fmt::format("  receipt    {} may be published with it\n", printable(run.receipt())));
  if (!asked.files.statement.empty())
    print(fmt::format("  statement  {} may be published\n", printable(asked.files.statement)));
  if (asked.plan.empty())
    print(fmt::format("  plan       {} holds the counts: keep it to yourself\n", printable(run.plan_path())));
  if (!asked.files.report.empty())
    print(fmt::format("  report     {} shows how often each value occurs: keep it to yourself\n",
                      printable(asked.files.report)));
  print(fmt::format("  order      the rows are in {}\n",
                    shuffles(run.request(), run.plan())
                        ? "random order"
                        : "the table's order, which may tell something: --shuffle mixes them"));
  print(hint.text());
  if (run.spent()) {
    print(spent_text(*run.spent()));
    const bool more_fit = run.spent()->more && run.spent()->more->releases > 0;
    if (!more_fit && std::holds_alternative<Swap>(run.plan().mechanism) && asked.making.method.empty()) {
      print(
          "hint: rows that trade places cannot always be released again within a budget;\n"
          "      for one column of numbers, --method sharp can\n");
    }
  }
}

}  // namespace

void run_release(const ReleaseAsked& asked, const GeneralOptions& general) {
  const bool json = general.json();  // before any work
  const auto threads = general.limit_threads();
  ReleaseRun run(asked);
  ProgressBar bar(general.quiet);
  run.check();
  run.open(stop_if_interrupted);
  Interruptible interruptible;
  run.check_table();
  run.make_plan(bar.callback());
  bar.clear();
  // Whoever brings a plan has seen this.
  const ShapingHint hint = asked.plan.empty() ? shaping_hint(run.plan()) : ShapingHint{};
  warn_of_plan(run.plan(), run.request().publish_min, hint);
  if (run.to_stdout()) return release_to_stdout(run, bar);
  const FileReleased released = run.release(
      run.request().database ? bar.callback() : bar.callback(size_of(asked.question.table)), now());
  interruptible.too_late();
  run.appeared();
  bar.clear();
  warn_of_what_is_told(run, released.summary);
  try {
    if (json) return say_json(run, released, hint);
    say(run, released, hint);
  } catch (const Error&) {
    // It is released and cannot be taken back: whoever does not listen must not think that it failed.
  }
}

Command add_release(CLI::App& program) {
  CLI::App* command = program.add_subcommand("release", "write columns with noise, by a plan or in one go");
  auto options = std::make_shared<ReleaseOptions>();
  add_flags(*command, options->asked.question);
  add_flags(*command, options->asked.making);
  add_flags<ReleaseTexts>(*command, options->asked);
  command->add_flag("--digest")->group("");  // 0.1 had to be asked for what is always done now
  add_flags(*command, options->asked.ledger);
  add_flags<ReleaseOutput>(*command, options->asked);
  add_general_options(*command, options->general);
  command->footer(
      "fugu release fugu-demo/adult-occupation.csv --secret race --public occupation --epsilon 0.5 -o "
      "out.csv\n"
      "fugu release fugu-demo/adult-occupation.csv --plan fugu-demo/plan.json -o out.csv.gz\n"
      "fugu release fugu-demo/adult-occupation.csv --plan fugu-demo/plan.json -o counted.csv --ledger "
      "budget.db "
      "--dataset adult --budget 1\n"
      "fugu release postgresql:///census --table adult --secret race --public occupation --epsilon 0.5 "
      "--into "
      "adult_released\n");
  return {command, [options] { run_release(options->asked, options->general); }};
}

}  // namespace fugu::cli
