#include "apps/studio/jobs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

namespace fugu::studio {
namespace {

using std::chrono::seconds;

// Works until it is told to stop.
Json for_ever(const Progress& progress) {
  while (true) {
    report(progress, 0.25, "turning");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

JobState end_of(Jobs& jobs, const std::string& id) { return jobs.look(id, seconds(20))->state; }

TEST(Jobs, GiveWhatTheWorkGives) {
  Jobs jobs;
  const auto done = jobs.start({.work = [](const Progress&) { return Json::string("yes"); }});
  const auto view = jobs.look(*done, seconds(20));
  EXPECT_EQ(view->state, JobState::kDone);
  EXPECT_EQ(*view->result.if_string(), "yes");
  const auto failed =
      jobs.start({.work = [](const Progress&) -> Json { throw usage("--epsilon: no", "give it"); }});
  EXPECT_EQ(end_of(jobs, *failed), JobState::kFailed);
  EXPECT_EQ(jobs.look(*failed, {})->error->message(), "--epsilon: no");
  EXPECT_FALSE(jobs.look("999", {}));
  EXPECT_FALSE(jobs.cancel("999"));
}

TEST(Jobs, ANewerOneOfThePageReplacesTheOlder) {
  Jobs jobs;
  const auto old = jobs.start({Lane::kSlow, "page optima", 0, for_ever});
  const auto other = jobs.start({Lane::kSlow, "other page optima", 0, for_ever});
  const auto fresh =
      jobs.start({Lane::kSlow, "page optima", 0, [](const Progress&) { return Json::null(); }});
  EXPECT_EQ(end_of(jobs, *old), JobState::kCancelled);
  EXPECT_EQ(end_of(jobs, *fresh), JobState::kDone);
  EXPECT_FALSE(jobs.look(*other, {})->ended());
  EXPECT_TRUE(jobs.cancel(*other));
  EXPECT_EQ(end_of(jobs, *other), JobState::kCancelled);
}

TEST(Jobs, OfAPageThatIsGoneAreCancelled) {
  Jobs jobs(std::chrono::milliseconds(200));
  const auto watched = jobs.start({Lane::kSlow, "page optima", 0, for_ever});
  const auto forsaken = jobs.start({Lane::kSlow, "killed page optima", 0, for_ever});
  const auto release = jobs.start({Lane::kRelease, "", 0, for_ever});
  for (int k = 0; k < 30; ++k) EXPECT_FALSE(jobs.look(*watched, std::chrono::milliseconds(20))->ended());
  EXPECT_EQ(jobs.look(*forsaken, {})->state, JobState::kCancelled);
  EXPECT_FALSE(jobs.look(*release, {})->ended()) << "what is released is released";
}

TEST(Jobs, AnOlderOneThatComesLateReplacesNothing) {
  Jobs jobs;
  const auto done = [](const Progress&) { return Json::null(); };
  const auto first = jobs.start({Lane::kSlow, "page optima", 3, for_ever});
  const auto newest = jobs.start({Lane::kSlow, "page optima", 5, for_ever});
  const auto late = jobs.start({Lane::kSlow, "page optima", 4, done});
  EXPECT_EQ(end_of(jobs, *first), JobState::kCancelled);
  EXPECT_EQ(end_of(jobs, *late), JobState::kCancelled);
  EXPECT_FALSE(jobs.look(*newest, {})->ended());
  const auto other_page = jobs.start({Lane::kSlow, "other page optima", 1, done});
  EXPECT_EQ(end_of(jobs, *other_page), JobState::kDone);
  const auto again = jobs.start({Lane::kSlow, "page optima", 5, done});
  EXPECT_EQ(end_of(jobs, *newest), JobState::kCancelled);
  EXPECT_EQ(end_of(jobs, *again), JobState::kDone);
  const auto after_its_end = jobs.start({Lane::kSlow, "page optima", 4, done});
  EXPECT_EQ(end_of(jobs, *after_its_end), JobState::kCancelled);
}

TEST(Jobs, SlowOnesDoNotHoldUpQuickOnes) {
  Jobs jobs;
  for (int k = 0; k < 8; ++k) jobs.start({Lane::kSlow, "", 0, for_ever});
  const auto quick = jobs.start({Lane::kQuick, "", 0, [](const Progress&) { return Json::null(); }});
  EXPECT_EQ(end_of(jobs, *quick), JobState::kDone);
}

TEST(Jobs, TooManyAreRefusedAndAllEndWithTheStudio) {
  std::atomic<int> running = 0;
  {
    Jobs jobs;
    int refused = 0;
    for (int k = 0; k < 100; ++k) {
      refused += !jobs.start({Lane::kSlow, "", 0, [&](const Progress& progress) {
                                ++running;
                                struct Down {
                                  std::atomic<int>& count;
                                  ~Down() { --count; }
                                } down{running};
                                return for_ever(progress);
                              }});
    }
    EXPECT_GE(refused, 30);
    EXPECT_LT(refused, 40);
  }
  EXPECT_EQ(running, 0);
}

TEST(Jobs, WorkThatDoesNotLookUpIsKnown) {
  Jobs jobs;
  EXPECT_TRUE(jobs.idle_within({}));
  std::latch free(1), begun(1);
  jobs.start({Lane::kSlow, "", 0, [&](const Progress&) {
                begun.count_down();
                free.wait();
                return Json::null();
              }});
  begun.wait();
  jobs.stop();
  EXPECT_FALSE(jobs.idle_within(std::chrono::milliseconds(10)));
  EXPECT_FALSE(jobs.start({.work = [](const Progress&) { return Json::null(); }}));
  free.count_down();
  EXPECT_TRUE(jobs.idle_within(seconds(20)));
}

TEST(Jobs, ProgressIsSeen) {
  Jobs jobs;
  std::latch seen(1), reported(1);
  const auto id = jobs.start({.work = [&](const Progress& progress) {
    report(progress, 0.5, "half way");
    reported.count_down();
    seen.wait();
    return Json::null();
  }});
  reported.wait();
  const auto view = jobs.look(*id, {});
  EXPECT_EQ(view->fraction, 0.5);
  EXPECT_EQ(view->what, "half way");
  seen.count_down();
  EXPECT_EQ(end_of(jobs, *id), JobState::kDone);
}

}  // namespace
}  // namespace fugu::studio
