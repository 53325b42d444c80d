// The commands: each adds its flags to the program, or to the command that it belongs to, and returns what
// runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace fugu::cli {

struct Command {
  CLI::App* app;
  std::function<void()> run;  // after the flags are parsed; throws Error
};

Command add_compare(CLI::App& program);
Command add_calibrate(CLI::App& program);
Command add_verify(CLI::App& program);
Command add_release(CLI::App& program);
Command add_run(CLI::App& program);
Command add_statement(CLI::App& program);
Command add_count(CLI::App& parent);
Command add_rate(CLI::App& parent);
Command add_chain(CLI::App& parent);
Command add_compose(CLI::App& program);
Command add_ledger(CLI::App& program);
Command add_figure(CLI::App& program);
Command add_preview(CLI::App& program);
Command add_report(CLI::App& program);
Command add_audit(CLI::App& program);
Command add_estimate(CLI::App& program);
Command add_inspect(CLI::App& program);
Command add_studio(CLI::App& program);
Command add_demo(CLI::App& program);
Command add_completion(CLI::App& program);

}  // namespace fugu::cli
