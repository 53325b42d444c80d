// Jobs: what is read is written and read back as the same, becomes a command line, and is checked as `fugu
// run
// --check` does it, over a table of its own in place of the files that it names.
#include "fugu/ask/job.h"

#include "fugu/ask/job_rows.h"
#include "fugu/run/job_check.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/json_mutator.h"

using namespace fugu;

namespace {

constexpr const char* kTable = "group,place,age,score,job\na,x,20,1.5,clerk\nb,y,31,,nurse\n";

void check_round_trip(const Job& job) {
  const std::string text = job_text(job);
  const Job again = job_from_json(parse_json(text, "written"), "written");
  fuzz::insist(job_text(again) == text, "a job is written in one way");
  fuzz::insist(job_to_json(again).canonical() == job_to_json(job).canonical(), "a job reads back as itself");
  // What is said of columns may stand with them or under "shape".
  for (const JobRow& row : job_rows())
    fuzz::insist(row.is_shape() || row.texts(again) == row.texts(job), "each text reads back as itself");
}

// Files that it names would be read and lists taken from them: there is one file, and nothing is written.
bool takes_one_file(Job& job, const std::string& path) {
  job.output = {};
  job.files = {};
  job.ledger = {};
  for (const JobRow& row : job_rows()) {
    for (std::string* text : row.places(job)) {
      if (text->find('@') != std::string::npos) return false;
      if (row.is_path(*text)) *text = path;
    }
  }
  job.question.table = path;
  return true;
}

void check_folder(const Job& job) {
  const Job moved = job_in_folder(job, "/folder");
  fuzz::insist(job_words(job_in_folder(moved, "/other")) == job_words(moved), "paths of a folder stay there");
}

const fuzz::JsonWords& words() {
  static const fuzz::JsonWords known = [] {
    fuzz::JsonWords words = fuzz::words_of_schemas({"job"});
    for (const char* column : {"group", "place", "age", "score", "job", "1", "5", "6"}) {
      words.keys.emplace_back(column);
      words.texts.emplace_back(column);
    }
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
  static const fuzz::MemoryFile table(kTable);
  const std::string text(reinterpret_cast<const char*>(data), size);
  auto job = fuzz::read_or_refuse([&] { return job_from_json(parse_json(text, "job.json"), "job.json"); });
  if (!job) return 0;
  check_round_trip(*job);
  if (!takes_one_file(*job, table.path())) return 0;
  check_folder(*job);
  fuzz::read_or_refuse([&] {
    try {
      check_complete(*job, "job.json");
      return check_job(*job).sentences.size();
    } catch (const Error& error) {
      throw named_in_job(error, "job.json");
    }
  });
  return 0;
}
