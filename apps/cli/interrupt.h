// Ctrl-C during long work: the work is told to stop, and what it had begun is cleared away.
#pragma once

namespace fugu::cli {

// While it lives, SIGINT and SIGTERM only set a mark that the progress callback finds.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;
  // What was done cannot be taken back: the program ends as it would without a signal.
  void too_late();

 private:
  bool over_ = false;
};

// Throws Interrupted when a signal has come.
struct Interrupted {
  int signal;
};
void stop_if_interrupted();

}  // namespace fugu::cli
