// Which of a table's own texts and numbers may be published.
//
// A statement lists the categories, the ends that released values are held between, what a channel takes and
// gives, and the secrets that the promise names. Each of these is what some rows of the table say: one that
// few people share may tell who they are, whatever the noise does.
#pragma once

#include <cstdint>
#include <string>

#include "fugu/models/rate.h"
#include "fugu/plan/plan.h"

namespace fugu::inline in_plan {

// Error (usage), with what to do, when a statement would publish a text or number of the table that somebody
// has and fewer than `least` people have: a category, an end of a range that comes from the data, a value of
// a channel, a secret that the words of the promise name. What the owner made up says nothing of anybody and
// is not counted: edges of bins, ends of a clip, the label of merged categories, categories of an order that
// nobody has.
//
// How many people have a value is what the first prior says, which is the whole table, or what the strata of
// known columns say together, which are all whom the release is of. Nothing is known, and
// nothing refused, where the scenario names no columns of a table or where a law makes the masses.
void check_publishable(const Plan& plan, uint64_t least);
void check_publishable(const Scenario& scenario, const Mechanism& mechanism, uint64_t least);
// As far as the question decides it, and with it the method, before there is a mechanism: what can be refused
// before a long search is.
void check_publishable(const Scenario& scenario, uint64_t least);
void check_publishable(const Scenario& scenario, const std::string& method, uint64_t least);

// The same of a histogram's categories, of a table whose rate is hidden: they are released beside its
// numbers. Of laws that were not counted nothing is known.
void check_publishable(const RateModel& model, uint64_t least);

// A sentence for the owner where the scale of the noise, which every statement has, tells how far a column
// of numbers reaches, and fewer than `least` people have its least or its greatest value; or where fewer than
// `least` (at most 30) decide the step of a lattice that is as coarse as the numbers allow; else empty.
std::string range_warning(const Plan& plan, uint64_t least);

}  // namespace fugu::inline in_plan
