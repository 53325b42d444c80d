#include "fugu/csv/row_cache.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace fugu {
namespace {

// Against a map, over rows that share beginnings, ends and lengths, beside bytes that are not theirs.
RC_GTEST_PROP(RowCacheProperty, FindsWhatWasAddedAndNothingElse, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, RowCache::kMostFields + 2);
  const auto longest = *rc::gen::element<size_t>(2, 9, 19);
  RowCache cache(count);
  std::map<std::vector<std::string>, uint32_t> known;
  for (int k = 0; k < 3000; ++k) {
    std::vector<std::string> row(count), buffers;
    std::vector<Field> fields;
    for (std::string& text : row) {
      text.resize(*rc::gen::inRange<size_t>(0, longest));
      for (char& c : text) c = *rc::gen::element('a', 'b', '\xff');
      buffers.push_back(text + std::string(Field::kReadable, '#'));
    }
    for (size_t f = 0; f < count; ++f) fields.push_back({{buffers[f].data(), row[f].size()}, {}});
    const auto number = static_cast<uint32_t>(known.size());
    const auto [place, is_new] = known.try_emplace(row, number);
    const uint32_t expected = place->second;
    RC_ASSERT(cache.get(fields.data(), [&] { return expected; }) == expected);
    const bool fits = count <= RowCache::kMostFields &&
                      std::all_of(row.begin(), row.end(), [](auto& text) { return text.size() <= 16; });
    if (!is_new && fits) RC_ASSERT(cache.get(fields.data(), [] { return RowCache::kNone - 1; }) == expected);
  }
}

}  // namespace
}  // namespace fugu
