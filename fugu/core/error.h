// The one exception of fugu: what is wrong, and what to do about it.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace fugu::inline in_core {

// The value of a kind is the exit status of the command line.
enum class ErrorKind {
  kBug = 1,        // a mistake of ours
  kUsage = 2,      // changing the command cures it
  kData = 3,       // the file must change
  kGuarantee = 4,  // the guarantee cannot be met, or a plan did not verify
  kIo = 5,         // input or output failed
  kBudget = 6,     // the privacy budget is spent
};

// `message` names the option, file, line or column; `hint` says what to do next.
// Neither ever holds a private value.
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, std::string hint)
      : kind_(kind), message_(std::move(message)), hint_(std::move(hint)) {}

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& hint() const noexcept { return hint_; }
  const char* what() const noexcept override { return message_.c_str(); }

  // The same error with `place` (a file, a column) put in front of the message.
  Error at(const std::string& place) const { return Error(kind_, place + ": " + message_, hint_); }

 private:
  ErrorKind kind_;
  std::string message_;
  std::string hint_;
};

// Error (usage).
inline Error usage(std::string message, std::string hint) {
  return Error(ErrorKind::kUsage, std::move(message), std::move(hint));
}

}  // namespace fugu::inline in_core
