// The paper's figures of transport plans: how much mass moves from x to x', a cell for each.
#pragma once

#include <string>

#include "fugu/core/json.h"
#include "fugu/scenario/scenario.h"

namespace fugu {

// The plan of the scenario's one pair under one prior (docs/math.md, section 1), darker where more mass
// moves, and the diagonal on which mass would stay. Error (usage) unless there is one pair, and for more than
// 10,000 cells. Precondition: prior < priors.
std::string transport_svg(const Scenario& scenario, size_t prior);

// Its numbers: {"figure": "plan", "prior", "pair", "w_inf", "cells": [[x, x', mass], …]}. Masses have 17
// digits. Error (usage) unless there is one pair.
Json transport_to_json(const Scenario& scenario, size_t prior);

}  // namespace fugu
