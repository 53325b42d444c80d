#include "fugu/ledger/ledger_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "fugu/core/digits.h"
#include "fugu/core/error.h"
#include "fugu/database/database_url.h"

namespace fugu::inline in_ledger {
namespace {

namespace fs = std::filesystem;

pid_t pid_of(const std::string& process) {
  return static_cast<pid_t>(std::strtol(process.c_str(), nullptr, 10));
}

// Of "pid:start@machine boot namespace" what stands before and after the @; older ledgers have no such place.
std::pair<std::string, std::string> parts_of(const std::string& process) {
  const size_t at = process.find('@');
  return at == std::string::npos ? std::pair(process, std::string())
                                 : std::pair(process.substr(0, at), process.substr(at + 1));
}

std::string first_word(const char* path) {
  std::ifstream file(path);
  std::string word;
  return file >> word ? word : "-";
}

// Where a process runs. Those of one machine, start and namespace see each other.
struct ProcessPlace {
  std::string machine = "-", boot = "-", space = "-";
  std::string text() const { return fmt::format("{} {} {}", machine, boot, space); }
};

ProcessPlace this_place() {
  std::error_code failed;
  const fs::path space = fs::read_symlink("/proc/self/ns/pid", failed);
  return {first_word("/etc/machine-id"), first_word("/proc/sys/kernel/random/boot_id"),
          failed ? "-" : space.string()};
}

// Whether it is another process than this one, and still there.
bool is_running(const std::string& process) {
  const pid_t pid = pid_of(process);
  return pid > 0 && pid != ::getpid() && process_name(pid) == parts_of(process).first;
}

// Whether a process that ran there can be looked for: here, or gone because this machine was started anew.
bool can_be_seen(const std::string& text) {
  const ProcessPlace here = this_place();
  if (text.empty() || text == here.text()) return true;
  ProcessPlace there;
  std::istringstream(text) >> there.machine >> there.boot >> there.space;
  return there.machine == here.machine && here.machine != "-" && there.boot != here.boot;
}

// Older ledgers call a database so whose URL was not to be shown, after the folder.
bool went_into_database(const std::string& output) {
  return is_database(output) || fs::path(output).filename().string().starts_with("the database ");
}

// Whether the process may have written the output under this name (AtomicFile): OUT.PID-K.
bool is_temporary_name(const std::string& name, const std::string& output, const std::string& process) {
  if (!name.starts_with(output + ".")) return false;
  const std::string ending = name.substr(output.size() + 1);
  const size_t dash = ending.find('-');
  if (dash == std::string::npos || !are_digits(ending.substr(dash + 1))) return false;
  const std::string pid = ending.substr(0, dash);
  return pid_of(process) > 0 ? pid == std::to_string(pid_of(process)) : are_digits(pid);
}

// A kill may leave the output whole under such a name. Empty when there is none.
std::string temporary_left(const fs::path& output, const std::string& process) {
  std::error_code failed;
  const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
  for (fs::directory_iterator file(folder, failed), end; !failed && file != end; file.increment(failed)) {
    if (is_temporary_name(file->path().filename().string(), output.filename().string(), process))
      return file->path().string();
  }
  // Without the folder there is no file in it.
  if (failed && failed != std::errc::no_such_file_or_directory) {
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", folder.string(), failed.message()),
                "fugu must be able to see whether the output is there: check the folder's permissions");
  }
  return "";
}

}  // namespace

std::string process_name(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(file, text);
  const size_t name_end = text.rfind(')');  // the name may hold anything, blanks included
  if (name_end == std::string::npos) return "";
  std::istringstream rest(text.substr(name_end + 1));
  std::string word;
  for (int field = 3; field <= 22; ++field) rest >> word;  // the 22nd is when it started
  return fmt::format("{}:{}", pid, word);
}

bool is_elsewhere(const std::string& output) {
  const size_t colon = output.find(":/");
  return colon != std::string::npos && colon > 1 &&
         std::all_of(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(colon), [](char letter) {
           return std::isalnum(static_cast<unsigned char>(letter)) || letter == '+' || letter == '-' ||
                  letter == '.';
         });
}

std::string this_process() { return process_name(::getpid()) + "@" + this_place().text(); }

void check_never_appeared(int64_t id, const std::string& output, const std::string& process) {
  if (!can_be_seen(parts_of(process).second)) {
    throw usage(fmt::format("release {} was made on another machine or in another container: fugu cannot see "
                            "whether its process is still running",
                            id),
                "make it void from there; what may have been seen counts");
  }
  if (is_running(process)) {
    throw usage(fmt::format("release {} is still being made", id),
                "wait for it, or stop its process first; otherwise it would appear and not be counted");
  }
  if (output.empty()) {
    throw usage(
        fmt::format("release {} went to standard output or to memory: fugu cannot see whether it was read",
                    id),
        "what may have been seen counts");
  }
  if (went_into_database(output)) {
    throw usage(
        fmt::format("release {} went into a database: fugu cannot see whether its table is there", id),
        "what may have been seen counts");
  }
  if (is_elsewhere(output)) {
    throw usage(fmt::format("release {} went to {}: fugu cannot see whether it is there", id, output),
                "what may have been seen counts");
  }
  std::error_code failed;
  if (fs::symlink_status(output, failed).type() != fs::file_type::not_found) {
    throw usage(fmt::format("release {} has appeared: its output is there", id),
                "if that file is another one, or nobody has seen it, move it away first");
  }
  if (const std::string left = temporary_left(output, process); !left.empty()) {
    throw usage(fmt::format("release {} may be whole in {}", id, left),
                "if nobody has seen that file, remove it first");
  }
}

}  // namespace fugu::inline in_ledger
