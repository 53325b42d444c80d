#include "apps/studio/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>
#include <vector>

namespace fugu::studio {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, IsTheOwnersAloneAndGoes) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700U);
    std::ofstream(path / "x") << "y";
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, OfAKilledProcessGoesWithTheNext) {
  int said[2];
  ASSERT_EQ(::pipe(said), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const TemporaryFolder folder;
    const std::string path = folder.path().string();
    std::ofstream(folder.path() / "people.csv") << "private\n";
    (void)!::write(said[1], path.c_str(), path.size());
    ::close(said[1]);
    ::pause();
  }
  ::close(said[1]);
  char text[4096] = {};
  ASSERT_GT(::read(said[0], text, sizeof text - 1), 0);
  ::close(said[0]);
  const fs::path path(text);
  { const TemporaryFolder another; }
  EXPECT_TRUE(fs::exists(path / "people.csv")) << "its process lives";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const TemporaryFolder next;
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, FollowsNoLinkAndLeavesOtherNames) {
  const TemporaryFolder place;
  const fs::path other = place.path() / "others";
  fs::create_directories(other);
  std::ofstream(other / "x") << "y";
  fs::create_directory_symlink(other, place.path() / "fugu-studio-linked");
  std::ofstream(place.path() / "fugu-studio-file") << "no folder";
  fs::create_directories(place.path() / "fugu-studio-old" / "deep");
  std::ofstream(place.path() / "fugu-studio-old" / ".made-by-a-fugu-studio") << "";
  fs::create_directories(place.path() / "fugu-studio-notes" / "deep");
  remove_abandoned(place.path());
  EXPECT_TRUE(fs::exists(place.path() / "fugu-studio-notes" / "deep")) << "no studio made it";
  EXPECT_TRUE(fs::exists(other / "x"));
  EXPECT_TRUE(fs::exists(place.path() / "fugu-studio-file"));
  EXPECT_TRUE(fs::is_symlink(place.path() / "fugu-studio-linked"));
  EXPECT_FALSE(fs::exists(place.path() / "fugu-studio-old"));
}

TEST(TemporaryFolder, ManyAtOnceTakeNoneAway) {
  std::vector<std::thread> threads;
  for (int k = 0; k < 8; ++k) {
    threads.emplace_back([] {
      for (int again = 0; again < 50; ++again) {
        const TemporaryFolder folder;
        std::ofstream(folder.path() / "x") << "y";
        EXPECT_TRUE(fs::exists(folder.path() / "x"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace fugu::studio
