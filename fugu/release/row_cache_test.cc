#include "fugu/release/row_cache.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>

namespace fugu {
namespace {

// Against a map, over rows that share beginnings, ends and lengths.
RC_GTEST_PROP(RowCacheProperty, FindsWhatWasAddedAndNothingElse, ()) {
  RowCache cache;
  std::map<std::pair<std::string, std::string>, uint32_t> known;
  for (int k = 0; k < 3000; ++k) {
    auto text = [] {
      std::string result(*rc::gen::inRange<size_t>(0, 17), 'a');
      for (char& c : result) c = *rc::gen::element('a', 'b', '\xff');
      return result;
    };
    const std::pair<std::string, std::string> row{text(), text()};
    RowCache::Key key{};
    RowCache::put(row.first, key.data());
    RowCache::put(row.second, key.data() + 2);
    const auto number = static_cast<uint32_t>(known.size());
    const auto place = known.try_emplace(row, number).first;
    RC_ASSERT(cache.get(key, [&] { return number; }) == place->second);
  }
}

}  // namespace
}  // namespace fugu
