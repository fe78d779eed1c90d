/* SPDX-License-Identifier: BSD-3-Clause */
/* libpomp and the conversion end the process when a function is called against its rule. */
#include "broken-rule.h"
#include "event-log.h"
#include "experiment.h"
#include "lock.h"
#include "measured-team.h"
#include "set.h"
#include "thread-stack.h"

#include <stdlib.h>

static void note_without_the_process_lock(void)
{
	pomp_experiment_note_cut(1);
}

static void make_a_lock_without_the_process_lock(void)
{
	pomp_lock_of_critical("", "", 1);
}

static void write_beyond_the_window(void)
{
	static uint64_t words[4];
	struct pomp_log log = {
	    .cursor = words, .window = (char *)words, .window_bytes = sizeof(words) / 2};

	pomp_log_append(&log, log.cursor, 1, words, 2, 1);
}

static void leave_another_frame(void)
{
	struct pomp_frame frames[2] = {{.role = POMP_ROLE_BASE}, {.role = POMP_ROLE_TASK}};
	struct pomp_thread *thread = calloc(1, sizeof(*thread));

	thread->top = &frames[1];
	pomp_frame_close_create(thread, &thread->none, 1);
}

static void add_an_empty_record(void)
{
	struct convert_set set;

	convert_set_init(&set);
	convert_pool_add(&set.regions, NULL, 0);
}

static void ask_for_a_record_that_is_not_there(void)
{
	struct convert_set set;
	size_t count;

	convert_set_init(&set);
	convert_pool_at(&set.regions, 0, &count);
}

int main(void)
{
	static const struct broken_rule rules[] = {
	    {"pomp_experiment_note_cut(): the caller holds the process lock",
		note_without_the_process_lock},
	    {"pomp_lock_of_critical(): the caller holds the process lock",
		make_a_lock_without_the_process_lock},
	    {"pomp_log_append(): the record fits the window", write_beyond_the_window},
	    {"pomp_frame_close_create(): the frame is on top of the stack", leave_another_frame},
	    {"convert_pool_add(): the record has words", add_an_empty_record},
	    {"convert_pool_at(): the pool has the record", ask_for_a_record_that_is_not_there},
	};

	return broken_rules_are_found(rules, sizeof(rules) / sizeof(rules[0]));
}
