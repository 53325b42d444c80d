// A plan's statement and report as files: written while nothing has appeared yet, put in place when the rest
// has.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fugu/ask/job.h"
#include "fugu/core/progress.h"
#include "fugu/file/atomic_file.h"
#include "fugu/plan/plan.h"
#include "fugu/plan/statement.h"
#include "fugu/report/report_page.h"

namespace fugu::inline in_run {

class PlanFiles {
 public:
  PlanFiles(const JobFiles& names, bool force) : names_(names), force_(force) {}

  // Error (usage, io), as far as can be known before the work.
  void check() const;
  // Of those that are named. Errors of AtomicFile and statement_to_json().
  void write_statement(const Statement& statement);
  void write_report(const Plan& plan, const PageAssets& assets, const Progress& progress);
  // Puts in place what was written.
  void appear();

 private:
  void write(const std::string& path, const std::string& text, bool owner_only);

  JobFiles names_;
  bool force_;
  std::vector<std::unique_ptr<AtomicFile>> written_;
};

}  // namespace fugu::inline in_run
