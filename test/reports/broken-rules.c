/* SPDX-License-Identifier: BSD-3-Clause */
/* ompreport ends when one of its functions is called against its rule. */
#include "broken-rule.h"
#include "path.h"
#include "table.h"
#include "time-heap.h"
#include "timeline.h"

static void sift_beyond_the_heap(void)
{
	struct time_head heap[2] = {{0}};

	time_heap_sift(heap, 1, 1);
}

static void put_a_number_among_texts(void)
{
	static const struct table_column columns[] = {{.key = "name", .kind = CELL_TEXT}};
	struct table table;

	table_init(&table, "rows", "Rows", columns, 1);
	table_put_number(&table, 1);
}

static void add_a_thread_to_the_path(void)
{
	path_add(path_new(1, 1 << 20), 1, ACTIVITY_WORK, 0, 1);
}

static void ask_for_a_bin_beyond_the_last(void)
{
	const struct timeline timeline = {.rows = 1, .bins = 4};

	timeline_bin(&timeline, 0, 4);
}

int main(void)
{
	static const struct broken_rule rules[] = {
	    {"time_heap_sift(): the element is in the heap", sift_beyond_the_heap},
	    {"table_put_number(): the column has times or counts", put_a_number_among_texts},
	    {"path_add(): the path has the thread", add_a_thread_to_the_path},
	    {"timeline_bin(): the timeline has the bin", ask_for_a_bin_beyond_the_last},
	};

	return broken_rules_are_found(rules, sizeof(rules) / sizeof(rules[0]));
}
