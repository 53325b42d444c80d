// Answers one line for each task: `sum FILE` (the law of the sum over the users of FILE, one probability a
// line), `leave FILE` (every leave-one-out).
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>

#include "fugu/calibrate/crowd_law.h"

namespace {

using Clock = std::chrono::steady_clock;

std::vector<fugu::LatticeTerm> read(const std::string& file) {
  std::ifstream in(file);
  std::vector<fugu::LatticeTerm> terms;
  for (std::string line; std::getline(in, line);) {
    const fugu::Rational p = *fugu::parse_number(line);
    terms.push_back(fugu::term_of({{1 - p, p}, {0, 1}, 1}));
  }
  return terms;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string task, file;
    words >> task >> file;
    const auto terms = read(file);
    const auto start = Clock::now();
    const double cpu = thread_seconds();
    double checked = 0;
    if (task == "sum") {
      const fugu::SumLaw law = fugu::law_of_sum(terms);
      const double used = thread_seconds() - cpu, seconds = seconds_since(start);
      std::printf("{\"seconds\": %.6g, \"cpu\": %.6g, \"bound\": %.3g, \"first\": %lld, \"masses\": [",
                  seconds, used, law.relative_error(), static_cast<long long>(law.first()));
      for (size_t k = 0; k < law.masses().size(); ++k)
        std::printf("%s%.17g", k == 0 ? "" : ",", law.masses()[k]);
      std::printf("]}\n");
    } else {
      std::atomic<size_t> visited = 0;
      std::atomic<double> bound = 0;
      fugu::for_each_leave_one_out(terms, fugu::SumLaw(), [&](size_t, const fugu::SumLaw& law) {
        ++visited;
        double sum = 0;
        for (double mass : law.masses()) sum += mass;
        bound = sum;
      });
      checked = bound;
      const double seconds = seconds_since(start);
      rusage usage{};
      getrusage(RUSAGE_SELF, &usage);
      std::printf("{\"seconds\": %.6g, \"visited\": %zu, \"last_sum\": %.17g, \"peak_mib\": %.1f}\n", seconds,
                  visited.load(), checked, static_cast<double>(usage.ru_maxrss) / 1024);
    }
    std::fflush(stdout);
  }
}
