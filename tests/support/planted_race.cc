// Works in TBB's threads as fugu does; with an argument also counts in a variable that is not guarded:
// `tasks` from the tasks of a loop, `pipeline` from the parallel stage of a pipeline. The thread sanitizer
// must report those and only those.
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_pipeline.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

size_t unguarded = 0;

size_t doubled(size_t items, bool race) {
  std::vector<size_t> in(items), out(items);
  for (size_t k = 0; k < items; ++k) in[k] = k;
  tbb::enumerable_thread_specific<std::unique_ptr<size_t>> seen{[] { return std::make_unique<size_t>(0); }};
  tbb::parallel_for(size_t{0}, items, [&](size_t k) {
    out[k] = 2 * in[k];
    ++*seen.local();
    if (race) ++unguarded;
  });
  size_t sum = 0;
  for (const auto& each : seen) sum += *each;
  for (size_t value : out) sum += value;
  return sum;
}

using Text = std::shared_ptr<std::string>;

size_t written(size_t items, bool race) {
  size_t next = 0;
  std::string all;
  auto read = [&](tbb::flow_control& flow) -> Text {
    if (next == items) flow.stop();
    return std::make_shared<std::string>(std::to_string(next++));
  };
  auto work = [&](Text text) {
    for (size_t k = 0; k < 10000; ++k) {  // long enough for two threads to be in it
      if (k % 1000 == 0) *text += ',';
      if (race) ++unguarded;
    }
    return text;
  };
  auto write = [&](const Text& text) { all += *text; };
  tbb::parallel_pipeline(8, tbb::make_filter<void, Text>(tbb::filter_mode::serial_in_order, read) &
                                tbb::make_filter<Text, Text>(tbb::filter_mode::parallel, work) &
                                tbb::make_filter<Text, void>(tbb::filter_mode::serial_in_order, write));
  return all.size();
}

size_t both(size_t items) {
  size_t left = 0, right = 0;
  tbb::parallel_invoke([&] { left = items; }, [&] { right = items; });
  return left + right;
}

}  // namespace

int main(int count, char** words) {
  const std::string_view race = count > 1 ? words[1] : "";
  size_t sum = 0;
  for (int round = 0; round < 20; ++round)
    sum += doubled(20000, race == "tasks") + written(200, race == "pipeline") + both(3);
  return sum == 0 ? 1 : 0;
}
