/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the text of an option's value to the members of struct options. */
#include "option-values.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"

static bool parse_number(const char *value, long min, long max, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(value, &end, 10);
	return value[0] && !end[0] && errno == 0 && *number >= min && *number <= max;
}

bool option_read_width(void *field, const char *value, struct option_reading *reading)
{
	long width;

	if (!parse_number(value, OPTION_WIDTH_MIN, OPTION_WIDTH_MAX, &width))
		return option_expected(reading, "expected a number of columns from %d to %d",
		    OPTION_WIDTH_MIN, OPTION_WIDTH_MAX);
	*(int *)field = (int)width;
	return true;
}

bool option_read_rows(void *field, const char *value, struct option_reading *reading)
{
	long rows;

	if (!parse_number(value, 0, LONG_MAX, &rows))
		return option_expected(reading, "expected a number of rows, 0 for all");
	*(size_t *)field = (size_t)rows;
	return true;
}

bool option_read_jobs(void *field, const char *value, struct option_reading *reading)
{
	long jobs;

	if (!parse_number(value, 1, OPTION_JOBS_MOST, &jobs))
		return option_expected(
		    reading, "expected a number of threads, 1 to %d", OPTION_JOBS_MOST);
	*(size_t *)field = (size_t)jobs;
	return true;
}

bool option_read_context(void *field, const char *value, struct option_reading *reading)
{
	long lines;

	if (!parse_number(value, 0, OPTION_CONTEXT_MOST, &lines))
		return option_expected(
		    reading, "expected a number of lines, 0 to %d", OPTION_CONTEXT_MOST);
	*(int *)field = (int)lines;
	return true;
}

bool option_read_debug_dir(void *field, const char *value, struct option_reading *reading)
{
	const char **dirs = field;
	struct stat status;
	size_t count = 0;

	if (stat(value, &status) != 0 || !S_ISDIR(status.st_mode))
		return option_expected(reading, "expected a folder");
	while (dirs[count] != NULL)
		count++;
	if (count == OPTION_DEBUG_DIRS_MOST)
		return option_expected(
		    reading, "expected %d folders at most", OPTION_DEBUG_DIRS_MOST);
	dirs[count] = value;
	return true;
}

bool option_read_rank(void *field, const char *value, struct option_reading *reading)
{
	if (!value[0] || value[strspn(value, "0123456789")])
		return option_expected(reading, "expected a rank's number");
	*(const char **)field = value;
	return true;
}

static bool parse_percent(const char *value, double *percent)
{
	char *end;

	*percent = strtod(value, &end);
	if (*end == '%')
		end++;
	return end != value && !*end;
}

bool option_read_threshold(void *field, const char *value, struct option_reading *reading)
{
	double percent;

	if (!parse_percent(value, &percent) || !(percent >= 0 && percent <= 1e6))
		return option_expected(
		    reading, "expected a growth in per cent, such as 5 or 2.5%%");
	*(double *)field = percent / 100;
	return true;
}

bool option_read_chance(void *field, const char *value, struct option_reading *reading)
{
	double percent;

	if (!parse_percent(value, &percent) || !(percent > 0 && percent <= 50))
		return option_expected(
		    reading, "expected a chance in per cent, above 0 and at most 50, such as 1");
	*(double *)field = percent / 100;
	return true;
}

static const struct time_unit {
	const char *name;
	double nanoseconds;
} time_units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"", 1e9}};

static bool parse_time(const char *value, uint64_t *time)
{
	char *end;
	double number = strtod(value, &end);

	for (size_t i = 0; i < sizeof(time_units) / sizeof(time_units[0]); i++) {
		double nanoseconds = number * time_units[i].nanoseconds;

		if (end == value || strcmp(end, time_units[i].name) != 0)
			continue;
		if (!(nanoseconds >= 0 && nanoseconds < 1e18))
			return false;
		*time = (uint64_t)(nanoseconds + 0.5);
		return true;
	}
	return false;
}

bool option_read_time(void *field, const char *value, struct option_reading *reading)
{
	return parse_time(value, field) ||
	       option_expected(reading, "expected a time such as 1.5s, 20ms, 3us or 40ns");
}

bool option_read_min_change(void *field, const char *value, struct option_reading *reading)
{
	struct options *options = field;
	char *end;
	double percent = strtod(value, &end);

	options->min_change = 0;
	options->min_change_share = 0;
	if (end != value && strcmp(end, "%") == 0 && percent >= 0 && percent <= 100) {
		options->min_change_share = percent / 100;
		return true;
	}
	return parse_time(value, &options->min_change) ||
	       option_expected(reading,
		   "expected a time such as 5ms, or a share of the thread time such as 2%%");
}

/* The form of a change's value. */
static const struct change_value {
	bool has_region, has_number;
	double min, max;
	const char *expected;
} change_values[CHANGE_KINDS] = {
    [CHANGE_BALANCE] = {.has_region = true, .expected = "a region"},
    [CHANGE_SCHEDULE] = {.has_region = true,
	.expected = "REGION=static, dynamic or guided, with a chunk as in dynamic,8"},
    [CHANGE_THREADS] = {false, true, 1, 65536, "a number of threads from 1 to 65536"},
    [CHANGE_FASTER] = {true, true, 0.01, 1e6, "REGION=FACTOR, the factor from 0.01 to 1000000"},
    [CHANGE_NO_WAIT] = {.has_region = true, .expected = "a region"},
    [CHANGE_GRAIN] = {true, true, 1, 1e9, "REGION=N, the number of tasks to one"},
    [CHANGE_UNLOCK] = {.has_region = true, .expected = "a lock"},
};

/* Parses a schedule such as "dynamic,8". */
static bool parse_schedule(const char *text, struct option_change *change)
{
	const char *chunk = strchr(text, ',');
	size_t length = chunk ? (size_t)(chunk - text) : strlen(text);
	long number = 0;

	if (chunk && !parse_number(chunk + 1, 1, LONG_MAX, &number))
		return false;
	change->number = (double)number;
	change->schedule = loop_schedule_find(text, length);
	return change->schedule != LOOP_SCHEDULE_NONE;
}

static bool parse_change(const char *value, struct option_change *change)
{
	const struct change_value *expected = &change_values[change->kind];
	const char *number = value;
	char *end;

	change->region = strlen(value);
	if (expected->has_region && (expected->has_number || change->kind == CHANGE_SCHEDULE)) {
		number = strrchr(value, '=');
		if (!number)
			return false;
		change->region = (size_t)(number++ - value);
	}
	if (expected->has_region && change->region == 0)
		return false;
	if (change->kind == CHANGE_SCHEDULE)
		return parse_schedule(number, change);
	if (!expected->has_number)
		return true;
	change->number = strtod(number, &end);
	if (change->kind == CHANGE_THREADS && change->number != (double)(long)change->number)
		return false;
	return end != number && !*end && change->number >= expected->min &&
	       change->number <= expected->max;
}

bool option_read_change(void *field, const char *value, struct option_reading *reading)
{
	struct options *options = field;
	struct option_change change = {.kind = (enum change_kind)reading->row->constant,
	    .option = reading->row->name,
	    .value = value};

	if (!parse_change(value, &change))
		return option_expected(reading, "expected %s", change_values[change.kind].expected);
	if (options->change_count == OPTION_CHANGES_MOST)
		return option_expected(reading, "expected %d changes at most", OPTION_CHANGES_MOST);
	options->changes[options->change_count++] = change;
	return true;
}
