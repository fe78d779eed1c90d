/* SPDX-License-Identifier: BSD-3-Clause */
/* From the text of an option's value to what struct options keeps of it. */
#include "option-parsers.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const format_names[] = {"text", "json", "csv"};

const char *option_parse_format(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	for (unsigned i = 0; i < sizeof(format_names) / sizeof(format_names[0]); i++) {
		if (strcmp(value, format_names[i]) == 0) {
			options->format = (enum summary_format)i;
			return NULL;
		}
	}
	return "text, json or csv";
}

static int read_number(const char *value, long min, long max, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(value, &end, 10);
	return value[0] && !end[0] && errno == 0 && *number >= min && *number <= max ? 0 : -1;
}

const char *option_parse_width(
    struct options *options, const struct command *command, const char *value)
{
	long width;

	(void)command;
	if (read_number(value, OPTION_WIDTH_MIN, OPTION_WIDTH_MAX, &width) != 0)
		return "a number of columns from 60 to 1000";
	options->width = (int)width;
	return NULL;
}

const char *option_parse_rows(
    struct options *options, const struct command *command, const char *value)
{
	long rows;

	(void)command;
	if (read_number(value, 0, LONG_MAX, &rows) != 0)
		return "a number of rows, 0 for all";
	options->rows = (size_t)rows;
	return NULL;
}

const char *option_parse_output(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	options->output = value;
	return value[0] ? NULL : "a file name";
}

const char *option_parse_sort(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	options->sort = value;
	return value[0] ? NULL : "a column, by its name in --format=csv";
}

const char *option_parse_region(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	options->region = value;
	return value[0] ? NULL : "a part of a region's name, or a pattern";
}

const char *option_parse_thread(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	options->thread = value;
	return value[0] ? NULL : "a thread's number or name";
}

const char *option_parse_rank(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	options->rank = value;
	return value[0] && !value[strspn(value, "0123456789")] ? NULL : "a rank's number";
}

const char *option_parse_matrix(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->matrix = true;
	return NULL;
}

const char *option_parse_ompp(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->ompp = true;
	return NULL;
}

const char *option_parse_source(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->source = true;
	return NULL;
}

const char *option_parse_filter(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->filter = true;
	return NULL;
}

const char *option_parse_threshold(
    struct options *options, const struct command *command, const char *value)
{
	char *end;
	double percent = strtod(value, &end);

	(void)command;
	if (*end == '%')
		end++;
	if (end == value || *end || !(percent >= 0 && percent <= 1e6))
		return "a growth in per cent, such as 5 or 2.5%";
	options->threshold = percent / 100;
	return NULL;
}

static const struct time_unit {
	const char *name;
	double nanoseconds;
} time_units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"", 1e9}};

static int read_time(const char *value, uint64_t *time)
{
	char *end;
	double number = strtod(value, &end);

	for (size_t i = 0; i < sizeof(time_units) / sizeof(time_units[0]); i++) {
		double nanoseconds = number * time_units[i].nanoseconds;

		if (end == value || strcmp(end, time_units[i].name) != 0)
			continue;
		if (!(nanoseconds >= 0 && nanoseconds < 1e18))
			return -1;
		*time = (uint64_t)(nanoseconds + 0.5);
		return 0;
	}
	return -1;
}

const char *option_parse_min_change(
    struct options *options, const struct command *command, const char *value)
{
	char *end;
	double percent = strtod(value, &end);

	(void)command;
	options->min_change = 0;
	options->min_change_share = 0;
	if (end != value && strcmp(end, "%") == 0 && percent >= 0 && percent <= 100) {
		options->min_change_share = percent / 100;
		return NULL;
	}
	return read_time(value, &options->min_change) == 0
		   ? NULL
		   : "a time such as 5ms, or a share of the thread time such as 2%";
}

#define TIME_EXPECTED "a time such as 1.5s, 20ms, 3us or 40ns"

const char *option_parse_from(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	return read_time(value, &options->from) == 0 ? NULL : TIME_EXPECTED;
}

const char *option_parse_to(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	return read_time(value, &options->to) == 0 ? NULL : TIME_EXPECTED;
}

const char *option_parse_min_duration(
    struct options *options, const struct command *command, const char *value)
{
	(void)command;
	return read_time(value, &options->min_duration) == 0 ? NULL : TIME_EXPECTED;
}

const char *option_parse_perfetto(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->target = TARGET_PERFETTO;
	return NULL;
}

const char *option_parse_chrome(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->target = TARGET_CHROME;
	return NULL;
}

const char *option_parse_flamegraph(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->target = TARGET_FLAMEGRAPH;
	return NULL;
}

const char *option_parse_csv(
    struct options *options, const struct command *command, const char *value)
{
	(void)command, (void)value;
	options->target = TARGET_CSV;
	return NULL;
}
