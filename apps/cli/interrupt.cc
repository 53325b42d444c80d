#include "apps/cli/interrupt.h"

#include <csignal>

namespace fugu::cli {
namespace {

volatile std::sig_atomic_t came = 0;

void mark(int signal) { came = signal; }

}  // namespace

Interruptible::Interruptible() {
  std::signal(SIGINT, mark);
  std::signal(SIGTERM, mark);
}

Interruptible::~Interruptible() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void stop_if_interrupted() {
  if (came != 0) throw Interrupted{came};
}

}  // namespace fugu::cli
