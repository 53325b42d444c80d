#include "fugu/report/terms.h"

namespace fugu::inline in_report {
namespace {

class Terms {
 public:
  void add(const char* term, const char* meaning) {
    list_.if_array()->push_back(Json::array({Json::string(term), Json::string(meaning)}));
  }
  Json take() { return std::move(list_); }

 private:
  Json list_ = Json::array();
};

void add_budget(Terms& terms, bool with_delta, bool of_belief = false) {
  terms.add(
      "epsilon",
      of_belief
          ? "How much a release may change what somebody believes: who believed the stated shares of the "
            "secrets becomes at most e^epsilon times as sure of one. 0.1 is little, 1 is much (up to 2.7 "
            "times as sure), 0 would be nothing."
      : with_delta
          ? "How much a release may change what somebody believes: anything concluded is at most e^epsilon "
            "times as likely under one secret as under another, plus delta. 0.1 is little, 1 is much (up to "
            "2.7 times), 0 would be nothing."
          : "How much a release may change what somebody believes: odds between two secrets change by a "
            "factor of at most e^epsilon. 0.1 is little, 1 is much (odds up to 2.7 times), 0 would be "
            "nothing.");
  if (with_delta)
    terms.add(
        "delta",
        "By how much a conclusion may be likelier than epsilon allows. With it outcomes may tell a little "
        "more, and rare ones much more.");
}

const char* loss_meaning(const Claim& claim) {
  if (!claim.stated().delta.is_zero())
    return "The privacy loss: by how much one released value can change the odds, as a power of e. With a "
           "delta it may exceed epsilon: by a little anywhere, by much only for outcomes that are unlikely.";
  if (claim.is_of_belief())
    return "The privacy loss: by how much one released value can change how sure somebody is of a secret, as "
           "a power of e. It never exceeds epsilon: this is proved, not measured.";
  return "The privacy loss: by how much one released value can change the odds, as a power of e. It never "
         "exceeds epsilon: this is proved, not measured.";
}

}  // namespace

Json terms_of(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  Terms terms;
  terms.add("secret", scenario.source && scenario.source->releases_secret()
                          ? "What nobody should learn about a person. Here it is also one of the released "
                            "columns, and hidden by the promise alone."
                          : "What nobody should learn about a person. It is never written into the release.");
  add_budget(terms, !scenario.stated().delta.is_zero(), scenario.is_of_belief());
  terms.add("odds", "How many times as likely one thing is as another: 50 % against 50 % are odds of 1.");
  terms.add("prior",
            "What somebody is assumed to believe before the release: how often each value occurs among "
            "people with each secret.");
  terms.add("loss", loss_meaning(scenario));
  if (std::holds_alternative<Swap>(plan.mechanism))
    terms.add("swap",
              "Values, or whole rows, trade places at random, so that on average as many become each "
              "value as cease to be it.");
  if (std::holds_alternative<Channel>(plan.mechanism))
    terms.add("channel", "For each true value a list of how likely each released value is.");
  if (adds_noise(plan.mechanism))
    terms.add("noise",
              "A random number that is added to a value. Its distribution is published, its draws are not.");
  terms.add("frequencies hold as they stand",
            "Counts and shares of the released values are right on average; nothing has to be undone.");
  terms.add("estimate",
            "A number that comes with an error. fugu estimate undoes the noise as far as possible, and says "
            "how sure the result is.");
  terms.add("root mean square, spread",
            "The typical size of a change; the typical distance of a value from "
            "the mean. A change as large as the spread leaves little of a value.");
  terms.add("leakage",
            "How much the release reveals about the secret overall, over all people; the promise is about "
            "the worst value.");
  terms.add("plan, digest",
            "The file that holds the question, the noise and the proof. The digest is its fingerprint, and "
            "ties this report to it.");
  return terms.take();
}

Json terms_of(const ModelPlan& plan) {
  Terms terms;
  add_budget(terms, !plan.budget.delta.is_zero());
  terms.add("model", "What is assumed about the people or times behind the number.");
  terms.add(
      "noise",
      "A random number that is added to the true one. Its distribution is published, its draws are not.");
  terms.add("root mean square", "The typical size of a change.");
  return terms.take();
}

}  // namespace fugu::inline in_report
