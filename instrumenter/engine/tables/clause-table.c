/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The clause table for OpenMP 5.2 and 6.0. Each row is a clause, with the directives that accept it
 * and the part of a combined directive that gets it.
 */
#include "clause-table.h"

#include <string.h>

#define ON(id) CONSTRUCT_BIT(id)

/* clang-format off */
static const struct clause_rule rules[] = {
	/* name, accepted by, placement, modifiers that keep the wait */
	{"num_threads", ON(PARALLEL), PLACE_OUTERMOST},
	{"proc_bind", ON(PARALLEL), PLACE_OUTERMOST},
	{"copyin", ON(PARALLEL), PLACE_OUTERMOST},
	{"message", ON(PARALLEL), PLACE_OUTERMOST},
	{"severity", ON(PARALLEL), PLACE_OUTERMOST},
	{"safesync", ON(PARALLEL), PLACE_OUTERMOST},
	{"default", ON(PARALLEL) | ON(TASKLOOP), PLACE_ALL},
	{"shared", ON(PARALLEL) | ON(TASKLOOP), PLACE_ALL},
	{"filter", ON(MASKED), PLACE_OUTERMOST},
	{"if", ON(PARALLEL) | ON(SIMD) | ON(TASKLOOP), PLACE_CONDITION},
	{"private", ON(PARALLEL) | ON(FOR) | ON(SECTIONS) | ON(SIMD) | ON(LOOP) | ON(TASKLOOP),
	    PLACE_INNERMOST_SHARED},
	{"firstprivate", ON(PARALLEL) | ON(FOR) | ON(SECTIONS) | ON(TASKLOOP), PLACE_FIRSTPRIVATE},
	{"lastprivate", ON(FOR) | ON(SECTIONS) | ON(SIMD) | ON(LOOP) | ON(TASKLOOP),
	    PLACE_INNERMOST_SHARED},
	{"linear", ON(FOR) | ON(SIMD), PLACE_INNERMOST_SHARED},
	{"induction", ON(FOR) | ON(SIMD) | ON(TASKLOOP), PLACE_INNERMOST_SHARED},
	{"reduction", ON(PARALLEL) | ON(FOR) | ON(SECTIONS) | ON(SIMD) | ON(LOOP) | ON(TASKLOOP),
	    PLACE_REDUCTION, "task inscan"},
	{"in_reduction", ON(TASKLOOP), PLACE_INNERMOST_SHARED},
	{"allocate", ON(PARALLEL) | ON(FOR) | ON(SECTIONS) | ON(TASKLOOP), PLACE_ALLOCATE},
	{"schedule", ON(FOR), PLACE_INNERMOST},
	{"collapse", ON(FOR) | ON(SIMD) | ON(LOOP) | ON(TASKLOOP), PLACE_INNERMOST},
	{"ordered", ON(FOR), PLACE_INNERMOST},
	{"order", ON(FOR) | ON(SIMD) | ON(LOOP), PLACE_INNERMOST},
	{"nowait", ON(FOR) | ON(SECTIONS), PLACE_INNERMOST},
	{"bind", ON(LOOP), PLACE_INNERMOST},
	{"safelen", ON(SIMD), PLACE_INNERMOST},
	{"simdlen", ON(SIMD), PLACE_INNERMOST},
	{"aligned", ON(SIMD), PLACE_INNERMOST},
	{"nontemporal", ON(SIMD), PLACE_INNERMOST},
	{"grainsize", ON(TASKLOOP), PLACE_INNERMOST},
	{"num_tasks", ON(TASKLOOP), PLACE_INNERMOST},
	{"final", ON(TASKLOOP), PLACE_INNERMOST},
	{"priority", ON(TASKLOOP), PLACE_INNERMOST},
	{"untied", ON(TASKLOOP), PLACE_INNERMOST},
	{"mergeable", ON(TASKLOOP), PLACE_INNERMOST},
	{"nogroup", ON(TASKLOOP), PLACE_INNERMOST},
	{"replayable", ON(TASKLOOP), PLACE_INNERMOST},
	{"threadset", ON(TASKLOOP), PLACE_INNERMOST},
	{"transparent", ON(TASKLOOP), PLACE_INNERMOST},
	{"copyprivate", 0, PLACE_INNERMOST, ""},
	/*
	 * Not on directives that can be split, but known, so that they do not count as the user's
	 * macros.
	 */
	{"", 0}, {"acq_rel", 0}, {"acquire", 0}, {"affinity", 0}, {"capture", 0},
	{"compare", 0}, {"depend", 0}, {"detach", 0}, {"doacross", 0}, {"fail", 0},
	{"for", 0}, {"hint", 0}, {"parallel", 0}, {"read", 0}, {"relaxed", 0},
	{"release", 0}, {"sections", 0}, {"seq_cst", 0}, {"simd", 0}, {"source", 0},
	{"task_reduction", 0}, {"taskgroup", 0}, {"threads", 0}, {"update", 0}, {"use", 0},
	{"weak", 0}, {"write", 0}, {"memscope", 0}, {"defaultmap", 0}, {"device", 0},
	{"device_type", 0}, {"dist_schedule", 0}, {"from", 0}, {"has_device_addr", 0},
	{"is_device_ptr", 0}, {"map", 0}, {"num_teams", 0}, {"thread_limit", 0}, {"to", 0},
	{"use_device_addr", 0}, {"use_device_ptr", 0}, {"uses_allocators", 0},
	{"ompx_attribute", 0}, {"ompx_bare", 0}, {"ompx_dyn_cgroup_mem", 0},
};
/* clang-format on */

const struct clause_rule *clause_rule_find(const char *name)
{
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
		if (strcmp(rules[i].name, name) == 0)
			return &rules[i];
	return NULL;
}
