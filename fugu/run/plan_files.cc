#include "fugu/run/plan_files.h"

#include "fugu/report/decision.h"

namespace fugu::inline in_run {
namespace {

constexpr double kReportSeconds = 20;  // for the report's comparison of methods

}  // namespace

void PlanFiles::check() const {
  for (const std::string& path : {names_.statement, names_.report}) {
    if (!path.empty()) AtomicFile::check(path, {.force = force_, .option = "--output"});
  }
}

void PlanFiles::write_statement(const Statement& statement) {
  if (!names_.statement.empty()) write(names_.statement, statement_to_json(statement).pretty(), false);
}

void PlanFiles::write_report(const Plan& plan, const PageAssets& assets, const Progress& progress) {
  if (names_.report.empty()) return;
  write(names_.report, report_page(report_picture(plan, {}, kReportSeconds, progress), assets), true);
}

void PlanFiles::write(const std::string& path, const std::string& text, bool owner_only) {
  auto file = std::make_unique<AtomicFile>(
      path, FileOptions{.force = force_, .owner_only = owner_only, .option = "--output"});
  write_all(file->descriptor(), text.data(), text.size(), path);
  written_.push_back(std::move(file));
}

void PlanFiles::appear() {
  for (const auto& file : written_) file->commit();
  written_.clear();
}

}  // namespace fugu::inline in_run
