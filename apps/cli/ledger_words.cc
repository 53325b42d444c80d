#include "apps/cli/ledger_words.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <ctime>

#include "fugu/show/wording.h"

namespace fugu::cli {

std::string less_of(double value) {
  if (value < 1e-12) return "0";
  const double unit = std::pow(10, std::floor(std::log10(value)) - 3);
  return for_people(std::floor(value / unit + 1e-6) * unit, 4);
}

std::string now() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::string more_words(const More& more, const std::string& word, const std::string& like) {
  static constexpr std::array kNumbers{"none",  "one",   "two",  "three", "four",   "five",  "six",
                                       "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  const auto count = static_cast<size_t>(more.releases);
  std::string number = count < kNumbers.size() ? kNumbers[count] : grouped(count);
  number += more.or_more ? " or more" : word.empty() ? "" : " " + word;
  return fmt::format("{} like {} {}", number, like, count <= 1 && !more.or_more ? "fits" : "fit");
}

std::string influence_words(const InfluenceLeft& influence) {
  const std::string spent = rounded_up(influence.spent, 4);
  if (!influence.most) return fmt::format("{} spent; the value itself tells no more than the budget", spent);
  return fmt::format("{} of {} spent, {} left to any releases of these values", spent,
                     less_of(*influence.most), less_of(influence.left()));
}

std::string outlook_text(const Outlook& outlook) {
  const Account& account = outlook.account;
  const bool unknown = outlook.releases > 0 && !outlook.spent;
  std::string text = fmt::format("Dataset {}, secret {}: ", printable(account.dataset),
                                 printable(fmt::format("{}", fmt::join(account.secret, ", "))));
  text += outlook.refusal.empty()
              ? more_words(outlook.more, outlook.releases > 0 ? "more" : "", "this one") + "\n"
              : "none like this one fits: " + printable(outlook.refusal) + "\n";
  const Rational spent = outlook.spent ? outlook.spent->epsilon : Rational(0);
  text += unknown ? fmt::format("  spent      no bound is known for {} together\n",
                                counted(outlook.releases, "release"))
                  : fmt::format("  spent      {} of {} by {}\n", rounded_up(static_cast<double>(spent), 4),
                                short_text(account.epsilon), counted(outlook.releases, "release"));
  if (outlook.together) {
    text += fmt::format("  with it    {} of {} (bound: {})\n",
                        rounded_up(static_cast<double>(outlook.together->epsilon), 4),
                        short_text(account.epsilon), outlook.together->bound);
    if (account.delta > 0) {
      text += fmt::format("             and {} of {} of its delta\n",
                          for_people(round_up(outlook.together->delta), 4), short_text(account.delta));
    }
  }
  if (outlook.influence) text += "  influence  " + influence_words(*outlook.influence) + "\n";
  if (outlook.influence && outlook.of_release) {
    const std::string own = rounded_up(*outlook.of_release, 4);
    text += outlook.influence->column == outlook.column
                ? fmt::format("             this release has {}\n", own)
                : fmt::format("             that is of {}; this release, of {}, has {} of its own\n",
                              printable(outlook.influence->column), printable(outlook.column), own);
  }
  for (const std::string& sentence : outlook.assumptions)
    text += "  assumed    " + wrapped(sentence, 87, 13) + "\n";
  if (!outlook.hint.empty()) text += "hint: " + outlook.hint + "\n";
  return text;
}

std::string spent_text(const Spent& spent) {
  std::string text = fmt::format(
      "  budget     {} of {} spent of dataset {} by {}, {} left (bound: {}); this is release {}\n",
      rounded_up(static_cast<double>(spent.together.epsilon), 4), short_text(spent.account.epsilon),
      printable(spent.account.dataset), counted(spent.releases, "release"), less_of(round_down(spent.left())),
      spent.together.bound, spent.id);
  if (spent.account.delta > 0) {
    text += fmt::format("             and {} of {} of its delta\n",
                        for_people(round_up(spent.together.delta), 4), short_text(spent.account.delta));
  }
  if (spent.more) text += "  left       " + more_words(*spent.more, "more", "this one") + "\n";
  if (spent.influence) text += "  influence  " + influence_words(*spent.influence) + "\n";
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
