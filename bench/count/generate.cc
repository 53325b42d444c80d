// Writes a table of random rows: a short category, and a number below 1000 that leans on it. About 12 bytes a
// row.
//
//   count_generate ROWS SEED > table.csv
#include <array>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <random>
#include <string>
#include <string_view>

namespace {

constexpr std::array<std::string_view, 8> kGroups = {"north",    "south",   "east",    "west",
                                                     "midlands", "islands", "capital", "overseas"};

}  // namespace

int main(int count, char** words) try {
  if (count != 3) {
    std::cerr << "usage: count_generate ROWS SEED > table.csv\n";
    return 2;
  }
  const uint64_t rows = std::stoull(words[1]);
  std::mt19937_64 random(std::stoull(words[2]));
  std::string text = "region,amount\n";
  for (uint64_t row = 0; row < rows; ++row) {
    const uint64_t bits = random();
    const size_t group = bits % kGroups.size();
    // The mean of two uniform draws: a hump whose place the group moves.
    const uint64_t amount = ((bits >> 8) % 800 + (bits >> 32) % 800) / 2 + 25 * group;
    text.append(kGroups[group]).append(1, ',').append(std::to_string(amount)).append(1, '\n');
    if (text.size() > (size_t{1} << 20) || row + 1 == rows) {
      if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
        throw std::runtime_error("cannot write");
      text.clear();
    }
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "count_generate: " << error.what() << '\n';
  return 1;
}
