// The flags of counts and chains, and of estimates.
#include "fugu/ask/chain_question.h"
#include "fugu/ask/crowd_question.h"
#include "fugu/ask/estimate_question.h"
#include "fugu/ask/flags.h"
#include "fugu/ask/model_budget.h"

namespace fugu::inline in_ask {
namespace {

using enum FlagKind;

constexpr const char* kUsers = "The users";
constexpr const char* kBudget = "Budget";
constexpr const char* kModel = "Model";
constexpr const char* kQuery = "Query";
constexpr const char* kInput = "Input";
constexpr const char* kEstimates = "Estimates";
constexpr const char* kCounts = "count compare_count";

constexpr FlagOf<CrowdOptions> kCrowdFlags[] = {
    {Flag{"users", kNumber, "N", kUsers, "number of users who are alike, with --p"}.everyday("count").python(
         kCounts),
     &CrowdOptions::users},
    {Flag{"p", kNumber, "P", kUsers, "the probability that a user says 1, the second letter"}
         .everyday("count")
         .python(kCounts),
     &CrowdOptions::p},
    {Flag{"probabilities", kFile, "FILE", kUsers,
          "CSV file with a line for each user: the probability of 1, or one for each letter; - is standard "
          "input"}
         .everyday("count")
         .python(kCounts),
     &CrowdOptions::probabilities},
    {Flag{"letters", kNames, "a,b,c", kUsers, "what a user can say; default: the header of the file, or 0,1"}
         .python(kCounts),
     &CrowdOptions::letters},
    {Flag{"values", kNumber, "0,1,5|FILE", kUsers,
          "what each letter adds to the sum, for all users, or a CSV file with a line for each; default "
          "0,1,2,..."}
         .everyday("count")
         .python(kCounts),
     &CrowdOptions::values},
    {Flag{"pairs", kChoice, "both|values|absent", kUsers,
          "what must not be told apart: two letters of a user (values), a letter and the user's absence, "
          "that is a letter drawn by the user's own probabilities (absent), or both (default)"}
         .python(kCounts),
     &CrowdOptions::pairs},
    {Flag{"noise", kNames, "laplace|gaussian|power:P|log:ETA", kBudget,
          "noise family; default laplace; several with --compare"}
         .python(kCounts),
     &CrowdOptions::noise}};

constexpr FlagOf<ModelBudget> kBudgetFlags[] = {
    {Flag{"epsilon", kNumber, "E", kBudget,
          "how much the release may reveal: odds change by a factor of at most e^E"}
         .everyday("count chain rate")
         .python("count compare_count rate chain")
         .needed(),
     &ModelBudget::epsilon},
    {Flag{
         "delta", kNumber, "D", kBudget,
         "any conclusion is at most e^E times as likely under one secret as under another, plus D; default 0"}
         .everyday("count")
         .python("count compare_count rate chain"),
     &ModelBudget::delta}};

constexpr FlagOf<ChainOptions> kChainFlags[] = {
    {Flag{"matrix", kFile, "FILE", kModel, "JSON file with the states and one or more chains"}
         .everyday("chain")
         .python("chain"),
     &ChainOptions::matrix},
    {Flag{"sequence", kFile, "TABLE", kModel,
          "table with one state in each record; the chain is estimated from it"}
         .everyday("chain")
         .python("chain"),
     &ChainOptions::sequence},
    {Flag{"column", kWord, "COL", kModel, "the sequence's column with the states: name or number"}.python(
         "chain"),
     &ChainOptions::column},
    {Flag{"separator", kWord, "CHAR", kModel,
          "between the sequence's fields; by default , ; or tab is detected"}
         .python("chain"),
     &ChainOptions::separator},
    {Flag{"no-header", kNotSwitch, "", kModel, "the sequence's first line is a state"}.python("chain").named(
         "header"),
     &ChainOptions::no_header},
    {Flag{"length", kNumber, "T", kModel, "number of times in the sequence; default: that of --sequence"}
         .everyday("chain")
         .python("chain"),
     &ChainOptions::length},
    {Flag{"state", kWord, "NAME", kQuery, "release how often this state occurs"}.everyday("chain").python(
         "chain"),
     &ChainOptions::state},
    {Flag{"histogram", kSwitch, "", kQuery, "release how often each state occurs"}.everyday("chain").python(
         "chain"),
     &ChainOptions::histogram},
    {Flag{"frequency", kSwitch, "", kQuery, "release a share of the length instead of a count"}.python(
         "chain"),
     &ChainOptions::frequency},
    {Flag{"method", kWord, "METHOD", "Method",
          "group, quilt-approx, quilt, transfer or exact; default transfer"}
         .everyday("chain")
         .python("chain"),
     &ChainOptions::method}};

constexpr FlagOf<EstimateTexts> kEstimateFlags[] = {
    {Flag{"TABLE", kFile, "TABLE", "", "the released table; - is standard input"}.needed(),
     &EstimateTexts::table},
    {Flag{"statement", kFile, "FILE", kInput,
          "the statement or receipt of the release; default TABLE.receipt.json"}
         .everyday("estimate"),
     &EstimateTexts::statement},
    {Flag{"column", kWord, "COL", kInput, "the released column; default: the statement's"}
         .everyday("estimate")
         .python("estimate"),
     &EstimateTexts::column},
    {Flag{"table", kNames, "COL[,COL]", kEstimates,
          "where rows traded places: count the rows by these columns together, released or kept; default: by "
          "each released column"}
         .everyday("estimate")
         .python("estimate"),
     &EstimateTexts::cross},
    {Flag{"by", kNames, "COL[,COL]", kEstimates,
          "estimate each group of rows that share the values of these columns"}
         .everyday("estimate")
         .python("estimate"),
     &EstimateTexts::by},
    {Flag{"confidence", kNumber, "C", kEstimates, "how sure each bound is by itself; default 0.95"}
         .everyday("estimate")
         .python("estimate"),
     &EstimateTexts::confidence},
    {Flag{"of", kChoice, "table|population", kEstimates,
          "table: about the very rows that were released (default); population: about the distribution they "
          "were drawn from"}
         .everyday("estimate")
         .python("estimate"),
     &EstimateTexts::of},
    {Flag{"support", kSpan, "LO:HI", kEstimates,
          "the least and the greatest true value; default: those of the statement, else those that the "
          "released values can come from"}
         .python("estimate"),
     &EstimateTexts::support},
    {Flag{"bin", kNumber, "W", kEstimates, "width of the histogram's bins; chosen by default"}.python(
         "estimate"),
     &EstimateTexts::bin},
    {Flag{"quantiles", kNumber, "Q[,Q]", kEstimates, "levels; default 0.1,0.25,0.5,0.75,0.9"}.python(
         "estimate"),
     &EstimateTexts::quantiles},
    {Flag{"separator", kWord, "CHAR", kInput, "between fields; detected by default"},
     &EstimateTexts::separator},
    {Flag{"part", kSwitch, "", kInput,
          "the table holds only some of the release's rows, or was written anew: its digest is not compared, "
          "and it may have fewer rows"}
         .everyday("estimate")
         .python("estimate"),
     &EstimateTexts::part},
    {Flag{"no-header", kNotSwitch, "", kInput, "the first line is data; name columns by number"},
     &EstimateTexts::no_header}};

}  // namespace

template <>
std::span<const FlagOf<CrowdOptions>> flags_of() {
  return kCrowdFlags;
}
template <>
std::span<const FlagOf<ModelBudget>> flags_of() {
  return kBudgetFlags;
}
template <>
std::span<const FlagOf<ChainOptions>> flags_of() {
  return kChainFlags;
}
template <>
std::span<const FlagOf<EstimateTexts>> flags_of() {
  return kEstimateFlags;
}

}  // namespace fugu::inline in_ask
