/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readers and printers for structured values: the lists of OMP_NUM_THREADS and OMP_PROC_BIND, with
 * one element for each nesting level, and the schedule of OMP_SCHEDULE.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "process.h"
#include "resources.h"
#include "value-scan.h"
#include "shared/array.h"
#include "values.h"

/* Reads one element of a list; moves *text past it. */
typedef bool scan_element(const char **text, uint32_t *value);

static bool parse_list(const char *text, scan_element *scan, struct rt_value_list *result)
{
	struct rt_value_list list = {NULL, 0};
	size_t capacity = 0;
	uint32_t value;

	do {
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a push made room first */
		if (!scan(&text, &value) || !ARRAY_PUSH(list.values, list.count, capacity, value)) {
			free(list.values);
			return false;
		}
	} while (rt_scan_char(&text, ','));
	if (!rt_scan_end(&text)) {
		free(list.values);
		return false;
	}
	free(result->values);
	*result = list;
	return true;
}

static bool scan_thread_count(const char **text, uint32_t *value)
{
	const char *next = *text;
	uint64_t number;

	if (!rt_scan_number(&next, INT32_MAX, &number) || number == 0)
		return false;
	*text = next;
	*value = (uint32_t)number;
	return true;
}

static const struct rt_word resource_words[] = {{"quota", RT_RESOURCE_QUOTA},
    {"affinity", RT_RESOURCE_AFFINITY}, {"changes", RT_RESOURCE_CHANGES},
    {"roots", RT_RESOURCE_ROOTS}, {"all", RT_RESOURCE_ALL}, {"none", 0}, {NULL, 0}};

/* The union of the words. */
static bool parse_resources(const struct rt_value_kind *kind, const char *text, void *field)
{
	unsigned found = 0;

	do {
		const struct rt_word *word = kind->words;
		while (word->word && !rt_scan_word(&text, word->word))
			word++;
		if (!word->word)
			return false;
		found |= (unsigned)word->value;
	} while (rt_scan_char(&text, ','));
	if (!rt_scan_end(&text))
		return false;
	*(unsigned *)field = found;
	return true;
}

static void print_resources(
    const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	unsigned value = *(const unsigned *)field;
	const char *comma = "";

	if (value == 0 || value == RT_RESOURCE_ALL) {
		rt_text_add_words(out, value == 0 ? "none" : "all");
		return;
	}
	for (const struct rt_word *word = kind->words; word->value < RT_RESOURCE_ALL; word++)
		if (value & word->value) {
			rt_text_add_words(out, comma);
			rt_text_add_words(out, word->word);
			comma = ",";
		}
}

static bool parse_thread_list(const struct rt_value_kind *kind, const char *text, void *field)
{
	(void)kind;
	return parse_list(text, scan_thread_count, field);
}

static void print_thread_list(
    const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	const struct rt_value_list *list = field;

	(void)kind;
	for (size_t i = 0; i < list->count; i++) {
		rt_text_add_words(out, i > 0 ? "," : "");
		rt_text_add_number(out, list->values[i]);
	}
}

/* If two words have the same value, the first one is shown; libgomp also shows the older one. */
static const struct rt_word bind_words[] = {{"FALSE", RT_BIND_FALSE}, {"TRUE", RT_BIND_TRUE},
    {"MASTER", RT_BIND_PRIMARY}, {"PRIMARY", RT_BIND_PRIMARY}, {"CLOSE", RT_BIND_CLOSE},
    {"SPREAD", RT_BIND_SPREAD}, {NULL, 0}};

static bool scan_bind(const char **text, uint32_t *value)
{
	for (const struct rt_word *word = bind_words; word->word; word++)
		if (rt_scan_word(text, word->word)) {
			*value = (uint32_t)word->value;
			return true;
		}
	return false;
}

/* true and false are single values; only policies can form a list. */
static bool parse_bind_list(const struct rt_value_kind *kind, const char *text, void *field)
{
	struct rt_value_list list = {NULL, 0};
	struct rt_value_list *result = field;

	(void)kind;
	if (!parse_list(text, scan_bind, &list))
		return false;
	for (size_t i = 0; list.count > 1 && i < list.count; i++)
		if (list.values[i] == RT_BIND_FALSE || list.values[i] == RT_BIND_TRUE) {
			free(list.values);
			return false;
		}
	free(result->values);
	*result = list;
	return true;
}

static void print_bind_list(
    const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	const struct rt_value_list *list = field;

	for (size_t i = 0; i < list->count; i++) {
		const struct rt_word *word = kind->words;
		while (word->word && word->value != list->values[i])
			word++;
		rt_text_add_words(out, word->word && i > 0 ? "," : "");
		rt_text_add_words(out, word->word ? word->word : "");
	}
}

static const struct rt_word schedule_words[] = {{"STATIC", RT_SCHEDULE_STATIC},
    {"DYNAMIC", RT_SCHEDULE_DYNAMIC}, {"GUIDED", RT_SCHEDULE_GUIDED}, {"AUTO", RT_SCHEDULE_AUTO},
    {NULL, 0}};

static bool scan_schedule_kind(const char **text, uint32_t *schedule)
{
	for (const struct rt_word *word = schedule_words; word->word; word++)
		if (rt_scan_word(text, word->word)) {
			*schedule = (uint32_t)word->value;
			return true;
		}
	return false;
}

/*
 * [modifier:]kind[,chunk] (OpenMP 5.1, 6.1). Without a modifier static is monotonic and the others
 * are nonmonotonic (2.11.4). Without a chunk it is 0 for static, 1 otherwise; an explicit 0 means
 * the same, as with libgomp.
 */
static bool parse_schedule(const struct rt_value_kind *kind, const char *text, void *field)
{
	struct rt_task_icvs *icvs = field;
	bool monotonic = rt_scan_word(&text, "monotonic");
	bool nonmonotonic = !monotonic && rt_scan_word(&text, "nonmonotonic");
	uint32_t schedule;
	uint64_t chunk = 0;

	(void)kind;
	if ((monotonic || nonmonotonic) && !rt_scan_char(&text, ':'))
		return false;
	if (!scan_schedule_kind(&text, &schedule))
		return false;
	if (rt_scan_char(&text, ',') && !rt_scan_number(&text, INT32_MAX, &chunk))
		return false;
	if (!rt_scan_end(&text))
		return false;
	if (chunk == 0 && schedule != RT_SCHEDULE_STATIC)
		chunk = 1;
	if (monotonic || (schedule == RT_SCHEDULE_STATIC && !nonmonotonic))
		schedule |= RT_SCHEDULE_MONOTONIC;
	icvs->run_sched_kind = schedule;
	icvs->run_sched_chunk = (int32_t)chunk;
	icvs->run_sched_is_default = false;
	return true;
}

/* The modifier and the chunk are shown if they are not the defaults. */
static void print_schedule(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	const struct rt_task_icvs *icvs = field;
	uint32_t schedule = icvs->run_sched_kind & ~RT_SCHEDULE_MONOTONIC;
	bool monotonic = (icvs->run_sched_kind & RT_SCHEDULE_MONOTONIC) != 0;
	int32_t default_chunk = schedule == RT_SCHEDULE_STATIC ? 0 : 1;

	if (monotonic != (schedule == RT_SCHEDULE_STATIC))
		rt_text_add_words(out, monotonic ? "MONOTONIC:" : "NONMONOTONIC:");
	for (const struct rt_word *word = kind->words; word->word; word++)
		if (word->value == schedule)
			rt_text_add_words(out, word->word);
	if (schedule != RT_SCHEDULE_AUTO && icvs->run_sched_chunk != default_chunk) {
		rt_text_add_words(out, ",");
		rt_text_add_number(out, (uint32_t)icvs->run_sched_chunk);
	}
}

const struct rt_value_kind rt_kind_thread_list = {
    parse_thread_list, print_thread_list, "a list of positive integers"};
const struct rt_value_kind rt_kind_bind_list = {parse_bind_list, print_bind_list,
    "true, false, or a list of primary, close and spread", .words = bind_words};
const struct rt_value_kind rt_kind_resources = {parse_resources, print_resources,
    "a list of quota, affinity, changes and roots, or all or none", .words = resource_words};
const struct rt_value_kind rt_kind_schedule = {parse_schedule, print_schedule,
    "[monotonic:|nonmonotonic:]static, dynamic, guided or auto, then perhaps a comma and a chunk",
    .words = schedule_words};
