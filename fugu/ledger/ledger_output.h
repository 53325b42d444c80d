// Where a release of the ledger went, and whether it may be out: what cannot be told counts as yes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace fugu::inline in_ledger {

// "pid:start", which no later process has again; empty where that cannot be known.
std::string process_name(pid_t pid);

// This one's name, then the machine, its start and the container that it runs in.
std::string this_process();

// "hdfs://host/out", "file:/out": a place of Spark, say, which may be on other machines.
bool is_elsewhere(const std::string& output);

// Error (usage) unless the release's process is gone and its output is nowhere to be seen, which is so only
// of a file. `output` and `process` are as the ledger has them.
void check_never_appeared(int64_t id, const std::string& output, const std::string& process);

}  // namespace fugu::inline in_ledger
