#include "fugu/report/report_page.h"

#include <gtest/gtest.h>

#include "fugu/core/digest.h"

namespace fugu {
namespace {

constexpr const char* kHostile = "</script><!-- & '\" \xE2\x80\xA8 \xE2\x80\xA9 \xE2\x80\xA7";

Json picture_of(const std::string& text) {
  Json json = Json::object();
  json.add("title", Json::string(text));
  json.add("statement", Json::string(text));
  return json;
}

TEST(ReportPage, JsonWithinAScriptEndsNothingAndReadsBack) {
  const std::string text = embedded_json(picture_of(kHostile));
  for (const char* forbidden : {"<", ">", "&", "\xE2\x80\xA8", "\xE2\x80\xA9"})
    EXPECT_EQ(text.find(forbidden), std::string::npos) << forbidden;
  EXPECT_NE(text.find("\xE2\x80\xA7"), std::string::npos);  // a neighbour that is left alone
  EXPECT_EQ(parse_json(text, "test").canonical(), picture_of(kHostile).canonical());
}

TEST(ReportPage, PolicyNamesTheseVeryAssets) {
  EXPECT_EQ(sha256_of_content(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  const std::string page = report_page(picture_of("t"), {"run();", "a{}"});
  EXPECT_NE(page.find("script-src '" + sha256_of_content("run();") + "'"), std::string::npos);
  EXPECT_NE(page.find("style-src '" + sha256_of_content("a{}") + "'"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(page.find("<script>run();</script>"), std::string::npos);
  EXPECT_NE(page.find("<style>a{}</style>"), std::string::npos);
}

TEST(ReportPage, NamesAreTextEverywhere) {
  const std::string page = report_page(picture_of("</title><script>x</script>"), {"run();", "a{}"});
  EXPECT_EQ(page.find("<script>x"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;/title&gt;&lt;script&gt;"), std::string::npos);
}

}  // namespace
}  // namespace fugu
