/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readers and printers for variables of LLVM's and Intel's runtime whose values have another form
 * than those of the OpenMP variables with the same purpose.
 */
#include <stdlib.h>
#include <string.h>

#include "atomics.h"
#include "kmp-api.h"
#include "places.h"
#include "process.h"
#include "value-scan.h"
#include "values.h"
#include "waiting.h"

static bool scan_words(const char **text, const struct rt_word *words, uintptr_t *value)
{
	for (; words->word; words++)
		if (rt_scan_word(text, words->word)) {
			*value = words->value;
			return true;
		}
	return false;
}

static void print_nothing(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	(void)kind;
	(void)field;
	(void)out;
}

/* Milliseconds, with an optional ms; or microseconds with us, rounded up. */
static bool parse_block_time(const struct rt_value_kind *kind, const char *text, void *field)
{
	_Atomic int32_t *block_time = field;
	uintptr_t infinite;
	uint64_t value;

	if (scan_words(&text, kind->words, &infinite) && rt_scan_end(&text)) {
		store_relaxed(block_time, RT_BLOCK_TIME_INFINITE);
		return true;
	}
	if (!rt_scan_number(&text, INT32_MAX, &value))
		return false;
	if (rt_scan_word(&text, "us"))
		value = (value + 999) / 1000;
	else
		rt_scan_word(&text, "ms");
	if (!rt_scan_end(&text))
		return false;
	store_relaxed(block_time, (int32_t)value);
	return true;
}

static bool parse_library(const struct rt_value_kind *kind, const char *text, void *field)
{
	struct rt_process *process = field;
	uintptr_t library;

	if (!scan_words(&text, kind->words, &library) || !rt_scan_end(&text))
		return false;
	store_relaxed(&process->library, (int32_t)library);
	if (library == KMP_SERIAL)
		process->initial.thread_limit = 1;
	if (library == KMP_TURNAROUND)
		store_relaxed(&process->block_time, RT_BLOCK_TIME_INFINITE);
	return true;
}

static void print_block_time(
    const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	int32_t milliseconds = load_relaxed((const _Atomic int32_t *)field);

	if (milliseconds == RT_BLOCK_TIME_INFINITE)
		rt_text_add_words(out, kind->words[0].word);
	else
		rt_text_add_number(out, (uint64_t)milliseconds);
}

static void print_library(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	const struct rt_process *process = field;
	uintptr_t library = (uintptr_t)load_relaxed(&process->library);

	for (const struct rt_word *word = kind->words; word->word; word++)
		if (word->value == library)
			rt_text_add_words(out, word->word);
}

static void print_stack_bytes(
    const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	(void)kind;
	rt_text_add_number(out, load_relaxed((const _Atomic size_t *)field));
}

/* A number without a letter is in bytes; less than the smallest size means the smallest size. */
static bool parse_bytes(const struct rt_value_kind *kind, const char *text, void *field)
{
	static const char letters[] = "bkmgt";
	uint64_t value;
	unsigned shift = 0;

	if (!rt_scan_number(&text, UINT64_MAX, &value))
		return false;
	for (unsigned i = 0; letters[i]; i++)
		if (rt_scan_char(&text, letters[i]) || rt_scan_char(&text, (char)(letters[i] - 32)))
			shift = 10 * i;
	rt_scan_word(&text, "b");
	if (!rt_scan_end(&text) || value > (kind->max >> shift))
		return false;
	value <<= shift;
	store_relaxed((_Atomic size_t *)field, (size_t)(value > kind->min ? value : kind->min));
	return true;
}

static void print_bytes(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	(void)kind;
	rt_text_add_number(out, load_relaxed((const _Atomic size_t *)field));
}

static bool parse_flag(const struct rt_value_kind *kind, const char *text, void *field)
{
	uintptr_t value;
	uint64_t number;

	if (rt_scan_number(&text, 1, &number))
		value = number;
	else if (!scan_words(&text, kind->words, &value))
		return false;
	if (!rt_scan_end(&text))
		return false;
	*(bool *)field = value != 0;
	return true;
}

static void print_flag(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	(void)kind;
	rt_text_add_words(out, *(const bool *)field ? "TRUE" : "FALSE");
}

/* What KMP_AFFINITY's words mean in this runtime. */
struct affinity {
	uint32_t bind;          /* enum rt_bind */
	const char *places;     /* by granularity */
	const char *processors; /* explicit: the text in the brackets of proclist */
	size_t processors_length;
};

static const struct rt_word affinity_types[] = {{"none", RT_BIND_FALSE},
    {"disabled", RT_BIND_FALSE}, {"compact", RT_BIND_CLOSE}, {"scatter", RT_BIND_SPREAD},
    {"balanced", RT_BIND_SPREAD}, {"explicit", RT_BIND_CLOSE}, {"logical", RT_BIND_CLOSE},
    {"physical", RT_BIND_SPREAD}, {NULL, 0}};
static const struct rt_word granularities[] = {{"fine", (uintptr_t) "threads"},
    {"thread", (uintptr_t) "threads"}, {"core", (uintptr_t) "cores"},
    {"llc", (uintptr_t) "ll_caches"}, {"ll_cache", (uintptr_t) "ll_caches"},
    {"numa_domain", (uintptr_t) "numa_domains"}, {"node", (uintptr_t) "numa_domains"},
    {"socket", (uintptr_t) "sockets"}, {"package", (uintptr_t) "sockets"}, {NULL, 0}};
static const struct rt_word modifiers[] = {{"verbose", 0}, {"noverbose", 0}, {"warnings", 0},
    {"nowarnings", 0}, {"respect", 0}, {"norespect", 0}, {"reset", 0}, {"noreset", 0}, {NULL, 0}};

static bool scan_processors(const char **text, struct affinity *affinity)
{
	const char *end;

	if (!rt_scan_char(text, '=') || !rt_scan_char(text, '[') || !(end = strchr(*text, ']')))
		return false;
	affinity->processors = *text;
	affinity->processors_length = (size_t)(end - *text);
	*text = end + 1;
	return true;
}

/* One element of the list. Numbers are for permute and offset, which have no effect. */
static bool scan_affinity(const char **text, struct affinity *affinity)
{
	uintptr_t value;
	uint64_t number;

	if (scan_words(text, affinity_types, &value)) {
		affinity->bind = (uint32_t)value;
		return true;
	}
	if (rt_scan_word(text, "granularity")) {
		if (!rt_scan_char(text, '=') || !scan_words(text, granularities, &value))
			return false;
		affinity->places = (const char *)value;
		return true;
	}
	if (rt_scan_word(text, "proclist"))
		return scan_processors(text, affinity);
	return scan_words(text, modifiers, &value) || rt_scan_number(text, INT32_MAX, &number);
}

/* Makes one place for each processor of the list, which gets blanks as separators. */
static bool use_processors(struct rt_process *process, const struct affinity *affinity)
{
	char *list = strndup(affinity->processors, affinity->processors_length);
	bool usable;

	if (!list)
		return false;
	for (char *c = list; *c; c++)
		if (*c == ',')
			*c = ' ';
	usable = rt_places_parse_affinity(
	    &process->places, list, &process->allowed, &process->places_dropped);
	free(list);
	return usable;
}

static bool parse_affinity(const struct rt_value_kind *kind, const char *text, void *field)
{
	struct affinity affinity = {.bind = RT_BIND_FALSE, .places = "cores"};
	struct rt_process *process = field;
	uint32_t *policy;
	bool has_places;

	(void)kind;
	do {
		if (!scan_affinity(&text, &affinity))
			return false;
	} while (rt_scan_char(&text, ','));
	if (!rt_scan_end(&text))
		return false;
	if (affinity.bind == RT_BIND_FALSE)
		return true;
	has_places = affinity.processors
			 ? use_processors(process, &affinity)
			 : rt_places_parse(&process->places, affinity.places, RT_SYSFS,
			       &process->allowed, &process->places_dropped);
	if (!has_places || !(policy = malloc(sizeof(*policy))))
		return false;
	process->places_variable = "KMP_AFFINITY";
	*policy = affinity.bind;
	free(process->bind_list.values);
	process->bind_list = (struct rt_value_list){policy, 1};
	return true;
}

static const struct rt_word infinite_words[] = {{"infinite", 0}, {"infinity", 0}, {NULL, 0}};
static const struct rt_word library_words[] = {{"serial", KMP_SERIAL},
    {"turnaround", KMP_TURNAROUND}, {"throughput", KMP_THROUGHPUT}, {NULL, 0}};
static const struct rt_word flag_words[] = {{"true", 1}, {"yes", 1}, {"on", 1}, {"enabled", 1},
    {"false", 0}, {"no", 0}, {"off", 0}, {"disabled", 0}, {NULL, 0}};

const struct rt_value_kind rt_kind_block_time = {parse_block_time, print_block_time,
    "a number of milliseconds, or infinite", .words = infinite_words};
const struct rt_value_kind rt_kind_library = {
    parse_library, print_library, "serial, turnaround or throughput", .words = library_words};
const struct rt_value_kind rt_kind_stack_bytes = {parse_bytes, print_stack_bytes,
    "a size such as 8M (letters B, K, M, G, T; B when there is none)", .min = 16384,
    .max = SIZE_MAX / 2};
const struct rt_value_kind rt_kind_bytes = {parse_bytes, print_bytes,
    "a size such as 8M (letters B, K, M, G, T; B when there is none)", .max = SIZE_MAX / 2};
const struct rt_value_kind rt_kind_flag = {
    parse_flag, print_flag, "true or false, 1 or 0", .words = flag_words};
const struct rt_value_kind rt_kind_llvm_affinity = {parse_affinity, print_nothing,
    "compact, scatter, balanced, explicit with proclist=[...], none or disabled, after granularity=fine, "
    "core or socket"};
