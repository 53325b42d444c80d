#include "fugu/file/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "fugu/core/error.h"

namespace fugu {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public ::testing::Test {
 protected:
  AtomicFileTest() {
    std::string name = (fs::temp_directory_path() / "fugu-atomic-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = (folder_ / "out").string();
  }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  void put(const std::string& text) const { std::ofstream(path_) << text; }
  std::string text() const {
    std::stringstream out;
    out << std::ifstream(path_).rdbuf();
    return out.str();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& file : fs::directory_iterator(folder_)) found.push_back(file.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }

  fs::path folder_;
  std::string path_;
};

ErrorKind kind_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_FALSE(error.hint().empty());
    return error.kind();
  }
  return ErrorKind::kBug;
}

// What a file system lacks, for this process from now on: unnamed files and links, and perhaps renames that
// replace nothing. The kernel itself says no.
bool lack(bool also_renames) {
  auto refuse = [](long call, unsigned error) {
    return std::vector<sock_filter>{BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1),
                                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error)};
  };
  std::vector<sock_filter> rules{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  auto add = [&](const std::vector<sock_filter>& more) {
    rules.insert(rules.end(), more.begin(), more.end());
  };
  add(refuse(SYS_linkat, EPERM));
#ifdef SYS_link
  add(refuse(SYS_link, EPERM));
#endif
  if (also_renames) add(refuse(SYS_renameat2, EINVAL));
  add({BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
       BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args) + 2 * sizeof(uint64_t)),
       BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)});
  const sock_fprog program{static_cast<unsigned short>(rules.size()), rules.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

constexpr int kCannotLack = 77;

// The status of a process where these are lacking.
int in_poor_process(bool also_renames, const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(lack(also_renames) ? work() : kCannotLack);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void write_and_commit(const std::string& path, bool force, const std::function<void()>& meanwhile = {}) {
  AtomicFile file(path, {.force = force});
  write_all(file.descriptor(), "new", 3, path);
  if (meanwhile) meanwhile();
  file.commit();
}

TEST_F(AtomicFileTest, WhatReplacesAFileMayBeReadByNobodyElse) {
  const mode_t before = ::umask(022);
  for (const auto& [old, now] : {std::pair<mode_t, mode_t>{0600, 0600}, {0640, 0640}, {0666, 0644}}) {
    std::ofstream(path_) << "old";
    ::chmod(path_.c_str(), old);
    write_and_commit(path_, true);
    struct stat status {};
    EXPECT_EQ(::stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, now);
    fs::remove(path_);
  }
  ::umask(before);
}

TEST_F(AtomicFileTest, AskingForTheModeChangesItForNoOtherThread) {
  const mode_t before = ::umask(027);
  EXPECT_EQ(public_mode(), 0640U);
  std::atomic<bool> done = false;
  std::thread asks([&] {
    while (!done) (void)public_mode();
  });
  size_t open_to_all = 0;
  for (int k = 0; k < 2'000; ++k) {
    const int file = ::open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    struct stat status {};
    open_to_all += ::fstat(file, &status) != 0 || (status.st_mode & 0777) != 0640;
    ::close(file);
    fs::remove(path_);
  }
  done = true;
  asks.join();
  ::umask(before);
  EXPECT_EQ(open_to_all, 0U);
}

TEST_F(AtomicFileTest, AppearsWholeAndReplacesOnlyByForce) {
  write_and_commit(path_, false);
  EXPECT_EQ(text(), "new");
  put("old");
  EXPECT_EQ(kind_of([&] { write_and_commit(path_, false); }), ErrorKind::kUsage);
  EXPECT_EQ(text(), "old");
  write_and_commit(path_, true);
  EXPECT_EQ(text(), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(AtomicFileTest, WhatCameInBetweenStays) {
  EXPECT_EQ(kind_of([&] { write_and_commit(path_, false, [&] { put("theirs"); }); }), ErrorKind::kUsage);
  EXPECT_EQ(text(), "theirs");
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
  write_and_commit(path_, true, [&] { put("theirs"); });
  EXPECT_EQ(text(), "new");
}

TEST_F(AtomicFileTest, IsTakenBackOnlyWhileItIsThere) {
  AtomicFile file(path_, {});
  file.take_back();  // nothing yet
  file.commit();
  file.take_back();
  EXPECT_TRUE(names().empty());
  AtomicFile replaced(path_, {});
  replaced.commit();
  fs::rename(path_, path_ + ".moved");
  put("theirs");
  replaced.take_back();
  EXPECT_EQ(text(), "theirs");
}

TEST_F(AtomicFileTest, WithoutLinksNothingIsReplacedEither) {
  const int status = in_poor_process(false, [&] {
    write_and_commit(path_, false);
    if (text() != "new") return 1;
    fs::remove(path_);
    if (kind_of([&] { write_and_commit(path_, false, [&] { put("theirs"); }); }) != ErrorKind::kUsage)
      return 2;
    if (text() != "theirs") return 3;
    write_and_commit(path_, true);
    return text() == "new" && names() == std::vector<std::string>{"out"} ? 0 : 4;
  });
  if (status == kCannotLack) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(status, 0);
}

TEST_F(AtomicFileTest, WhereNothingIsSureItSaysSo) {
  const int status = in_poor_process(true, [&] {
    if (kind_of([&] { write_and_commit(path_, false); }) != ErrorKind::kIo) return 1;
    if (!names().empty()) return 2;
    write_and_commit(path_, true);
    return text() == "new" && names() == std::vector<std::string>{"out"} ? 0 : 3;
  });
  if (status == kCannotLack) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(status, 0);
}

// The name says whose it is, so that the ledger finds what a kill leaves.
TEST_F(AtomicFileTest, ANameMeanwhileTellsTheProcess) {
  const int status = in_poor_process(false, [&] {
    AtomicFile first(path_, {}), second(path_, {});
    const std::string name = "out." + std::to_string(::getpid());
    struct stat file {};
    if (::fstat(first.descriptor(), &file) != 0 || (file.st_mode & 0777) != 0600) return 1;
    return names() == std::vector<std::string>{name + "-0", name + "-1"} ? 0 : 2;
  });
  if (status == kCannotLack) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(names().empty());
}

}  // namespace
}  // namespace fugu
