// Reads a scenario file, finds the least Laplace noise that hides its secrets, and proves it.
#include <fugu/fugu.h>

#include <fstream>
#include <iostream>
#include <iterator>

int main(int count, char** words) try {
  const std::string path = count > 1 ? words[1] : "song-first.json";
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const fugu::Scenario scenario = fugu::scenario_from_json(fugu::parse_json(text, path), path);
  const fugu::Plan plan = fugu::calibrate(scenario, "exact", "laplace");
  const fugu::Witness witness = fugu::verify(plan);
  std::cout << "scale " << plan.noise().scale->value << ", loss at most " << *witness.loss << "\n";
  return 0;
} catch (const fugu::Error& error) {
  std::cerr << error.message() << "\n" << error.hint() << "\n";
  return static_cast<int>(error.kind());
}
