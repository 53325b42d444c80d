// What a page of the studio asks, as JSON, about a table that is open: it becomes a question, or an error
// that the page can show.
#include "apps/studio/asking.h"

#include <fstream>

#include "fugu/ask/plan_options.h"
#include "fugu/scenario/scenario_json.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;
using namespace fugu::studio;

namespace {

constexpr const char* kTable =
    "group,place,age,score,job\na,x,20,1.5,clerk\na,x,21,2.5,nurse\nb,y,20,1.5,clerk\nb,x,25,,nurse\n"
    "a,y,30,4,\"clerk, chief\"\nb,y,31,1.5,driver\nc,x,20,2,clerk\nc,y,44,-3,\n";

struct Opened {
  Opened() : path((folder.path() / "people.csv").string()), tables({path}, "", 1 << 20) {
    std::ofstream(path) << kTable;
    tables.open(path);  // the first: its id is always the same
  }
  TemporaryFolder folder;
  std::string path;
  Tables tables;
};

void check_shown(const Error& error, const OpenTable& table) {
  const Json json = error_to_json(named_as_given(error, table));
  fuzz::insist(parse_json(json.pretty(), "answer").canonical() == json.canonical(),
               "the page can read an error");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Opened opened;
  const std::string body(reinterpret_cast<const char*>(data), size);
  const auto asking =
      fuzz::read_or_refuse([&] { return read_asking(parse_json(body, "the request"), opened.tables); });
  if (!asking) return 0;
  fuzz::insist(asking->question.table == opened.path, "no other table is asked about");
  Questions questions(opened.tables);
  fuzz::read_or_refuse([&] {
    try {
      asking->plan.check(one_noise(asking->question));
      const auto read = questions.read(*asking, {});
      fuzz::insist(questions.read(*asking, {}) == read, "the same question is kept");
      return parse_json(read->facts.pretty(), "facts");
    } catch (const Error& error) {
      check_shown(error, asking->table);
      throw;
    }
  });
  return 0;
}
