// What a page of the studio asks, as JSON, about a table that is open: it becomes a question, or an error
// that the page can show.
#include "apps/studio/asking.h"

#include <fstream>

#include "fugu/ask/flags.h"
#include "fugu/ask/plan_options.h"
#include "fugu/scenario/scenario_json.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/json_mutator.h"

using namespace fugu;
using namespace fugu::studio;

namespace {

constexpr const char* kTable =
    "group,place,age,score,job\na,x,20,1.5,clerk\na,x,21,2.5,nurse\nb,y,20,1.5,clerk\nb,x,25,,nurse\n"
    "a,y,30,4,\"clerk, chief\"\nb,y,31,1.5,driver\nc,x,20,2,clerk\nc,y,44,-3,\n";

struct Opened {
  Opened() : path((folder.path() / "people.csv").string()), tables({path}, "", 1 << 20) {
    std::ofstream(path) << kTable;
    id = tables.open(path).id;
    const Json plain = parse_json(
        R"({"table": "t1", "question": {"secret": "group", "public": "age", "epsilon": "1"}, "plan": {}})",
        "plain");
    const Asking asking = read_asking(about_it(plain), tables);
    fuzz::insist(Questions(tables).read(asking, {}) != nullptr, "a plain question is answered");
  }

  // The request with the table's id, which is another in each run, where it says t1.
  Json about_it(Json request) const {
    if (Json::Object* members = request.if_object()) {
      for (auto& [key, value] : *members) {
        if (key == "table" && value.if_string() && *value.if_string() == "t1") value = Json::string(id);
      }
    }
    return request;
  }

  TemporaryFolder folder;
  std::string path, id;
  Tables tables;
};

void check_shown(const Error& error, const OpenTable& table) {
  const Json json = error_to_json(named_as_given(error, table));
  fuzz::insist(parse_json(json.pretty(), "answer").canonical() == json.canonical(),
               "the page can read an error");
}

const fuzz::JsonWords& words() {
  static const fuzz::JsonWords known = [] {
    fuzz::JsonWords words{{"table", "page", "round", "question", "plan", "output", "keep", "shuffle"},
                          {"t1", "group", "place", "age", "score", "job", "a:b", "drop", "keep", "clamp",
                           "laplace", "gaussian", "exact", "optimal", "channel", "swap", "0.5", "20,30"}};
    for (const auto* row : flags_of_page<QuestionOptions>()) words.keys.emplace_back(row->flag.name);
    for (const auto* row : flags_of_page<PlanOptions>()) words.keys.emplace_back(row->flag.name);
    return words;
  }();
  return known;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  return fuzz::mutate_json(data, size, most, seed, words());
}

extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* data, size_t size, const uint8_t* other,
                                            size_t other_size, uint8_t* out, size_t most, unsigned seed) {
  return fuzz::cross_json(data, size, other, other_size, out, most, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Opened opened;
  const std::string body(reinterpret_cast<const char*>(data), size);
  const auto asking = fuzz::read_or_refuse(
      [&] { return read_asking(opened.about_it(parse_json(body, "the request")), opened.tables); });
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
