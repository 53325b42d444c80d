// The flags of rates.
#include "fugu/ask/flags.h"
#include "fugu/ask/rate_question.h"

namespace fugu::inline in_ask {
namespace {

using enum FlagKind;

constexpr const char* kRate = "The rate, and what is released";

constexpr FlagOf<RateOptions> kRateFlags[] = {
    {Flag{"within", kNumber, "SHARE|all", kRate,
          "rates that differ by at most this share of the rows must not be told apart, such as 0.05; all "
          "means any two rates"}
         .everyday("rate")
         .python("rate")
         .needed(),
     &RateOptions::within},
    {Flag{"of", kWord, "VALUE", kRate, "the rate of this value of the secret; default: of all its values"}
         .python("rate"),
     &RateOptions::of},
    {Flag{"count", kNames, "VALUE[,VALUE]", kRate,
          "release how many rows have one of these values of the released column"}
         .everyday("rate")
         .python("rate"),
     &RateOptions::count},
    {Flag{"sum", kSwitch, "", kRate, "release the sum of the released column"}.python("rate").named("sum_"),
     &RateOptions::sum},
    {Flag{"mean", kSwitch, "", kRate, "release its mean"}.everyday("rate").python("rate"),
     &RateOptions::mean},
    {Flag{"histogram", kSwitch, "", kRate, "release how many rows have each of its values"}
         .everyday("rate")
         .python("rate"),
     &RateOptions::histogram},
    {Flag{"rows", kNumber, "N", kRate, "with --scenario: how many rows the table has"}.python("rate"),
     &RateOptions::rows},
    {Flag{"method", kWord, "METHOD", "Method",
          "group, rows, part or exact; default: whichever of the last three needs the least noise"}
         .python("rate"),
     &RateOptions::method}};

}  // namespace

template <>
std::span<const FlagOf<RateOptions>> flags_of() {
  return kRateFlags;
}

}  // namespace fugu::inline in_ask
