#include "apps/studio/studio.h"

#include <gtest/gtest.h>

#include <thread>

namespace fugu::studio {
namespace {

// A terminal can close in the moment in which the address is printed.
TEST(Studio, EndsWhenToldToBeforeItServes) {
  Studio studio({.folder = testing::TempDir()});
  studio.quit();
  studio.serve();
  EXPECT_TRUE(studio.ended());
}

TEST(Studio, EndsWheneverItIsToldTo) {
  for (int microseconds = 0; microseconds < 2000; microseconds += 50) {
    Studio studio({.folder = testing::TempDir()});
    std::thread server([&] { studio.serve(); });
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    studio.quit();
    server.join();
    EXPECT_TRUE(studio.ended());
  }
}

}  // namespace
}  // namespace fugu::studio
