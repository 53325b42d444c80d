#include "fugu/release/release_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "fugu/core/error.h"
#include "fugu/release/column_map.h"
#include "fugu/release/kept_columns.h"
#include "fugu/rows/strata.h"
#include "fugu/scenario/bags.h"

namespace fugu::inline in_release {
namespace {

class ColumnFinder {
 public:
  ColumnFinder(const ReleaseRequest& request, const Plan& plan, const TableHead& head, size_t released)
      : request_(request), plan_(plan), head_(head), released_count_(released) {}

  ReleaseColumns find() {
    const auto& source = plan_.scenario.source;
    if (!source || source->published.size() != released_count_ ||
        (!request_.new_data && source->secret.empty())) {
      throw Error(
          ErrorKind::kUsage, "--plan: the plan does not name the columns of a table",
          "calibrate from a table, or give the scenario file a \"source\" with \"secret\" and \"public\"");
    }
    const std::set<size_t> secret = find_secret(*source),
                           kept = source->has_strata() ? find_known(*source) : find_given(*source);
    check_that_none_is_known(*source, secret);
    find_published(*source, secret);
    write(kept, find_written(kept, secret));
    for (size_t column : result_.rows.wanted) {
      if (!request_.named) result_.rows.names.emplace_back(head_, column, source->na);
    }
    if (source->person && !request_.rows_are_people) {
      result_.rows.person = find_besides(source->person->column);
    } else if (!source->rows_independent && !request_.rows_independent && !request_.rows_are_people &&
               !were_watched()) {
      watch(*source, secret);
    }
    if (source->weight && counts()) result_.rows.weight = find_besides(source->weight->column);
    check_has_no_counts(*source);
    for (size_t column : result_.rows.wanted) result_.rows.places.push_back(head_.column_place(column));
    result_.rows.name = head_.name();
    set_terms(*source, result_.rows.terms);
    result_.counts = counts();
    result_.header = has_a_name(source->published);
    return std::move(result_);
  }

 private:
  void set_terms(const Source& source, RowTerms& terms) const {
    terms.na = source.na;
    terms.missing = source.missing;
    terms.drop = request_.drop;
    terms.whole_groups = terms.given == source.grouping().size();
    if (source.has_strata()) terms.strata = std::make_shared<const Strata>(plan_.scenario);
    terms.only_plain_labels = request_.new_data;
    terms.nearest = request_.new_data && request_.nearest;
    terms.keeps = !result_.covered.empty();
    // A row of weight 0 was not counted, so that the counts do not show that the plan knows its value.
    if (request_.new_data || source.weight || draws_whole_rows(plan_))
      terms.values = std::make_shared<const PlanValues>(one_row(plan_.scenario));
  }

  // Every column of the secret's names is the secret's. New data need not have it; where it has it, it is not
  // to be kept.
  std::set<size_t> find_secret(const Source& source) {
    std::set<size_t> secret;
    for (const std::string& name : source.secret) {
      for (size_t k = 0; k < head_.header.size(); ++k) {
        if (head_.header[k] == name) secret.insert(k);
      }
      if (counts() || checks_secrets() || leaves_out_by(name))
        result_.rows.wanted.push_back(head_.column(name, "--plan"));
      if (has(name)) secret.insert(head_.column(name, "--plan"));
    }
    result_.rows.terms.secrets = result_.rows.wanted.size();
    if (checks_secrets()) {
      const auto& secrets = plan_.scenario.secrets;
      result_.rows.terms.known_secrets =
          std::make_shared<const std::set<std::string>>(secrets.begin(), secrets.end());
    }
    return secret;
  }

  // By their places in the table: a plan may have the secret's name here and its number there.
  void check_that_none_is_known(const Source& source, const std::set<size_t>& secret) const {
    for (const std::string& name : source.grouping()) {
      if (!has(name)) continue;
      const size_t column = head_.column(name, "--plan");
      if (!secret.contains(column)) continue;
      throw Error(ErrorKind::kGuarantee,
                  fmt::format("--plan: {} is the secret, and the plan says that somebody knows it",
                              head_.column_place(column)),
                  "the secret is never written; calibrate again");
    }
  }

  // A plan that releases the secret itself says so by its name (verify/verify.cc): its laws are then those of
  // the secret.
  void find_published(const Source& source, const std::set<size_t>& secret) {
    for (const std::string& name : source.published) {
      const size_t column = head_.column(name, "--plan");
      if (secret.contains(column) && std::ranges::count(source.secret, name) == 0) {
        throw Error(ErrorKind::kGuarantee,
                    fmt::format("--plan: {} is the secret, and the plan calls it by two names",
                                head_.column_place(column)),
                    "calibrate again, and name it alike in --secret and --public");
      }
      if (std::count(published_.begin(), published_.end(), column) > 0) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--plan: {} is released twice", head_.column_place(column)),
                    "calibrate with each column named once");
      }
      published_.push_back(column);
      result_.rows.wanted.push_back(column);
    }
    result_.rows.terms.released = published_.size();
  }

  // What is written: of the released columns the first stands for all.
  std::set<size_t> find_written(const std::set<size_t>& kept, const std::set<size_t>& secret) const {
    std::set<size_t> written = kept;
    for (size_t column : published_) written.erase(column);
    written.insert(published_[0]);
    for (const std::string& name : request_.keep_unprotected) {
      const size_t column = head_.column(name, "--keep-unprotected");
      if (secret.contains(column)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--keep-unprotected: {} is the secret", head_.column_place(column)),
                    "the secret is never written");
      }
      if (std::count(published_.begin(), published_.end(), column) > 0) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--keep-unprotected: {} is released already", head_.column_place(column)),
                    "leave it out: it is written with its noise");
      }
      if (known_.contains(column)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--keep-unprotected: {} is known, and written in any case",
                                head_.column_place(column)),
                    "leave it out");
      }
      written.insert(column);
    }
    return written;
  }

  // Columns are written in the input's order; of several that are released, all where the first one is.
  void write(const std::set<size_t>& kept, const std::set<size_t>& written) {
    for (size_t column : written) {
      if (column == published_[0]) {
        for (size_t c = 0; c < published_.size(); ++c) {
          result_.written.push_back(published_[c]);
          result_.released.push_back(static_cast<int>(c));
        }
        continue;
      }
      result_.written.push_back(column);
      result_.released.push_back(-1);
      result_.rows.wanted.push_back(column);
      result_.covered.push_back(kept.contains(column));
      if (known_.contains(column)) continue;
      (kept.contains(column) ? result_.kept : result_.kept_unprotected).push_back(head_.column_text(column));
    }
  }

  // Where among the wanted columns one stands that is read besides.
  size_t find_besides(const std::string& name) {
    std::vector<size_t>& wanted = result_.rows.wanted;
    const size_t column = head_.column(name, "--plan");
    const auto place = static_cast<size_t>(std::find(wanted.begin(), wanted.end(), column) - wanted.begin());
    if (place == wanted.size()) wanted.push_back(column);
    return place;
  }

  // New data may have a row for each person.
  void check_has_no_counts(const Source& source) const {
    if (source.people.empty() || (request_.new_data && !has(source.people))) return;
    throw usage(
        "--plan: a row of the plan's table stands for several people, and a release needs a row for each",
        "write the table with one row per person, and calibrate and release that");
  }

  // When they were counted, in the same moment of the database, or of the same file.
  bool were_watched() const { return request_.counted || (request_.database && request_.same_rows); }

  // Columns that are read only to see whether people come again.
  void watch(const Source& source, const std::set<size_t>& secret) {
    std::vector<size_t> used(secret.begin(), secret.end());
    used.insert(used.end(), published_.begin(), published_.end());
    for (const std::string& name : source.grouping()) {
      if (has(name)) used.push_back(head_.column(name, "--plan"));
    }
    if (source.weight && has(source.weight->column))
      used.push_back(head_.column(source.weight->column, "--plan"));
    Watched& watched = result_.rows.watched;
    watched = watched_columns(head_, used, source.na);
    std::erase_if(watched.columns,
                  [&](size_t k) { return request_.database && request_.database->unreadable(k); });
    result_.rows.wanted.insert(result_.rows.wanted.end(), watched.columns.begin(), watched.columns.end());
  }

  // The known columns, which are always read, because they say which promise a row is released under, and
  // always written.
  std::set<size_t> find_known(const Source& source) {
    if (!request_.keep.empty()) {
      std::vector<std::string> names;
      for (const std::string& name : request_.keep)
        names.push_back(head_.column_text(head_.column(name, "--keep")));
      check_keeps_given(source, names);
    }
    for (const std::string& name : source.known) {
      const size_t column = head_.column(name, "--plan");
      result_.rows.wanted.push_back(column);
      if (!known_.insert(column).second) {
        throw Error(ErrorKind::kUsage, fmt::format("--plan: {} is known twice", head_.column_place(column)),
                    "calibrate with each column named once");
      }
    }
    result_.rows.terms.given_names = group_prefixes(source.known, source.header);
    result_.rows.terms.given = source.known.size();
    return known_;
  }

  // The given columns, which are read when the table is counted, when they are kept, when rows are left out
  // for their missing fields (the plan counted none of these), and where rows of weight 0 were not counted or
  // new data has all of them: values must then be those of their groups. Returns those that are kept: all or
  // none, because the plan covers whoever knows all of them, and this says nothing about whoever knows some.
  std::set<size_t> find_given(const Source& source) {
    std::set<size_t> kept;
    for (const std::string& name : request_.keep) kept.insert(head_.column(name, "--keep"));
    const bool all = (request_.new_data ? std::all_of(source.given.begin(), source.given.end(),
                                                      [&](const std::string& name) { return has(name); })
                                        : counts() || source.weight) ||
                     !kept.empty();
    for (const std::string& name : source.given) {
      if (!all && !leaves_out_by(name)) continue;
      result_.rows.wanted.push_back(head_.column(name, "--plan"));
      result_.rows.terms.given_names.push_back(group_prefixes({name}, source.header).front());
    }
    result_.rows.terms.given = result_.rows.terms.given_names.size();
    const bool of_new_data = request_.new_data && !source.given.empty() && all;
    if (!kept.empty() || of_new_data) result_.rows.terms.groups = known_groups(source, !kept.empty());
    if (kept.empty()) return kept;
    std::vector<std::string> names;
    for (size_t column : kept) names.push_back(head_.column_text(column));
    check_keeps_given(source, names);
    return kept;
  }

  // Those that are covered where the group is written; else also those that the plan says are not, because
  // they are small. It says nothing of any other.
  std::shared_ptr<const std::set<std::string>> known_groups(const Source& source, bool written) const {
    auto groups = std::make_shared<std::set<std::string>>();
    for (size_t p = 1; p < plan_.scenario.priors.size(); ++p) groups->insert(plan_.scenario.priors[p].name);
    if (!written) {
      groups->insert(source.merged.begin(), source.merged.end());
      groups->insert(source.left_out.begin(), source.left_out.end());
    }
    return groups;
  }

  // Rows to be dropped for a missing secret must be read in any case; and of a database only what is read is
  // in the digest of its rows.
  bool counts() const {
    // Which row of a person was drawn depends on all that was counted.
    const bool counted =
        !plan_.scenario.source->person && (request_.counted || (request_.same_rows && !request_.digest_rows));
    return !request_.new_data && (!counted || plan_.scenario.source->missing == Missing::kDrop);
  }

  // New data may be of anybody, and a row of weight 0 was not counted: where the table says whose secret a
  // row is, it must be one of the plan's.
  bool checks_secrets() const {
    const auto& names = plan_.scenario.source->secret;
    return (request_.new_data || plan_.scenario.source->weight) && !names.empty() &&
           std::all_of(names.begin(), names.end(), [&](const std::string& name) { return has(name); });
  }

  // Whether rows of new data are left out for missing fields of this secret or given column.
  bool leaves_out_by(const std::string& name) const {
    return request_.new_data && (request_.drop || plan_.scenario.source->missing == Missing::kDrop) &&
           has(name);
  }

  // Whether the first line has one of these names. A plan's were none of its own table's data.
  bool has_a_name(const std::vector<std::string>& names) const {
    return std::ranges::find_first_of(head_.header, names) != head_.header.end();
  }

  // A name that several columns have is there as well: column() says what is wrong with it.
  bool has(const std::string& name) const {
    if (std::count(head_.header.begin(), head_.header.end(), name) > 0) return true;
    try {
      head_.column(name, "--plan");
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  const ReleaseRequest& request_;
  const Plan& plan_;
  const TableHead& head_;
  const size_t released_count_;
  std::vector<size_t> published_;
  std::set<size_t> known_;
  ReleaseColumns result_;
};

}  // namespace

ReleaseColumns find_release_columns(const ReleaseRequest& request, const Plan& plan, const TableHead& head,
                                    size_t released) {
  return ColumnFinder(request, plan, head, released).find();
}

}  // namespace fugu::inline in_release
