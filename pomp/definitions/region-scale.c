/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * POMP_SCALE: parts of the form REGION=FACTOR, separated by commas. REGION is compared with the
 * name that reports use, "file.c:12 critical(name)", like their --region option: it is a part of
 * the name, or a pattern that matches all of it. `*` alone is for whatever no other rule names. If
 * several rules name a region, the last one counts. When a region identified by its code is
 * registered, it only has a name made of its construct and its module ("for", "program+0x1234").
 */
#include "region-scale.h"

#include "process-state.h"
#include "region.h"

#include "common/summary-figures.h"
#include "shared/array.h"
#include "shared/precondition.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 512 };

/*
 * A region's delay is its work times (factor - 1); larger factors would turn seconds into hours,
 * and are taken for a mistake.
 */
#define LARGEST_FACTOR 1000.0

struct pomp_scale_rule {
	char *pattern;
	double factor;
	bool used;
};

struct pomp_scale pomp_scale = {.others = 1};

/*
 * Parses "1", "2.5"; false if the text is something else or out of range. Not with strtod(), which
 * follows the program's locale.
 */
static bool parse_factor(const char *text, size_t length, double *factor)
{
	double value = 0, weight = 1;
	bool fraction = false;

	if (length == 0 || text[0] == '.' || text[length - 1] == '.')
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '.' && !fraction) {
			fraction = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9')
			return false;
		if (fraction)
			weight /= 10;
		value = fraction ? value + (text[i] - '0') * weight : value * 10 + (text[i] - '0');
		if (value > LARGEST_FACTOR)
			return false;
	}
	*factor = value;
	return value >= 1;
}

/* Returns the last '=' of the part: names may contain some, factors none. NULL: there is none. */
static const char *find_equals(const char *part, size_t length)
{
	while (length > 0)
		if (part[--length] == '=')
			return part + length;
	return NULL;
}

/* Adds one rule; false when memory ran out. */
static bool add_rule(struct pomp_scale *scale, const char *name, size_t length, double factor)
{
	struct pomp_scale_rule rule = {strndup(name, length), factor, false};

	if (rule.pattern == NULL ||
	    !ARRAY_PUSH(scale->rules, scale->rule_count, scale->rule_capacity, rule)) {
		free(rule.pattern);
		return false;
	}
	// cppcheck-suppress memleak ; the list has the pattern now
	return true;
}

static void read_part(struct pomp_scale *scale, const char *part, size_t length, FILE *messages)
{
	const char *equals = find_equals(part, length);
	double factor;

	if (equals == NULL || equals == part ||
	    !parse_factor(equals + 1, length - (size_t)(equals + 1 - part), &factor)) {
		fprintf(messages,
		    "pomp: POMP_SCALE: '%.*s': expected REGION=FACTOR with a factor from 1 to %.0f; "
		    "it is ignored\n",
		    (int)length, part, LARGEST_FACTOR);
		return;
	}
	size_t name = (size_t)(equals - part);
	scale->on = true;
	if (name == 1 && part[0] == '*')
		scale->others = factor;
	else if (!add_rule(scale, part, name, factor))
		fprintf(messages, "pomp: POMP_SCALE: '%.*s': out of memory; it is ignored\n",
		    (int)length, part);
}

void pomp_scale_read(struct pomp_scale *scale, const char *text, FILE *messages)
{
	while (*text != '\0') {
		size_t length = strcspn(text, ",");
		if (length > 0)
			read_part(scale, text, length, messages);
		text += length + (text[length] == ',');
	}
}

static bool names(const char *pattern, const char *name)
{
	return pattern[strcspn(pattern, "*?[")] != '\0' ? fnmatch(pattern, name, 0) == 0
							: strstr(name, pattern) != NULL;
}

double pomp_scale_evaluate(const struct pomp_scale *scale, const struct pomp_region *region)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	char name[LONGEST_NAME];
	double factor = 0;

	if (scale->rule_count == 0)
		return 0;
	char *place = region->code != NULL ? code_place_short(&region->code->place) : NULL;
	const struct summary_region shown = {.name = region->name,
	    .sub_name = region->sub_name,
	    .file = region->code != NULL ? place : region->file,
	    .begin_line = region->begin_first,
	    .code = region->code != NULL ? SUMMARY_CODE : SUMMARY_INSTRUMENTED};
	summary_format_region(name, sizeof(name), &shown);
	free(place);
	for (size_t i = 0; i < scale->rule_count; i++)
		if (names(scale->rules[i].pattern, name)) {
			factor = scale->rules[i].factor;
			scale->rules[i].used = true;
		}
	return factor;
}

void pomp_scale_report(const struct pomp_scale *scale, FILE *messages)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");
	if (!scale->on)
		return;
	fprintf(messages, "pomp: POMP_SCALE delayed this run: its times are an experiment's, not "
			  "those of the program\n");
	for (size_t i = 0; i < scale->rule_count; i++)
		if (!scale->rules[i].used)
			fprintf(messages,
			    "pomp: POMP_SCALE: '%s': expected a part of a region's name as in "
			    "'file.c:12 for'; no region has it, and nothing was delayed by it\n",
			    scale->rules[i].pattern);
}
