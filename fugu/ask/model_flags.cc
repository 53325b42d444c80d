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
    {Flag{"users", kNumber, "N", kUsers, "this many users who are alike, with --p"}.python(kCounts),
     &CrowdOptions::users},
    {Flag{"p", kNumber, "P", kUsers, "the probability that a user says 1, the second letter"}.python(kCounts),
     &CrowdOptions::p},
    {Flag{"probabilities", kFile, "FILE", kUsers,
          "CSV file with a line for each user: the probability of 1, or one for each letter; - is standard "
          "input"}
         .python(kCounts),
     &CrowdOptions::probabilities},
    {Flag{"letters", kNames, "a,b,c", kUsers,
          "what a user can say; the header of the file, or 0,1 when not given"}
         .python(kCounts),
     &CrowdOptions::letters},
    {Flag{"values", kNumber, "0,1,5|FILE", kUsers,
          "what each letter adds to the sum, for all users, or a CSV file with a line for each; 0,1,2,... "
          "when not given"}
         .python(kCounts),
     &CrowdOptions::values},
    {Flag{"pairs", kChoice, "both|values|absent", kUsers,
          "what must not be told apart: two letters of a user, a letter and the user's absence (a letter "
          "drawn by the user's own probabilities), or both, when not given"}
         .python(kCounts),
     &CrowdOptions::pairs},
    {Flag{"noise", kNames, "laplace|gaussian|power:P|log:ETA", kBudget,
          "family of the noise; laplace when not given, several with --compare"}
         .python(kCounts),
     &CrowdOptions::noise}};

constexpr FlagOf<ModelBudget> kBudgetFlags[] = {
    {Flag{"epsilon", kNumber, "E", kBudget, "the privacy budget: odds change by at most e^E"}
         .python("count compare_count rate chain")
         .needed(),
     &ModelBudget::epsilon},
    {Flag{"delta", kNumber, "D", kBudget, "what may exceed e^E in all; 0 when not given"}.python(
         "count compare_count rate chain"),
     &ModelBudget::delta}};

constexpr FlagOf<ChainOptions> kChainFlags[] = {
    {Flag{"matrix", kFile, "FILE", kModel, "file with the states and one or more chains, JSON"}.python(
         "chain"),
     &ChainOptions::matrix},
    {Flag{"sequence", kFile, "TABLE", kModel,
          "table with one state in each record; the chain is estimated from it"}
         .python("chain"),
     &ChainOptions::sequence},
    {Flag{"column", kWord, "COL", kModel, "the sequence's column with the states: name or number"}.python(
         "chain"),
     &ChainOptions::column},
    {Flag{"separator", kWord, "CHAR", kModel,
          "of the sequence's fields: , ; or tab; found out when not given"}
         .python("chain"),
     &ChainOptions::separator},
    {Flag{"no-header", kNotSwitch, "", kModel, "the sequence's first line is a state"}.python("chain").named(
         "header"),
     &ChainOptions::no_header},
    {Flag{"length", kNumber, "T", kModel,
          "how many times the sequence has; that of --sequence when not given"}
         .python("chain"),
     &ChainOptions::length},
    {Flag{"state", kWord, "NAME", kQuery, "release how often this state occurs"}.python("chain"),
     &ChainOptions::state},
    {Flag{"histogram", kSwitch, "", kQuery, "release how often each state occurs"}.python("chain"),
     &ChainOptions::histogram},
    {Flag{"frequency", kSwitch, "", kQuery, "as a share of the length in place of a count"}.python("chain"),
     &ChainOptions::frequency},
    {Flag{"method", kWord, "METHOD", "Method",
          "group, quilt-approx, quilt, transfer or exact; transfer when not given"}
         .python("chain"),
     &ChainOptions::method}};

constexpr FlagOf<EstimateTexts> kEstimateFlags[] = {
    {Flag{"TABLE", kFile, "TABLE", "", "the released table; - is standard input"}.needed(),
     &EstimateTexts::table},
    {Flag{"statement", kFile, "FILE", kInput,
          "the statement or receipt of the release; TABLE.receipt.json when not given"},
     &EstimateTexts::statement},
    {Flag{"column", kWord, "COL", kInput, "the released column; the statement's when not given"}.python(
         "estimate"),
     &EstimateTexts::column},
    {Flag{
         "table", kNames, "COL[,COL]", kEstimates,
         "where rows traded places: count them by these columns together, released or kept; by each released "
         "column when not given"}
         .python("estimate"),
     &EstimateTexts::cross},
    {Flag{"by", kNames, "COL[,COL]", kEstimates, "estimate each group of rows that agree in these columns"}
         .python("estimate"),
     &EstimateTexts::by},
    {Flag{"confidence", kNumber, "C", kEstimates, "how sure each bound is by itself; 0.95 when not given"}
         .python("estimate"),
     &EstimateTexts::confidence},
    {Flag{"of", kChoice, "table|population", kEstimates,
          "table: of the very rows that were released (default); population: of the law that they were drawn "
          "from"}
         .python("estimate"),
     &EstimateTexts::of},
    {Flag{"support", kSpan, "LO:HI", kEstimates,
          "the least and the greatest true value; when neither given nor stated, those that the released "
          "ones can come from"}
         .python("estimate"),
     &EstimateTexts::support},
    {Flag{"bin", kNumber, "W", kEstimates, "width of the histogram's bins; chosen when not given"}.python(
         "estimate"),
     &EstimateTexts::bin},
    {Flag{"quantiles", kNumber, "Q[,Q]", kEstimates, "levels; 0.1,0.25,0.5,0.75,0.9 when not given"}.python(
         "estimate"),
     &EstimateTexts::quantiles},
    {Flag{"separator", kWord, "CHAR", kInput, "between fields; found by itself when not given"},
     &EstimateTexts::separator},
    {Flag{"part", kSwitch, "", kInput,
          "the table holds some of the release's rows, or all of them written anew: its digest is not "
          "compared, and it may have fewer rows"}
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
