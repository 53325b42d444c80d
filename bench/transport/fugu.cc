// fugu's side of the transport benchmark; compare.py drives it beside pot.py.
//
//   fugu_bench serve DIR                    reads the input of DIR, then a task a line; answers in JSON
//   fugu_bench memory coupling ATOMS        peak memory of one plan, in a process of its own
//   fugu_bench memory exact SECRETS VALUES  peak memory of one exact calibration
//
// Only the library call is timed, not the reading of its input.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "fugu/calibrate/calibrate.h"
#include "fugu/transport/coupling.h"
#include "fugu/transport/distances.h"

namespace {

using fugu::Distribution;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A file of little-endian 64-bit integers.
std::vector<uint64_t> read_words(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<uint64_t> words(static_cast<size_t>(file.tellg()) / 8);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * 8));
  return words;
}

// Two distributions: n, then n atoms and n counts for each.
std::pair<Distribution, Distribution> read_two(const std::string& path) {
  const auto words = read_words(path);
  const auto n = static_cast<long>(words[0]);
  auto side = [&](long first) {
    const auto begin = words.begin() + first;
    return Distribution::from_counts({begin, begin + n}, {begin + n, begin + 2 * n});
  };
  return {side(1), side(1 + 2 * n)};
}

fugu::Scenario scenario_of(size_t secrets, size_t values, const std::function<uint64_t()>& count) {
  fugu::Scenario scenario{fugu::Epsilon::parse("0.5", "bench", fugu::ErrorKind::kBug)};
  scenario.priors.push_back({"random counts", {}});
  for (size_t s = 0; s < secrets; ++s) {
    std::vector<int64_t> atoms(values);
    std::vector<uint64_t> counts(values);
    for (size_t k = 0; k < values; ++k) {
      atoms[k] = static_cast<int64_t>(k) + 1;
      counts[k] = count();
    }
    scenario.secrets.push_back(std::to_string(s));
    scenario.priors[0].by_secret.push_back(Distribution::from_counts(std::move(atoms), std::move(counts)));
  }
  return scenario;
}

// Many secrets over shared values: secrets, values, then the counts by secret.
fugu::Scenario read_scenario(const std::string& path) {
  const auto words = read_words(path);
  size_t at = 2;
  return scenario_of(words[0], words[1], [&] { return words[at++]; });
}

std::string plan(const std::pair<Distribution, Distribution>& two) {
  const auto start = Clock::now();
  const fugu::Coupling coupling = fugu::monotone_coupling(two.first, two.second);
  const double seconds = since(start);
  return fmt::format(R"({{"seconds": {}, "cells": {}, "w_inf": {}, "w_1": {}}})", seconds,
                     coupling.cells.size(), fugu::w_inf(two.first, two.second),
                     static_cast<double>(fugu::w_1(two.first, two.second)));
}

std::string largest(const fugu::Scenario& scenario) {
  const auto start = Clock::now();
  const int64_t steps = fugu::largest_w_inf(scenario.priors[0].by_secret);
  return fmt::format(R"({{"seconds": {}, "w_inf": {}}})", since(start), steps);
}

std::string matrix(const fugu::Scenario& scenario) {
  const auto start = Clock::now();
  const std::vector<int64_t> distances = fugu::w_inf_matrix(scenario.priors[0].by_secret);
  const double seconds = since(start);
  return fmt::format(R"({{"seconds": {}, "w_inf": {}}})", seconds,
                     *std::max_element(distances.begin(), distances.end()));
}

// The progress reports tell the search in doubles from the certified proofs.
std::string exact(const fugu::Scenario& scenario) {
  struct Phase {
    double begin = 0;
    int steps = 0;
  };
  std::map<std::string, Phase, std::less<>> phases;
  const auto start = Clock::now();
  const fugu::Plan found = fugu::calibrate(scenario, "exact", "laplace", [&](double, std::string_view what) {
    auto at = phases.find(what);
    if (at == phases.end()) at = phases.emplace(what, Phase{since(start), 0}).first;
    ++at->second.steps;
  });
  const double seconds = since(start);
  const Phase search = phases["searching the scale"], proof = phases["proving the scale"];
  return fmt::format(
      R"({{"seconds": {}, "scale": {}, "loss": {}, "search_seconds": {}, "search_steps": {}, "proof_seconds": {}, "proof_steps": {}}})",
      seconds, found.noise().scale->value, *found.witness.loss, proof.begin - search.begin, search.steps,
      seconds - proof.begin, proof.steps);
}

// 0.1 + 0.2 is not 0.3 in floating point, and the rest has to travel across the gap.
std::string trap() {
  auto parse = [](const char* text) { return *fugu::parse_decimal(text); };
  const auto p = Distribution::from_masses({0, 1, 1000}, {parse("0.1"), parse("0.2"), parse("0.7")});
  const auto q = Distribution::from_masses({0, 1000}, {parse("0.3"), parse("0.7")});
  return fmt::format(R"({{"w_inf": {}}})", fugu::w_inf(p, q));
}

// Tables with the same share of mass below the gap on both sides: how often the plan crosses the gap.
std::string gaps(const std::string& folder) {
  const auto words = read_words(folder + "/gaps.bin");
  const std::vector<int64_t> atoms{0, 1, 2, 3, 4, 1000, 1001, 1002, 1003, 1004};
  size_t crossed = 0, tables = words.size() / (2 * atoms.size());
  for (size_t k = 0; k < tables; ++k) {
    auto side = [&](size_t first) {
      const auto begin = words.begin() + static_cast<long>((2 * k + first) * atoms.size());
      return Distribution::from_counts(atoms, {begin, begin + static_cast<long>(atoms.size())});
    };
    crossed += fugu::w_inf(side(0), side(1)) > 500;
  }
  return fmt::format(R"({{"tables": {}, "crossed": {}}})", tables, crossed);
}

int serve(const std::string& folder) {
  const auto plans = read_two(folder + "/plans.bin"), wide = read_two(folder + "/plans_wide.bin");
  const fugu::Scenario scenario = read_scenario(folder + "/secrets.bin");
  const std::map<std::string, std::function<std::string()>> tasks{
      {"plans", [&] { return plan(plans); }},         {"plans_wide", [&] { return plan(wide); }},
      {"largest", [&] { return largest(scenario); }}, {"matrix", [&] { return matrix(scenario); }},
      {"exact", [&] { return exact(scenario); }},     {"trap", trap},
      {"gaps", [&] { return gaps(folder); }},
  };
  for (std::string task; std::getline(std::cin, task);) std::cout << tasks.at(task)() << std::endl;
  return 0;
}

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

int memory(const std::vector<std::string>& what) {
  std::mt19937_64 random(1);
  auto count = [&] { return 1 + random() % 100; };
  if (what.at(0) == "coupling") {
    const auto two = scenario_of(2, std::stoul(what.at(1)), count).priors[0].by_secret;
    const fugu::Coupling coupling = fugu::monotone_coupling(two[0], two[1]);
    if (coupling.cells.empty()) return 1;
  } else {
    fugu::calibrate(scenario_of(std::stoul(what.at(1)), std::stoul(what.at(2)), count), "exact", "laplace");
  }
  std::cout << fmt::format(R"({{"kilobytes": {}}})", peak_kilobytes()) << std::endl;
  return 0;
}

}  // namespace

int main(int count, char** words) try {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() == 2 && arguments[0] == "serve") return serve(arguments[1]);
  if (arguments.size() >= 3 && arguments[0] == "memory")
    return memory({arguments.begin() + 1, arguments.end()});
  std::cerr << "usage: fugu_bench serve DIR | memory coupling ATOMS | memory exact SECRETS VALUES\n";
  return 2;
} catch (const std::exception& error) {
  std::cerr << "fugu_bench: " << error.what() << '\n';
  return 1;
}
