// Writes a table of random rows: a short category, and a number below 1000 that leans on it; 12 bytes a row.
// A wide table has 38 further columns, of numbers and of quoted text with separators and quotes in it.
//
//   count_generate ROWS SEED [wide] > table.csv
#include <array>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

constexpr std::array<std::string_view, 8> kGroups = {"northern", "southern", "eastern", "western",
                                                     "midlands", "islands",  "capital", "abroad"};
constexpr std::array<std::string_view, 4> kTexts = {"\"Smith, Ann\"", "\"the \"\"old\"\" mill\"",
                                                    "plain text", "\"a; b, c\""};

void add_row(std::string& text, std::mt19937_64& random, bool wide) {
  const uint64_t bits = random();
  const size_t group = bits % kGroups.size();
  // The mean of two uniform draws: a hump whose place the group moves.
  const uint64_t amount = ((bits >> 8) % 800 + (bits >> 32) % 800) / 2 + 25 * group;
  text.append(kGroups[group]).append(1, ',').append(std::to_string(amount));
  for (uint64_t k = 0; wide && k < 38; ++k) {
    const uint64_t part = (bits >> k) & 0xFFFF;
    text.append(1, ',').append(k % 2 == 0 ? std::to_string(part) : std::string(kTexts[part % 4]));
  }
  text.append(1, '\n');
}

}  // namespace

int main(int count, char** words) try {
  const bool wide = count == 4 && std::string_view(words[3]) == "wide";
  if (count != 3 && !wide) {
    std::cerr << "usage: count_generate ROWS SEED [wide] > table.csv\n";
    return 2;
  }
  const uint64_t rows = std::stoull(words[1]);
  std::mt19937_64 random(std::stoull(words[2]));
  std::string text = "region,amount";
  for (int k = 3; wide && k <= 40; ++k) text += ",c" + std::to_string(k);
  text += '\n';
  for (uint64_t row = 0; row < rows; ++row) {
    add_row(text, random, wide);
    if (text.size() < (size_t{1} << 20) && row + 1 < rows) continue;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
      throw std::runtime_error("cannot write");
    text.clear();
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "count_generate: " << error.what() << '\n';
  return 1;
}
