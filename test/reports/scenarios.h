/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The archives that make-archive writes: what happens in each stands over its function, what must
 * be found in it in check-reports.py and check-tables.py. n is a seed or a size.
 */
#ifndef SCENARIOS_H
#define SCENARIOS_H

#include "archive-writer.h"

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

enum { FLEET_THREADS = 16 }; /* of each process */

typedef void scenario(struct writer *writer, long n);

scenario scenario_uneven, scenario_sections, scenario_masters, scenario_scaled, scenario_moved,
    scenario_contention, scenario_overtaken, scenario_nested, scenario_late, scenario_tasks,
    scenario_untied, scenario_grove, scenario_path, scenario_ranks, scenario_foreign,
    scenario_accelerated, scenario_deep, scenario_sampled, scenario_hot, scenario_processor,
    scenario_absent, scenario_grown, scenario_marked, scenario_branching, scenario_wrapped,
    scenario_accounted, scenario_broken, scenario_nothing, scenario_sourced, scenario_names,
    scenario_large, scenario_many, scenario_wide, scenario_mixed, scenario_fleet, scenario_cluster,
    scenario_nodes, scenario_partial, scenario_latecomers, scenario_coarse, scenario_unordered,
    scenario_funneled, scenario_hybrid, scenario_messages, scenario_astray, scenario_fine,
    scenario_profiled, scenario_counted, scenario_called, scenario_scattered;

/* The program's begin and end, on its first thread. */
void scenario_begin(struct writer *writer);
void scenario_end(struct writer *writer);

#endif
