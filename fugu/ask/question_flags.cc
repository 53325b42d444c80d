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
          "CSV or TSV file, one row per person; - is standard input; or a database: postgresql://... or "
          "sqlite:FILE"}
         .said_by("scenario")
         .in_job("table", "file"),
     &QuestionOptions::table},
    {Flag{"secret", kNames, "COL[,COL]", kWhat,
          "column to hide, by name or number; several columns make one secret, joined with ' & '"}
         .everyday("calibrate compare release figure rate")
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "hidden"})
         .needed(),
     &QuestionOptions::secret},
    {Flag{"public", kNames, "COL[,COL]", kWhat,
          "column to release, by name or number; several, such as age,hours, are released together by one "
          "plan; all means every column without another role"}
         .everyday("calibrate compare release figure")
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "released"})
         .needed(),
     &QuestionOptions::published},
    {Flag{"except", kNames, "COL[,COL]", kWhat, "with --public all: columns to leave out"}
         .python("from_table")
         .said_by("scenario plan")
         .named("except_")
         .in_job("", "except"),
     &QuestionOptions::except},
    {Flag{"known", kNames, "COL[,COL]", kWhat,
          "columns that others may already know about a person; written unchanged, but for small groups; the "
          "promise holds within each group of people who share them"}
         .everyday("calibrate compare release")
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "known, and written unchanged"}),
     &QuestionOptions::known},
    {Flag{"pairs", kPairs, "PAIRS", kWhat,
          "which secrets must not be told apart: all (default), neighbours (adjacent in their order), or "
          "pairs such as A:B,A:C or A:*"}
         .everyday("figure")
         .python("from_table")
         .said_by("plan")
         .page({"who", "Secrets that must not be told apart", "all"}),
     &QuestionOptions::pairs},
    {Flag{"given", kNames, "COL[,COL]", kWhat,
          "columns that an adversary may know; each group of people who share them adds one prior"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "known to others"}),
     &QuestionOptions::given},
    {Flag{"also", kNames, "BELIEF[,BELIEF]", kWhat,
          "more beliefs to cover: independent (given the secret, the released columns are unrelated), "
          "smoothed:A (each row that occurs counts A more with every secret)"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"who", "Further beliefs", "independent,smoothed:0.5"}),
     &QuestionOptions::also},
    {Flag{"person", kWord, "COL", kWhat,
          "column that says whose row it is, when people have several; fugu draws one row per person at "
          "random, or as many as --rows-per-person allows, and counts and releases those"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "Column that says whose row it is"}),
     &QuestionOptions::person},
    {Flag{"rows-per-person", kNumber, "M", kWhat,
          "the most rows to take from one person; the promise then covers all of them together, given how "
          "many there are; default 1"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"who", "Rows of each person", "1"}),
     &QuestionOptions::rows_per_person},
    {Flag{"weight", kWord, "COL", kWhat,
          "column of survey weights; frequencies are then sums of weights instead of numbers of rows"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "Column of weights"}),
     &QuestionOptions::weight},
    {Flag{"count", kWord, "COL", kWhat,
          "column that says how many people a row stands for, as a whole number"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"", "Column of numbers of people"}),
     &QuestionOptions::people},
    {Flag{"rows-independent", kSwitch, "", kWhat,
          "confirms that the rows are about different people, or independent, although a column looks like a "
          "repeated person's number"}
         .python("from_table release release_file spark.release")
         .said_by("scenario")
         .page({"who", "Rows are of different people, or independent"}),
     &QuestionOptions::rows_independent},
    {Flag{"min-group", kNumber, "N", kWhat,
          "how many people with each secret a group needs to be a prior of its own; smaller groups are "
          "merged or, as always with --confidence, left out and named; default 20"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"who", "Least group of those who know more", "20"}),
     &QuestionOptions::min_group},
    {Flag{"prior", kFiles, "FILE", kWhat,
          "JSON file with more beliefs that an adversary may hold; may be repeated"}
         .python("from_table")
         .said_by("plan")
         .named("priors"),
     &QuestionOptions::priors},
    {Flag{"scenario", kFile, "FILE", kWhat, "JSON file with the distributions, instead of TABLE and columns"}
         .everyday("figure")
         .in_job("-"),
     &QuestionOptions::scenario},
    {Flag{"epsilon", kNumber, "E[,E]", kHowMuch,
          "points on the line of error; default 0.1 to 5.8; laws and plan need none"}
         .everyday("figure")
         .of("figure"),
     &QuestionOptions::epsilon},
    {Flag{"epsilon", kNumber, "E[,E]", kHowMuch,
          "how much a release may reveal, greater than 0; smaller hides more; there is no default"}
         .everyday("compare")
         .of("compare"),
     &QuestionOptions::epsilon},
    {Flag{"epsilon", kNumber, "E", kHowMuch,
          "how much the release may reveal, greater than 0; smaller hides more; there is no default. Secrets "
          "and pairs may have less than the rest: HIV=0.1,A:B=0.2,*=1"}
         .everyday("calibrate release")
         .python("from_table calibrate compare")
         .said_by("plan")
         .page({"", "Epsilon"}),
     &QuestionOptions::epsilon},
    {Flag{"promise", kChoice, "odds|belief|belief-both", kHowMuch,
          "what epsilon limits. odds (default): the odds between two secrets change by at most e^E. belief: "
          "nobody who believes the table's shares becomes more than e^E times as sure of a secret. "
          "belief-both: nor less than e^-E times as sure"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "Promise", "odds"}),
     &QuestionOptions::promise},
    {Flag{"shares", kNumber, "S=P,S=P", kHowMuch,
          "with a promise in belief: how sure somebody is of each secret beforehand, such as "
          "HIV=0.02,flu=0.98; default: the table's shares"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "Shares of the secrets"}),
     &QuestionOptions::shares},
    {Flag{"delta", kNumber, "D", kHowMuch,
          "any conclusion is at most e^epsilon times as likely under one secret as under another, plus D; "
          "default 0"}
         .python("from_table calibrate compare")
         .said_by("plan")
         .page({"budget", "Delta", "0"}),
     &QuestionOptions::delta},
    {Flag{"confidence", kNumber, "C", kHowMuch,
          "hold for every distribution that the counts allow with this confidence, such as 0.95; by default "
          "the table's frequencies are taken as the truth. Numbers need --clip, better with --step or --bin, "
          "or --bin-edges"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "Confidence"}),
     &QuestionOptions::confidence},
    {Flag{"bounds", kChoice, "boxes|band|both", kHowMuch,
          "what --confidence bounds: the frequency of each possible value (boxes), of all values up to it "
          "(band), or both; default: both for many declared numbers, band for numbers with only --clip, else "
          "boxes"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "Bounds of the frequencies"}),
     &QuestionOptions::bounds},
    {Flag{"population", kNames, "N|SECRET=N[,SECRET=N]", kHowMuch,
          "with --confidence: the rows are people drawn without replacement from a population of N; bounds "
          "are tighter when N is known for each secret"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "People in the whole population"}),
     &QuestionOptions::population},
    {Flag{"census", kSwitch, "", kHowMuch,
          "the table is the whole population that the promise is about, so its frequencies are the truth"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "The table is the whole population"}),
     &QuestionOptions::census},
    {Flag{"closeness", kNumber, "LAMBDA", kHowMuch,
          "also cover every belief within a factor e^LAMBDA of a prior; with some methods this uses up 2 "
          "LAMBDA of epsilon"}
         .python("from_table")
         .said_by("plan")
         .page({"budget", "Closeness"}),
     &QuestionOptions::closeness},
    {Flag{"noise", kNames, "NOISE[,NOISE]", kHowMuch,
          "noise families: laplace, gaussian, power:P, log:ETA; default: laplace, and with --delta also "
          "gaussian"}
         .python("compare")
         .of("compare"),
     &QuestionOptions::noise},
    {Flag{"noise", kWord, "laplace|gaussian|power:P|log:ETA", kHowMuch, "noise family; default laplace"}
         .python("calibrate")
         .said_by("plan")
         .page({"budget", "Noise", "laplace"})
         .in_job("mechanism"),
     &QuestionOptions::noise},
    {Flag{"noise-shares", kNumber, "W,W", kHowMuch,
          "how several columns share the noise: a column with share 2 gets twice the scale of one with share "
          "1; default: by the columns' spread"}
         .python("from_table")
         .said_by("plan")
         .page({"shape", "Shares of the noise"})
         .in_job("mechanism"),
     &QuestionOptions::noise_shares},
    {Flag{"range", kChoice, "free|clamp", kHowMuch,
          "whether released values may leave the range: that of --clip, else from the 5th lowest to the 5th "
          "highest person's value; default: clamp for categories, free for numbers"}
         .python("from_table")
         .said_by("plan")
         .page({"shape", "Range of released values"})
         .in_job("mechanism"),
     &QuestionOptions::range},
    {Flag{"table", kWord, "NAME", kRead, "in a database: the table or view, as SQL names it"}.said_by(
         "scenario"),
     &QuestionOptions::database_table},
    {Flag{"query", kWord, "SQL", kRead, "in a database: one SELECT, instead of --table"}.said_by("scenario"),
     &QuestionOptions::query},
    {Flag{"order", kNamesOrFile, "a,b,c|@FILE", kRead,
          "the categories that can be released, in order: a list, or a file with one per line; default: "
          "those of the table, ordered by their texts or their bytes"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"shape", "Order of the categories", "a,b,c",
                "the categories that can be released, in order; default: those of the table, ordered by "
                "their texts or their bytes"})
         .in_job("shape"),
     &QuestionOptions::order},
    {Flag{"secret-order", kNames, "a,b,c", kRead, "order of the secrets, for --pairs neighbours"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"who", "Order of the secrets", "a,b,c"})
         .in_job("secrets"),
     &QuestionOptions::secret_order},
    {Flag{"step", kNumber, "G[,G]", kRead,
          "round numbers to the nearest multiple of G; with several columns one step for all numbers, or one "
          "for each"}
         .python("from_table")
         .said_by("plan")
         .page({"shape", "Step"})
         .in_job("shape"),
     &QuestionOptions::step},
    {Flag{"clip", kSpan, "LO:HI", kShape,
          "hold numbers or dates within a range: what lies outside becomes the nearer end"}
         .everyday("calibrate compare")
         .python("from_table")
         .said_by("scenario plan")
         .page({"shape", "Clip", "20:70"}),
     &QuestionOptions::clip},
    {Flag{"bin", kNumber, "W", kShape,
          "put numbers or dates into bins of width W, starting at multiples of W; each becomes the middle of "
          "its bin"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"shape", "Bin"}),
     &QuestionOptions::bin},
    {Flag{"bin-edges", kNumber, "E,E,...", kShape,
          "release only between which edges a number or date lies, as ordered categories"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"shape", "Bin edges", "18,30,65"}),
     &QuestionOptions::bin_edges},
    {Flag{"merge-rare", kNumber, "N", kShape, "merge all categories with fewer than N rows into one"}
         .everyday("calibrate compare")
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
          "the text for everything that the map does not list; without it such a text is an error"}
         .python("from_table")
         .said_by("scenario plan"),
     &QuestionOptions::map_rest},
    {Flag{"date-unit", kWord, "UNIT", kShape,
          "count dates in days (default), weeks, months or years: day, week, month, year"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"shape", "Unit of dates", "month"}),
     &QuestionOptions::date_unit},
    {Flag{"kind", kNames, "COL=KIND,...", kRead,
          "what a column holds: number, date, category, ordered (categories whose texts give their order) or "
          "code (which may look like a number); number:comma, number:thousands, number:percent, date:dmy and "
          "date:mdy say how it is written"}
         .everyday("compare")
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
          "texts such as ? or unknown that look missing but are values"}
         .python("from_table")
         .said_by("scenario plan")
         .page({"read", "Texts that look missing and are values", "unknown"}),
     &QuestionOptions::not_missing},
    {Flag{
         "missing", kChoice, "error|drop|keep", kRead,
         "what to do with a missing field: stop (default), drop its row, or keep it as a category of its own"}
         .everyday("calibrate compare")
         .python("from_table")
         .said_by("scenario")
         .page({"read", "A missing field", "error"}),
     &QuestionOptions::missing},
    {Flag{"separator", kWord, "CHAR", kRead, "between fields; by default , ; or tab is detected"}
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
