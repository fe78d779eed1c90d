/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Readers and printers for scalar values of environment variables: truth values, words, counts,
 * sizes. The environment table names one kind for each variable. Lists and schedules, places, the
 * affinity format and allocators have their own files.
 */
#include "values.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "acc-api.h"
#include "atomics.h"
#include "process.h"
#include "value-scan.h"

static bool find_word(const struct rt_word *words, const char *text, uintptr_t *value)
{
	for (; words->word; words++) {
		const char *rest = text;
		if (rt_scan_word(&rest, words->word) && rt_scan_end(&rest)) {
			*value = words->value;
			return true;
		}
	}
	return false;
}

static void print_word(const struct rt_word *words, uintptr_t value, struct rt_text *out)
{
	for (; words->word; words++)
		if (words->value == value) {
			rt_text_add_words(out, words->word);
			return;
		}
}

static bool parse_bool(const struct rt_value_kind *kind, const char *text, void *field)
{
	uintptr_t value;

	if (!find_word(kind->words, text, &value))
		return false;
	*(bool *)field = value != 0;
	return true;
}

static void print_bool(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	print_word(kind->words, *(const bool *)field, out);
}

/* Enumerations without a negative constant have the type unsigned int. */
static bool parse_enum(const struct rt_value_kind *kind, const char *text, void *field)
{
	uintptr_t value;

	if (!find_word(kind->words, text, &value))
		return false;
	*(unsigned *)field = (unsigned)value;
	return true;
}

static void print_enum(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	print_word(kind->words, *(const unsigned *)field, out);
}

/*
 * Reads a whole number and nothing else, at least kind->min; a number above kind->max becomes
 * kind->max.
 */
static bool whole_number(const struct rt_value_kind *kind, const char *text, uint64_t *value)
{
	if (!rt_scan_number(&text, UINT64_MAX, value) || !rt_scan_end(&text) || *value < kind->min)
		return false;
	if (*value > kind->max)
		*value = kind->max;
	return true;
}

static bool parse_count(const struct rt_value_kind *kind, const char *text, void *field)
{
	uint64_t value;

	if (!whole_number(kind, text, &value))
		return false;
	*(uint32_t *)field = (uint32_t)value;
	return true;
}

static void print_count(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	(void)kind;
	rt_text_add_number(out, *(const uint32_t *)field);
}

/* omp_invalid_device is negative. */
static void print_device(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	(void)kind;
	rt_text_add(out, "%d", *(const int32_t *)field);
}

static void print_thread_limit(
    const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	uint32_t limit = *(const uint32_t *)field;

	(void)kind;
	rt_text_add_number(out, limit == RT_THREAD_LIMIT_NONE ? UINT32_MAX : limit);
}

static bool parse_levels(const struct rt_value_kind *kind, const char *text, void *field)
{
	struct rt_process *process = field;
	uint64_t value;

	if (!whole_number(kind, text, &value))
		return false;
	process->initial.max_active_levels = (uint8_t)value;
	process->levels_given = true;
	return true;
}

static void print_levels(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	const struct rt_process *process = field;

	(void)kind;
	rt_text_add_number(out, process->initial.max_active_levels);
}

/* OMP_NESTED is an older form of the setting whether there may be more than one active level. */
static bool parse_nested(const struct rt_value_kind *kind, const char *text, void *field)
{
	struct rt_process *process = field;
	uintptr_t nested;

	if (!find_word(kind->words, text, &nested))
		return false;
	process->initial.max_active_levels = nested ? RT_MAX_ACTIVE_LEVELS : 1;
	process->levels_given = true;
	return true;
}

static void print_nested(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	const struct rt_process *process = field;

	print_word(kind->words, process->initial.max_active_levels > 1, out);
}

/* size, sizeB, sizeK, sizeM, sizeG; without a letter in kilobytes (OpenMP 5.1, 6.7). */
static bool parse_stack_size(const struct rt_value_kind *kind, const char *text, void *field)
{
	static const struct {
		char letter;
		int shift;
	} units[] = {
	    {'b', 0}, {'B', 0}, {'k', 10}, {'K', 10}, {'m', 20}, {'M', 20}, {'g', 30}, {'G', 30}};
	uint64_t value;
	int shift = 10;

	if (!rt_scan_number(&text, UINT64_MAX, &value))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (rt_scan_char(&text, units[i].letter)) {
			shift = units[i].shift;
			break;
		}
	if (!rt_scan_end(&text) || value > (kind->max >> shift) || value << shift < kind->min)
		return false;
	*(size_t *)field = (size_t)(value << shift);
	return true;
}

static void print_size(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	(void)kind;
	rt_text_add_number(out, *(const size_t *)field);
}

/*
 * A number with a decimal factor k, M, G or T, or "infinite"; a product that is too large is
 * infinite.
 */
static bool parse_spin_count(const struct rt_value_kind *kind, const char *text, void *field)
{
	static const char factors[] = "kKmMgGtT";
	struct rt_process *process = field;
	uintptr_t infinite;
	uint64_t value;

	if (find_word(kind->words, text, &infinite)) {
		value = RT_SPIN_FOREVER;
	} else {
		if (!rt_scan_number(&text, UINT64_MAX, &value))
			return false;
		for (int i = 0; factors[i]; i++)
			if (rt_scan_char(&text, factors[i])) {
				for (int thousand = 0; thousand <= i / 2; thousand++)
					value =
					    value > UINT64_MAX / 1000 ? UINT64_MAX : value * 1000;
				break;
			}
		if (!rt_scan_end(&text))
			return false;
	}
	store_relaxed(&process->spin_count, value);
	process->spin_count_given = true;
	return true;
}

static void print_spin_count(
    const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	const struct rt_process *process = field;

	(void)kind;
	rt_text_add_number(out, load_relaxed(&process->spin_count));
}

/* Stores a pointer to the environment's own text, which nothing here frees or changes. */
static bool parse_string(const struct rt_value_kind *kind, const char *text, void *field)
{
	(void)kind;
	*(const char **)field = text;
	return true;
}

static void print_string(const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	const char *text = *(const char *const *)field;

	(void)kind;
	rt_text_add_words(out, text ? text : "");
}

static const struct rt_word truth_words[] = {{"TRUE", true}, {"FALSE", false}, {NULL, 0}};
static const struct rt_word enabled_words[] = {{"ENABLED", true}, {"DISABLED", false}, {NULL, 0}};
static const struct rt_word debug_words[] = {
    {"ENABLED", true}, {"ON", true}, {"DISABLED", false}, {"OFF", false}, {NULL, 0}};
static const struct rt_word infinite_words[] = {{"INFINITE", 1}, {"INFINITY", 1}, {NULL, 0}};
/* An unset policy resembles passive more than active: threads sleep after a short time. */
static const struct rt_word wait_words[] = {
    {"PASSIVE", RT_WAIT_PASSIVE}, {"ACTIVE", RT_WAIT_ACTIVE}, {NULL, 0}};
static const struct rt_word offload_words[] = {{"DEFAULT", RT_OFFLOAD_DEFAULT},
    {"MANDATORY", RT_OFFLOAD_MANDATORY}, {"DISABLED", RT_OFFLOAD_DISABLED}, {NULL, 0}};
static const struct rt_word display_words[] = {{"TRUE", RT_DISPLAY_TRUE},
    {"FALSE", RT_DISPLAY_FALSE}, {"VERBOSE", RT_DISPLAY_VERBOSE}, {NULL, 0}};
/* OpenACC names devices by what follows acc_device_ in its constants; only the host exists here. */
static const struct rt_word acc_type_words[] = {{"HOST", acc_device_host}, {NULL, 0}};
static const struct rt_word acc_number_words[] = {{"0", 0}, {NULL, 0}};

static void print_wait_policy(
    const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	enum rt_wait_policy policy = *(const enum rt_wait_policy *)field;

	print_word(kind->words, policy == RT_WAIT_UNSET ? RT_WAIT_PASSIVE : policy, out);
}

const struct rt_value_kind rt_kind_bool = {
    parse_bool, print_bool, "true or false", .words = truth_words};
const struct rt_value_kind rt_kind_enabled = {
    parse_bool, print_bool, "enabled or disabled", .words = enabled_words};
const struct rt_value_kind rt_kind_debug = {
    parse_bool, print_bool, "enabled, on or disabled", .words = debug_words};
const struct rt_value_kind rt_kind_nested = {
    parse_nested, print_nested, "true or false", .words = truth_words};
const struct rt_value_kind rt_kind_levels = {
    parse_levels, print_levels, "a number, 0 or more", .min = 0, .max = RT_MAX_ACTIVE_LEVELS};
const struct rt_value_kind rt_kind_natural = {
    parse_count, print_count, "a number, 0 or more", .min = 0, .max = INT32_MAX};
const struct rt_value_kind rt_kind_device = {
    parse_count, print_device, "a number, 0 or more", .min = 0, .max = INT32_MAX};
const struct rt_value_kind rt_kind_thread_limit = {
    parse_count, print_thread_limit, "a positive number", .min = 1, .max = RT_THREAD_LIMIT_NONE};
const struct rt_value_kind rt_kind_positive = {
    parse_count, print_count, "a positive number", .min = 1, .max = INT32_MAX};
const struct rt_value_kind rt_kind_stack_size = {parse_stack_size, print_size,
    "a size such as 8M (letters B, K, M, G; K when there is none) of 16K or more", .min = 16384,
    .max = SIZE_MAX / 2};
const struct rt_value_kind rt_kind_spin_count = {parse_spin_count, print_spin_count,
    "a number, which k, M, G or T may follow, or infinite", .words = infinite_words};
const struct rt_value_kind rt_kind_wait_policy = {
    parse_enum, print_wait_policy, "active or passive", .words = wait_words};
const struct rt_value_kind rt_kind_offload = {
    parse_enum, print_enum, "mandatory, disabled or default", .words = offload_words};
const struct rt_value_kind rt_kind_display_env = {
    parse_enum, print_enum, "true, false or verbose", .words = display_words};
const struct rt_value_kind rt_kind_acc_type = {
    parse_enum, print_enum, "host, the only device", .words = acc_type_words};
const struct rt_value_kind rt_kind_acc_number = {
    parse_enum, print_enum, "0, the only device", .words = acc_number_words};
const struct rt_value_kind rt_kind_string = {parse_string, print_string, "any text"};
