#include "fugu/law/pairs.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/law/label_text.h"

namespace fugu::inline in_law {
namespace {

Error bad_pairs(std::string message) {
  return Error(ErrorKind::kUsage, "--pairs: " + std::move(message),
               "write all, neighbours, or pairs such as A:B,A:C or A:*; quote a label that holds : or ,");
}

std::string pair_label(std::string_view text, size_t& at) {
  const auto label = take_label(text, at, ":,");
  if (!label) throw bad_pairs("a quote is not closed");
  return *label;
}

}  // namespace

PairSet PairSet::of(std::vector<SecretPair> pairs) {
  for (auto& [first, second] : pairs) {
    if (first > second) std::swap(first, second);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return PairSet(false, std::move(pairs));
}

PairSet PairSet::neighbours(size_t secrets) {
  std::vector<SecretPair> pairs;
  for (uint32_t k = 0; k + 1 < secrets; ++k) pairs.emplace_back(k, k + 1);
  return PairSet(false, std::move(pairs));
}

PairSet PairSet::parse(std::string_view text, const std::vector<std::string>& secrets) {
  if (text == "all") return all();
  if (text == "neighbours") return neighbours(secrets.size());
  auto find = [&](const std::string& label) {
    auto found = std::find(secrets.begin(), secrets.end(), label);
    if (found == secrets.end()) throw no_such_secret("--pairs", label);
    return static_cast<uint32_t>(found - secrets.begin());
  };
  std::vector<SecretPair> pairs;
  for (size_t at = 0; at <= text.size(); ++at) {
    bool quoted_first = at < text.size() && text[at] == '"';
    std::string first = pair_label(text, at);
    if (at >= text.size() || text[at] != ':')
      throw bad_pairs(fmt::format("'{}' is not followed by ':'", first));
    ++at;
    bool quoted_second = at < text.size() && text[at] == '"';
    std::string second = pair_label(text, at);
    if (at < text.size() && text[at] != ',') throw bad_pairs("pairs are separated by ','");
    bool any_first = first == "*" && !quoted_first;
    bool any_second = second == "*" && !quoted_second;
    if (any_first && any_second) return all();
    if (any_first || any_second) {
      uint32_t fixed = find(any_first ? second : first);
      for (uint32_t other = 0; other < secrets.size(); ++other) {
        if (other != fixed) pairs.emplace_back(fixed, other);
      }
    } else {
      pairs.emplace_back(find(first), find(second));
      if (pairs.back().first == pairs.back().second) {
        throw bad_pairs(fmt::format("'{}' is paired with itself", first));
      }
    }
  }
  return of(std::move(pairs));
}

std::vector<SecretPair> PairSet::list(size_t secrets) const {
  if (!all_) return list_;
  std::vector<SecretPair> pairs;
  pairs.reserve(size(secrets));
  for (uint32_t first = 0; first < secrets; ++first) {
    for (uint32_t second = first + 1; second < secrets; ++second) pairs.emplace_back(first, second);
  }
  return pairs;
}

}  // namespace fugu::inline in_law
