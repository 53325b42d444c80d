#include "apps/cli/interrupt.h"

#include <csignal>

namespace fugu::cli {
namespace {

volatile std::sig_atomic_t came = 0;

void mark(int signal) { came = signal; }

void handle(void (*how)(int)) {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, how);
}

}  // namespace

Interruptible::Interruptible() { handle(mark); }

Interruptible::~Interruptible() {
  if (!over_) handle(SIG_DFL);
}

void Interruptible::too_late() {
  over_ = true;
  handle(SIG_IGN);
}

void stop_if_interrupted() {
  if (came != 0) throw Interrupted{came};
}

}  // namespace fugu::cli
