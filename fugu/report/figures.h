// The paper's figures of a question: conditional distributions, and how mass moves between two of them.
#pragma once

#include <string>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_report {

// The plot of laws under one prior, every value by itself. Error (usage) for more than eight secrets or 5,000
// values. Precondition: prior < priors.
std::string laws_svg(const Scenario& scenario, size_t prior);

// Its numbers: {"figure": "laws", "prior", "laws": [{"secret", "values", "labels" of categories, "mass"}]}.
// Masses have 17 digits.
Json laws_to_json(const Scenario& scenario, size_t prior);

// The plot of the transport plan (docs/math.md, section 1) of the scenario's one pair under one prior, every
// value by itself. Error (usage) unless there is one pair, and for more than 10,000 cells.
// Precondition: prior < priors.
std::string transport_svg(const Scenario& scenario, size_t prior);

// Its numbers: {"figure": "plan", "prior", "pair", "w_inf", "cells": [[x, x', mass], …]}. Masses have 17
// digits. Error (usage) unless there is one pair.
Json transport_to_json(const Scenario& scenario, size_t prior);

}  // namespace fugu::inline in_report
