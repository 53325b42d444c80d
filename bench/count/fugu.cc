// fugu's side of the counting benchmark: how often each region goes with each amount.
//
//   count_bench FILE THREADS   counts the table, in a process of its own; answers in JSON
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <string>

#include "fugu/count/table_count.h"

namespace {

// Of this program alone: what getrusage tells includes the process that started it.
long peak_kilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      status >> word;
      return std::stol(word);
    }
  }
  throw std::runtime_error("cannot read the peak memory");
}

}  // namespace

int main(int count, char** words) try {
  if (count != 3) {
    std::cerr << "usage: count_bench FILE THREADS\n";
    return 2;
  }
  const fugu::TableColumns columns{.path = words[1], .secret = {"region"}, .published = {"amount"}};
  fugu::CountTuning tuning;
  tuning.threads = std::stoul(words[2]);
  const auto start = std::chrono::steady_clock::now();
  const fugu::CountedTable table = fugu::count_table(columns, {}, tuning);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::cout << fmt::format(R"({{"seconds": {}, "rows": {}, "pairs": {}, "kilobytes": {}}})", seconds,
                           table.rows, table.cells.size(), peak_kilobytes())
            << std::endl;
  return 0;
} catch (const std::exception& error) {
  std::cerr << "count_bench: " << error.what() << '\n';
  return 1;
}
