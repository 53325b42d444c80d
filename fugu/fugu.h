// All of fugu that programs need: from a table or a scenario to a proved plan.
//
//   Scenario scenario = scenario_from_table(question, {});
//   Plan plan = calibrate(scenario, "exact", "laplace");
//   Witness witness = verify(plan);
#pragma once

#include "fugu/calibrate/calibrate.h"
#include "fugu/calibrate/crowd.h"
#include "fugu/compose/compose.h"
#include "fugu/core/error.h"
#include "fugu/count/table_model.h"
#include "fugu/models/crowd_scenario.h"
#include "fugu/models/crowd_table.h"
#include "fugu/plan/plan.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/transport/coupling.h"
#include "fugu/transport/distances.h"
#include "fugu/verify/verify.h"
#include "fugu/verify/verify_model.h"
