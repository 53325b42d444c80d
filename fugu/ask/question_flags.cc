// The flags of a question.
#include "fugu/ask/flags.h"
#include "fugu/ask/question.h"

namespace fugu::inline in_ask {
namespace {

using enum FlagKind;

constexpr const char* kWhat = "What is hidden, what is released";
constexpr const char* kHowMuch = "How much";
constexpr const char* kRead = "How the table is read";
constexpr const char* kShape = "What is done to the values first (of one of several: COL=...)";

constexpr FlagOf<QuestionOptions> kQuestionFlags[] = {
    {Flag{"TABLE", kFile, "TABLE", kWhat,
          "CSV or TSV file with one row a person; - is standard input; or a database: postgresql://... or "
          "sqlite:FILE"}
         .said_by("scenario")
         .in_job("table", "file"),
     &QuestionOptions::table},
    {Flag{"secret", kNames, "COL[,COL]", kWhat,
          "column that must stay hidden, by name or number; several make one secret, joined with ' & '"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "hidden"})
         .needed(),
     &QuestionOptions::secret},
    {Flag{"public", kNames, "COL[,COL]", kWhat,
          "column to be released, by name or number; several, such as age,hours, are released together by "
          "one plan; all is every column without another role"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "released"})
         .needed(),
     &QuestionOptions::published},
    {Flag{"except", kNames, "COL[,COL]", kWhat, "with --public all: columns that are left out"}
         .python("from_table")
         .said_by("scenario plan")
         .named("except_")
         .in_job("", "except"),
     &QuestionOptions::except},
    {Flag{"known", kNames, "COL[,COL]", kWhat,
          "what could somebody already know about a person? These columns are written as they are, and the "
          "promise holds within each group of people who agree in them"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "known, and written as it is"}),
     &QuestionOptions::known},
    {Flag{"pairs", kPairs, "PAIRS", kWhat,
          "which secrets must not be told apart: all (when not given), neighbours (adjacent in their order), "
          "or pairs such as A:B,A:C or A:*"}
         .python("from_table")
         .said_by("plan")
         .page({"who", "Secrets that must not be told apart", "all"}),
     &QuestionOptions::pairs},
    {Flag{"given", kNames, "COL[,COL]", kWhat,
          "columns that an adversary may know: each group of people who agree in them is one more prior"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "known to others"}),
     &QuestionOptions::given},
    {Flag{"also", kNames, "BELIEF[,BELIEF]", kWhat,
          "further beliefs to cover: independent (the released columns have nothing to do with each other "
          "but for the secret), smoothed:A (every row that occurs counts by A more with every secret)"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"who", "Further beliefs", "independent,smoothed:0.5"}),
     &QuestionOptions::also},
    {Flag{"person", kWord, "COL", kWhat,
          "column that tells whose a row is, where people have several: one row of each, or as many as "
          "--rows-per-person says, drawn at random, is counted and released"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "Column that tells whose a row is"}),
     &QuestionOptions::person},
    {Flag{"rows-per-person", kNumber, "M", kWhat,
          "how many rows of each person are taken at most; the promise is then about all of them together, "
          "given how many they are; 1 when not given"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"who", "Rows of each person", "1"}),
     &QuestionOptions::rows_per_person},
    {Flag{"weight", kWord, "COL", kWhat,
          "column of weights, as surveys have them: frequencies are sums of these decimals in place of "
          "numbers "
          "of rows"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "Column of weights"}),
     &QuestionOptions::weight},
    {Flag{"count", kWord, "COL", kWhat, "column that says how many people a row stands for, in whole numbers"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "Column of numbers of people"}),
     &QuestionOptions::people},
    {Flag{"rows-independent", kSwitch, "", kWhat,
          "the rows are of different people, or independent, although a column looks like a person's number "
          "that comes again"}
         .python("from_table release release_file spark.release")
         .said_by("scenario")
         .page({"who", "Rows are of different people, or independent"}),
     &QuestionOptions::rows_independent},
    {Flag{"min-group", kNumber, "N", kWhat,
          "people with each secret that a group needs to be a prior of its own, else "
          "it is merged with the "
          "other small ones or, as always with --confidence, left out, and named; 20 when not given"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"who", "Least group of those who know more", "20"}),
     &QuestionOptions::min_group},
    {Flag{"prior", kFiles, "FILE", kWhat,
          "JSON file with further beliefs that an adversary may hold; may be repeated"}
         .python("from_table")
         .said_by("plan")
         .named("priors"),
     &QuestionOptions::priors},
    {Flag{"scenario", kFile, "FILE", kWhat, "JSON file with the distributions, in place of TABLE and columns"}
         .in_job("-"),
     &QuestionOptions::scenario},
    {Flag{"epsilon", kNumber, "E[,E]", kHowMuch,
          "points of error, 0.1 to 5.8 when not given; laws and plan need none"}
         .of("figure"),
     &QuestionOptions::epsilon},
    {Flag{"epsilon", kNumber, "E[,E]", kHowMuch,
          "privacy budget, greater than 0; smaller hides more; there is no default"}
         .of("compare"),
     &QuestionOptions::epsilon},
    {Flag{"epsilon", kNumber, "E", kHowMuch,
          "privacy budget, greater than 0; smaller hides more; there is no default. Secrets and pairs may "
          "have "
          "less than the rest: HIV=0.1,A:B=0.2,*=1"}
         .python("from_table calibrate compare")
         .said_by("plan")
         .page({"", "Epsilon"}),
     &QuestionOptions::epsilon},
    {Flag{
         "promise", kChoice, "odds|belief|belief-both", kHowMuch,
         "what epsilon is about: odds, that the odds between two secrets change by at most e^E; belief, that "
         "nobody who believes the table's shares becomes more than e^E times as sure of a secret; "
         "belief-both, nor less than e^-E times; odds when not given"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "Promise", "odds"}),
     &QuestionOptions::promise},
    {Flag{"shares", kNumber, "S=P,S=P", kHowMuch,
          "of a promise in belief: what somebody believes of each secret beforehand, such as "
          "HIV=0.02,flu=0.98; "
          "the table's shares when not given"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "Shares of the secrets"}),
     &QuestionOptions::shares},
    {Flag{"delta", kNumber, "D", kHowMuch,
          "what a conclusion's likelihood may exceed the factor e^epsilon by; 0 when not given"}
         .python("from_table calibrate compare")
         .said_by("plan")
         .page({"budget", "Delta", "0"}),
     &QuestionOptions::delta},
    {Flag{"confidence", kNumber, "C", kHowMuch,
          "hold for every law that the counts allow with this confidence, for example 0.95; the table is "
          "taken as the truth when not given. Numbers need --clip, better with --step or --bin, or "
          "--bin-edges"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "Confidence"}),
     &QuestionOptions::confidence},
    {Flag{"bounds", kChoice, "boxes|band|both", kHowMuch,
          "what a confidence has bounds of: the frequency of each value that can occur, that of all values "
          "up to "
          "it, or both; when not given both for many declared numbers, a band for numbers with a --clip "
          "alone, "
          "else boxes"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "Bounds of the frequencies"}),
     &QuestionOptions::bounds},
    {Flag{"population", kNames, "N|SECRET=N[,SECRET=N]", kHowMuch,
          "with --confidence: the rows are people drawn without replacement from so many; bounds are tighter "
          "where the number is known for each secret"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "People in the whole population"}),
     &QuestionOptions::population},
    {Flag{
         "census", kSwitch, "", kHowMuch,
         "the table is the whole population that the promise is about, so that its frequencies are the truth"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "The table is the whole population"}),
     &QuestionOptions::census},
    {Flag{"closeness", kNumber, "LAMBDA", kHowMuch,
          "also cover every belief within a factor e^LAMBDA of a prior; by some methods that takes 2 LAMBDA "
          "from epsilon"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "Closeness"}),
     &QuestionOptions::closeness},
    {Flag{"noise", kNames, "NOISE[,NOISE]", kHowMuch,
          "families of the noise: laplace, gaussian, power:P, log:ETA; when not given laplace, and with "
          "--delta gaussian too"}
         .python("compare")
         .of("compare"),
     &QuestionOptions::noise},
    {Flag{"noise", kWord, "laplace|gaussian|power:P|log:ETA", kHowMuch,
          "family of the noise; laplace when not given"}
         .python("calibrate")
         .said_by("plan")
         .page({"budget", "Noise", "laplace"})
         .in_job("mechanism"),
     &QuestionOptions::noise},
    {Flag{"noise-shares", kNumber, "W,W", kHowMuch,
          "of several columns, how the noise is shared out: a column of share 2 gets twice the scale of one "
          "of share 1; by the columns' spread when not given"}
         .python("from_table")
         .said_by("plan")
         .page({"shape", "Shares of the noise"})
         .in_job("mechanism"),
     &QuestionOptions::noise_shares},
    {Flag{
         "range", kChoice, "free|clamp", kHowMuch,
         "whether released values may leave the range of --clip or, without one, that from the 5th lowest to "
         "the 5th highest person's value; clamp for categories, free for numbers when not given"}
         .python("from_table")
         .said_by("plan")
         .page({"shape", "Range of released values"})
         .in_job("mechanism"),
     &QuestionOptions::range},
    {Flag{"table", kWord, "NAME", kRead, "of a database: the table or view, as SQL names it"}.said_by(
         "scenario"),
     &QuestionOptions::database_table},
    {Flag{"query", kWord, "SQL", kRead, "of a database: one SELECT, in place of --table"}.said_by("scenario"),
     &QuestionOptions::query},
    {Flag{"order", kNamesOrFile, "a,b,c|@FILE", kRead,
          "the categories that can be released, in their order, as a list or a file with one a line; those "
          "of the table, by what their texts tell or by their bytes, when not given"}
         .python("from_table")
         .said_by("scenario plan")
         .page(
             {"shape", "Order of the categories", "a,b,c",
              "the categories that can be released, in their order; those of the table, by what their texts "
              "tell or by their bytes, when not given"})
         .in_job("shape"),
     &QuestionOptions::order},
    {Flag{"secret-order", kNames, "a,b,c", kRead, "order of the secrets, for --pairs neighbours"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"who", "Order of the secrets", "a,b,c"})
         .in_job("secrets"),
     &QuestionOptions::secret_order},
    {Flag{
         "step", kNumber, "G[,G]", kRead,
         "snap numbers to the nearest multiple of G; of several columns one for all numbers, or one for each"}
         .python("from_table")
         .said_by("plan")
         .page({"shape", "Step"})
         .in_job("shape"),
     &QuestionOptions::step},
    {Flag{"clip", kSpan, "LO:HI", kShape,
          "hold numbers or dates within a range: what lies beyond becomes its end"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"shape", "Clip", "20:70"}),
     &QuestionOptions::clip},
    {Flag{"bin", kNumber, "W", kShape,
          "put numbers or dates into bins of width W, from multiples of W on; each becomes the middle of its "
          "bin"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"shape", "Bin"}),
     &QuestionOptions::bin},
    {Flag{"bin-edges", kNumber, "E,E,...", kShape,
          "release only between which edges a number or a date lies, as ordered categories"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"shape", "Bin edges", "18,30,65"}),
     &QuestionOptions::bin_edges},
    {Flag{"merge-rare", kNumber, "N", kShape, "make one category of all that have fewer than N rows"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"shape", "Merge rare"}),
     &QuestionOptions::merge_rare},
    {Flag{"map", kFile, "COL=FILE", kShape,
          "replace texts by those of a file with the columns from and to, before anything else"}
         .python("from_table")
         .said_by("scenario plan"),
     &QuestionOptions::map},
    {Flag{"map-rest", kWord, "NAME", kShape,
          "the text of all that the map does not list; an error when not given"}
         .python("from_table")
         .said_by("scenario plan"),
     &QuestionOptions::map_rest},
    {Flag{"date-unit", kWord, "UNIT", kShape,
          "count dates in days (when not given), weeks, months or years: day, week, month, year"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"shape", "Unit of dates", "month"}),
     &QuestionOptions::date_unit},
    {Flag{"kind", kNames, "COL=KIND,...", kRead,
          "what a column holds: number, date, category, ordered (categories that tell their order) or code "
          "(which may look like numbers); number:comma, number:thousands, number:percent, date:dmy and "
          "date:mdy say how it is written"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"read", "Kinds of columns", "zip=code"}),
     &QuestionOptions::kind},
    {Flag{"na", kNames, "TEXT,...", kRead, "texts that mean missing, besides the empty field"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"read", "Texts that mean missing", "?,NA"}),
     &QuestionOptions::na},
    {Flag{"not-missing", kNames, "TEXT,...", kRead,
          "texts such as ? or unknown that look missing and are values"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"read", "Texts that look missing and are values", "unknown"}),
     &QuestionOptions::not_missing},
    {Flag{"missing", kChoice, "error|drop|keep", kRead,
          "what a missing field does: stop (when not given), drop its row, or be a category of its own"}
         .python("from_table")
         .said_by("scenario")
         .page({"read", "A missing field", "error"}),
     &QuestionOptions::missing},
    {Flag{"separator", kWord, "CHAR", kRead, "between fields; , ; or tab is detected when not given"}
         .python("from_table")
         .said_by("scenario database")
         .page({"read", "Separator", ","}),
     &QuestionOptions::separator},
    {Flag{"no-header", kNotSwitch, "", kRead, "the first line is data; name columns by number"}
         .python("from_table")
         .said_by("scenario plan database")
         .page({"read", "The first line is data"})
         .named("header"),
     &QuestionOptions::no_header}};

}  // namespace

template <>
std::span<const FlagOf<QuestionOptions>> flags_of() {
  return kQuestionFlags;
}

}  // namespace fugu::inline in_ask
