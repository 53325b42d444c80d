#include "apps/cli/ledger_words.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "fugu/show/wording.h"

namespace fugu::cli {

std::string now() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string spent_text(const Spent& spent) {
  std::string text = fmt::format(
      "  budget     {} of {} spent of dataset {} by {}, {} left (bound: {}); this is release {}\n",
      rounded_up(static_cast<double>(spent.together.epsilon), 4), short_text(spent.account.epsilon),
      printable(spent.account.dataset), counted(spent.releases, "release"),
      spent.left() < Rational(1, 1000000000000) ? "0" : for_people(round_down(spent.left()), 4),
      spent.together.bound, spent.id);
  if (spent.account.delta > 0) {
    text += fmt::format("             and {} of {} of its delta\n",
                        for_people(round_up(spent.together.delta), 4), short_text(spent.account.delta));
  }
  for (const std::string& sentence : spent.assumptions)
    text += "  assumed    " + wrapped(sentence, 87, 13) + "\n";
  if (spent.other_data) {
    text += fmt::format(
        "  note       the frequencies are not those of release {}: both are counted, against either's\n",
        *spent.other_data);
  }
  if (spent.other_secret) {
    text +=
        "  note       the dataset has an account for another secret: what this release says of that one is "
        "not counted\n";
  }
  return text;
}

}  // namespace fugu::cli
