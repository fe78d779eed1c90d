/* SPDX-License-Identifier: BSD-3-Clause */
/* The lists of reports, which all readers fill, and what the readers of sanitizers' texts share. */
#include "race-reports.h"

#include <stdlib.h>
#include <string.h>

struct race_report *race_reports_add(struct race_reports *reports, unsigned run)
{
	struct race_report *report =
	    ARENA_ADD(reports->arena, reports->items, reports->count, reports->room);
	*report = (struct race_report){.run = run};
	report->access[0].thread = report->access[1].thread = -1;
	return report;
}

void race_reports_add_cycle(struct race_reports *reports, const struct race_cycle *cycle)
{
	*ARENA_ADD(reports->arena, reports->cycles, reports->cycle_count, reports->cycle_room) =
	    *cycle;
}

void race_reports_add_order(struct race_reports *reports, const struct race_order *order)
{
	*ARENA_ADD(reports->arena, reports->orders, reports->order_count, reports->order_room) =
	    *order;
}

void race_stack_add(struct inst_arena *arena, struct race_stack *stack, const char *module,
    size_t length, uint64_t offset)
{
	*ARENA_ADD(arena, stack->frames, stack->count, stack->room) =
	    (struct race_frame){arena_copy(arena, module, length), offset};
}

/* "0x55a9 0x1374 /path/of the/module" */
void race_stack_read(struct inst_arena *arena, struct race_stack *stack, const char *words)
{
	char *end;

	if (strncmp(words, "0x", 2) != 0)
		return;
	strtoull(words, &end, 16);
	if (*end++ != ' ' || strncmp(end, "0x", 2) != 0)
		return;
	uint64_t offset = strtoull(end, &end, 16);
	if (*end == ' ' && end[1] != '\0')
		race_stack_add(arena, stack, end + 1, strlen(end + 1), offset);
}

void race_text_lines(struct inst_arena *arena, const char *text, size_t length,
    void (*take)(void *context, const char *line), void *context)
{
	while (length > 0) {
		const char *end = memchr(text, '\n', length);
		size_t line = end != NULL ? (size_t)(end - text) : length;
		take(context, arena_copy(arena, text, line));
		length -= line + (end != NULL);
		text += line + (end != NULL);
	}
}

void race_seen_add(struct inst_arena *arena, struct race_seen *seen, unsigned run)
{
	if (seen->count > 0 && seen->runs[seen->count - 1] == run)
		return;
	*ARENA_ADD(arena, seen->runs, seen->count, seen->room) = run;
}
