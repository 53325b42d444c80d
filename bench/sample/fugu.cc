// fugu's side of the sampling benchmark; compare.py drives it beside numpy_laplace.py.
//
//   fugu_sample_bench serve   a task a line: "laplace STEPS COUNT", "gaussian STEPS COUNT", "words COUNT"
//
// Only the drawing is timed, with SecureRandom, in calls of kCall draws as a release makes them; not the
// making of the tables, which is told as "ready_seconds".
#include <fmt/format.h>

#include <chrono>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "fugu/mechanism/family.h"
#include "fugu/sample/noise_sampler.h"
#include "fugu/sample/random.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kCall = 1 << 16;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

fugu::Noise noise_of(const std::string& family, double steps) {
  const auto named = fugu::family_named(family);
  const fugu::Lattice lattice;
  const auto farthest = static_cast<int64_t>(steps) + 1;
  const int64_t reach = named->reach(fugu::Scale{steps}, lattice, farthest, fugu::Rational(1, 1000000));
  return named->at(fugu::Scale{steps}, lattice, reach);
}

std::string noise(fugu::SecureRandom& random, const std::string& family, double steps, size_t count) {
  const fugu::Noise shape = noise_of(family, steps);
  auto start = Clock::now();
  const fugu::NoiseSampler sampler(shape);
  const double ready = since(start);
  std::vector<int64_t> out(std::min(count, kCall));
  double squares = 0;
  sampler.draw(random, out);
  start = Clock::now();
  for (size_t done = 0; done < count; done += out.size()) sampler.draw(random, out);
  const double seconds = since(start);
  for (int64_t z : out) squares += static_cast<double>(z) * static_cast<double>(z);
  return fmt::format(R"({{"seconds": {}, "ready_seconds": {}, "mean_square": {}}})", seconds, ready,
                     squares / static_cast<double>(out.size()));
}

std::string words(fugu::SecureRandom& random, size_t count) {
  std::vector<uint64_t> out(std::min(count, kCall));
  random.fill(out);
  const auto start = Clock::now();
  for (size_t done = 0; done < count; done += out.size()) random.fill(out);
  return fmt::format(R"({{"seconds": {}}})", since(start));
}

int serve() {
  fugu::SecureRandom random;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream task(line);
    std::string name;
    double steps = 0;
    size_t count = 0;
    task >> name;
    if (name != "words") task >> steps;
    task >> count;
    if (!task || count == 0) throw std::runtime_error("cannot read the task '" + line + "'");
    std::cout << (name == "words" ? words(random, count) : noise(random, name, steps, count)) << std::endl;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) try {
  if (count == 2 && std::string(arguments[1]) == "serve") return serve();
  std::cerr << "usage: fugu_sample_bench serve\n";
  return 2;
} catch (const std::exception& error) {
  std::cerr << "fugu_sample_bench: " << error.what() << '\n';
  return 1;
}
