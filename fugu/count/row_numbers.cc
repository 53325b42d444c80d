#include "fugu/count/row_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "fugu/core/error.h"

namespace fugu::inline in_count {

NumbersOfRows numbers_of_rows(std::map<uint64_t, std::map<std::string, uint64_t>> people, uint64_t least) {
  std::set<std::string> secrets;
  std::set<uint64_t> there;  // somebody has as many
  for (const auto& [rows, by_secret] : people) {
    if (rows == 0) continue;
    there.insert(rows);
    for (const auto& [secret, count] : by_secret) secrets.insert(secret);
  }
  NumbersOfRows result;
  const uint64_t most = there.empty() ? 0 : *there.rbegin();
  for (uint64_t rows = most; rows > 0; --rows) {
    auto& here = people[rows];
    const bool enough = std::all_of(secrets.begin(), secrets.end(), [&](const std::string& secret) {
      return here[secret] >= std::max<uint64_t>(least, 1);
    });
    if (enough) {
      result.released.insert(result.released.begin(), rows);
      continue;
    }
    for (const auto& [secret, count] : here) people[rows - 1][secret] += count;
  }
  if (result.released.empty() || result.released.back() == 1) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--rows-per-person: for no number of rows above 1 are there {} or more people "
                            "with each of the {} secrets",
                            least, secrets.size()),
                "leave it out, and fugu takes one row per person; or lower --min-group");
  }
  for (uint64_t rows : there) {
    if (std::find(result.released.begin(), result.released.end(), rows) != result.released.end()) continue;
    (rows < result.released.front() ? result.left_out : result.lowered).push_back(rows);
  }
  return result;
}

}  // namespace fugu::inline in_count
