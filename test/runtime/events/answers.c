/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ompt_set_callback() answers for each callback is what the table of doc/ompt.md (PAGE) says,
 * and the table has a row for each of omp-tools.h.
 */
#include <omp.h>
#include <stddef.h>

#include "check.h"
#include "omp-tools.h"

enum { CALLBACKS = 38 };

#define NAMED(name) [ompt_callback_##name] = #name
static const char *const names[CALLBACKS] = {NAMED(thread_begin), NAMED(thread_end),
    NAMED(parallel_begin), NAMED(parallel_end), NAMED(task_create), NAMED(task_schedule),
    NAMED(implicit_task), NAMED(target), NAMED(target_data_op), NAMED(target_submit),
    NAMED(control_tool), NAMED(device_initialize), NAMED(device_finalize), NAMED(device_load),
    NAMED(device_unload), NAMED(sync_region_wait), NAMED(mutex_released), NAMED(dependences),
    NAMED(task_dependence), NAMED(work), NAMED(masked), NAMED(target_map), NAMED(sync_region),
    NAMED(lock_init), NAMED(lock_destroy), NAMED(mutex_acquire), NAMED(mutex_acquired),
    NAMED(nest_lock), NAMED(flush), NAMED(cancel), NAMED(reduction), NAMED(dispatch),
    NAMED(target_emi), NAMED(target_data_op_emi), NAMED(target_submit_emi), NAMED(target_map_emi),
    NAMED(error)};

static ompt_set_result_t answers[CALLBACKS];
static ompt_set_result_t answer_unknown, answer_negative;
static bool was_started;

static void on_event(void)
{
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device;
	(void)data;
	for (int i = 1; i < CALLBACKS; i++) {
		answers[i] = set((ompt_callbacks_t)i, on_event);
		set((ompt_callbacks_t)i, NULL);
	}
	answer_unknown = set((ompt_callbacks_t)CALLBACKS, on_event);
	answer_negative = set((ompt_callbacks_t)-1, on_event);
	was_started = true;
	return 1;
}

static void finalize(ompt_data_t *data)
{
	(void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};

	(void)version;
	(void)runtime;
	return &result;
}

static const char *word_of(ompt_set_result_t answer)
{
	static const char *const words[] = {
	    "error", "never", "impossible", "sometimes", "sometimes_paired", "always"};

	return (unsigned)answer < 6 ? words[answer] : "?";
}

/* A row: | `name`, `name` | answer | ... */
static void check_row(char *row, bool *has_row)
{
	char *cell = strtok(row, "|"), *answer = strtok(NULL, "|");

	if (cell == NULL || answer == NULL)
		return;
	answer += strspn(answer, " ");
	answer[strcspn(answer, " ")] = '\0';
	for (char *name = strtok(cell, "`, "); name != NULL; name = strtok(NULL, "`, ")) {
		int i = 1;
		while (i < CALLBACKS && strcmp(names[i], name) != 0)
			i++;
		if (i == CALLBACKS)
			continue;
		has_row[i] = true;
		if (!CHECK(strcmp(answer, word_of(answers[i])) == 0))
			fprintf(stderr, "  %s: the page says '%s', the runtime '%s'\n", name,
			    answer, word_of(answers[i]));
	}
}

int main(void)
{
	bool has_row[CALLBACKS] = {false};
	FILE *page = fopen(PAGE, "re");
	char line[4000];

	if (page == NULL) {
		perror(PAGE);
		return 1;
	}
	omp_get_max_threads();
	CHECK(was_started);
	while (fgets(line, sizeof(line), page))
		if (strncmp(line, "| `", 3) == 0)
			check_row(line, has_row);
	fclose(page);
	for (int i = 1; i < CALLBACKS; i++)
		if (!CHECK(has_row[i]))
			fprintf(stderr, "  %s has no row\n", names[i]);
	CHECK_EQUAL(answer_unknown, ompt_set_error);
	CHECK_EQUAL(answer_negative, ompt_set_error);
	return check_result();
}
