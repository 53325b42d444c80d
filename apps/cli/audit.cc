// fugu audit: draws through the release path, or a released file, against the promise.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/options.h"
#include "apps/cli/progress.h"
#include "apps/cli/text_io.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/plan_io.h"
#include "fugu/ask/question.h"
#include "fugu/audit/audit.h"
#include "fugu/core/error.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

struct AuditFlags {
  std::string plan, plan_option;
  std::string released, original, separator;
  std::string draws, confidence;
  GeneralOptions general;

  std::string plan_path() const { return plan.empty() ? plan_option : plan; }
  bool of_files() const { return !released.empty() || !original.empty(); }
};

void check_flags(const AuditFlags& flags) {
  if (!flags.plan.empty() && !flags.plan_option.empty())
    throw usage("--plan: the plan is given already", "name it once");
  if (flags.released.empty() != flags.original.empty())
    throw usage(
        flags.released.empty() ? "--original: --released is missing" : "--released: --original is missing",
        "give both: the released table, and the table that it was made from");
  if (!flags.separator.empty() && !flags.of_files())
    throw usage("--separator: there is no table", "leave it out, or give --released and --original");
}

AuditOptions read_options(const AuditFlags& flags) {
  AuditOptions options;
  if (!flags.draws.empty()) {
    const char* end = flags.draws.data() + flags.draws.size();
    const auto [stop, failed] = std::from_chars(flags.draws.data(), end, options.draws);
    if (failed != std::errc() || stop != end || options.draws < AuditOptions::kFewest ||
        options.draws > AuditOptions::kMost)
      throw usage(fmt::format("--draws: '{}' is not a number of draws", flags.draws),
                  "give a number from 100 to 1000000");
  }
  if (!flags.confidence.empty()) {
    const auto confidence = parse_decimal(flags.confidence);
    if (!confidence || *confidence <= 0 || *confidence >= 1)
      throw usage(fmt::format("--confidence: '{}' is not between 0 and 1", flags.confidence),
                  "give a number such as 0.999");
    options.confidence = *confidence;
  }
  return options;
}

// What each check looked at.
std::string meaning(const std::string& check) {
  if (check == "columns") return "no column is a secret, or a released column as it was";
  if (check == "texts") return "every released text is the one of its lattice point";
  if (check == "possible") return "every output is one that the mechanism gives";
  if (check == "law") return "the outputs follow the mechanism's distribution";
  if (check == "digits") return "even and odd lattice points come as often as they should";
  if (check == "secrets") return "outputs depend on the secret only through the value";
  return "no two rows share their noise";
}

// What the verdict says nothing about.
std::string not_looked_at(const Audit& audit) {
  std::string names;
  for (const std::string& name : audit.unread) names += (names.empty() ? "" : ", ") + printable(name);
  if (!names.empty()) names += "; ";
  return "  " +
         wrapped(
             fmt::format("not tested: {}rows at other distances, faults too small for this many rows", names),
             100, 4) +
         "\n";
}

std::string text_of(const Audit& audit, const AuditFlags& flags) {
  const Budget& promise = audit.promise;
  const std::string confidence = to_text(audit.confidence);
  std::string out = flags.of_files() ? fmt::format("Audited {} of {}.\n", counted(audit.rows, "row"),
                                                   printable(flags.released))
                                     : fmt::format("Audited {} with {} through the release.\n",
                                                   printable(flags.plan_path()), counted(audit.rows, "draw"));
  out += field("promise", fmt::format("proved at most epsilon {}{}", promise.epsilon.text(),
                                      promise.delta.is_zero() ? "" : ", delta " + promise.delta.text()));
  if (audit.seen) {
    const Seen& seen = *audit.seen;
    const std::string value = promise.delta.is_zero() ? for_people(seen.bound.epsilon, 3)
                                                      : "delta " + for_people(seen.bound.delta, 3);
    out += field("seen",
                 fmt::format("at least {} (confidence {}): {} from {} when {}", value, confidence,
                             printable(seen.pair.first), printable(seen.pair.second), printable(seen.event)));
  } else {
    out += field("seen",
                 "no bound: the secrets' distributions are not those of these rows, or are not available");
  }
  for (const Check& check : audit.checks) {
    if (check.tests > 0)
      out += field(check.name, meaning(check.name) + fmt::format(" ({})", counted(check.tests, "test")));
  }
  out += field("verdict", fmt::format("nothing contradicts the promise; a correct release would fail this "
                                      "audit with probability at most {}",
                                      to_text(Rational(1 - audit.confidence))));
  return out + not_looked_at(audit);
}

void run(const AuditFlags& flags) {
  const bool json = flags.general.json();
  const auto threads = flags.general.limit_threads();
  check_flags(flags);
  const AuditOptions options = read_options(flags);
  ProgressBar bar(flags.general.quiet);
  const Interruptible interruptible;
  const auto run_any = [&]() -> Audit {
    if (flags.of_files())
      return audit(read_and_verify(flags.plan_path()).plan,
                   ReleasedFiles{flags.released, flags.original, read_separator(flags.separator)}, options,
                   bar.callback());
    return std::visit([&](const auto& proved) { return audit(proved.plan, options, bar.callback()); },
                      read_and_verify_any(flags.plan_path()));
  };
  const Audit done = run_any();
  bar.clear();
  if (const auto finding = done.finding()) {
    throw Error(
        ErrorKind::kGuarantee,
        fmt::format("{}: {}", flags.of_files() ? flags.released : flags.plan_path(), *finding),
        done.is_certain()
            ? "do not publish it: no correct release looks like this"
            : fmt::format("do not publish it: a correct release looks like this with probability at most {}",
                          to_text(Rational(1 - options.confidence))));
  }
  print(json ? audit_to_json(done).pretty() : text_of(done, flags));
}

}  // namespace

Command add_audit(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("audit", "test the promise from outside, by draws or a released file");
  auto flags = std::make_shared<AuditFlags>();
  auto text = [&](const char* group, const char* name, std::string& value, const char* type,
                  const char* what) {
    add_flag(*command, Flag{name, FlagKind::kWord, type, group, what}.everyday(), value);
  };
  constexpr const char* kWhat = "What to audit";
  text(kWhat, "PLAN", flags->plan, "PLAN", "the plan; - is standard input");
  text(kWhat, "plan", flags->plan_option, "PLAN", "the same, as fugu release has it");
  text(kWhat, "released", flags->released, "FILE",
       "instead of draws: a table released by the plan, not shuffled");
  text(kWhat, "original", flags->original, "FILE", "the table that it was made from");
  text(kWhat, "separator", flags->separator, "CHAR",
       "between the fields of both tables; by default , ; or tab is detected");
  constexpr const char* kHow = "How";
  text(kHow, "draws", flags->draws, "N",
       "draws for each secret of the worst pairs, 100 to 1000000; default 100000");
  text(kHow, "confidence", flags->confidence, "C", "of the bound, and of all tests together; default 0.999");
  add_general_options(*command, flags->general);
  command->footer(
      "fugu audit fugu-demo/plan.json\n"
      "fugu audit fugu-demo/plan.json --draws 1000000 --confidence 0.9999\n"
      "fugu audit --released fugu-demo/released.csv --original fugu-demo/adult-occupation.csv "
      "--plan fugu-demo/plan.json\n");
  return {command, [flags] { run(*flags); }};
}

}  // namespace fugu::cli
