/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists of reports, which both readers fill. */
#include "race-reports.h"

#include <string.h>

struct race_report *race_reports_add(struct race_reports *reports, unsigned run)
{
	reports->items = arena_grow(
	    reports->arena, reports->items, reports->count, &reports->room, sizeof *reports->items);
	struct race_report *report = &reports->items[reports->count++];
	*report = (struct race_report){.run = run};
	report->access[0].thread = report->access[1].thread = -1;
	return report;
}

void race_reports_add_cycle(struct race_reports *reports, const struct race_cycle *cycle)
{
	reports->cycles = arena_grow(reports->arena, reports->cycles, reports->cycle_count,
	    &reports->cycle_room, sizeof *reports->cycles);
	reports->cycles[reports->cycle_count++] = *cycle;
}

void race_stack_add(struct inst_arena *arena, struct race_stack *stack, const char *module,
    size_t length, uint64_t offset)
{
	stack->frames =
	    arena_grow(arena, stack->frames, stack->count, &stack->room, sizeof *stack->frames);
	stack->frames[stack->count++] =
	    (struct race_frame){arena_copy(arena, module, length), offset};
}
