/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How figures are printed: times, counts and shares in a few columns with three significant digits.
 * Units grow with the value; rounding never shows four digits ("1.00ms", not "1000us").
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/summary-figures.h"
#include "shared/constructs.h"

/* A unit is used while the rounded value is below limit; the last row takes everything else. */
struct unit {
	double scale; /* value of one unit */
	double limit; /* in units */
	const char *suffix;
};

static const struct unit time_units[] = {
    {1, 1000, "ns"},
    {1e3, 1000, "us"},
    {1e6, 1000, "ms"},
    {1e9, 10000, "s"},
    {3600e9, 1000, "h"},
    {86400e9, 0, "d"},
};

static const struct unit count_units[] = {
    {1, 100000, ""},
    {1e3, 1000, "k"},
    {1e6, 1000, "M"},
    {1e9, 1000, "G"},
    {1e12, 1000, "T"},
    {1e15, 1000, "P"},
    {1e18, 0, "E"},
};

static char *write_word(char *buffer, const char *word)
{
	return memcpy(buffer, word, strlen(word) + 1);
}

static int decimals(double value)
{
	return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

static char *format_in_units(char *buffer, uint64_t value, const struct unit *unit)
{
	double scaled = (double)value / unit->scale;

	/* Whole units (nanoseconds, single events) have no decimals. */
	while (unit->limit > 0 && scaled >= unit->limit - 0.5) {
		unit++;
		scaled = (double)value / unit->scale;
	}
	snprintf(buffer, SUMMARY_FIGURE_SIZE, "%.*f%s", unit->scale == 1 ? 0 : decimals(scaled),
	    scaled, unit->suffix);
	return buffer;
}

char *summary_format_time(char buffer[SUMMARY_FIGURE_SIZE], uint64_t nanoseconds)
{
	if (nanoseconds == SUMMARY_NOT_MEASURED)
		return write_word(buffer, "n/a");
	if (nanoseconds == 0)
		return write_word(buffer, "0");
	return format_in_units(buffer, nanoseconds, time_units);
}

char *summary_format_count(char buffer[SUMMARY_FIGURE_SIZE], uint64_t count)
{
	if (count == SUMMARY_NOT_MEASURED)
		return write_word(buffer, "n/a");
	return format_in_units(buffer, count, count_units);
}

char *summary_format_share(char buffer[SUMMARY_FIGURE_SIZE], double share)
{
	if (share < 0)
		return write_word(buffer, "n/a");
	if (share > 0 && share < 0.0005)
		return write_word(buffer, "<0.1%");
	snprintf(buffer, SUMMARY_FIGURE_SIZE, share < 9.9995 ? "%.1f%%" : "%.0f%%", share * 100);
	return buffer;
}

char *summary_format_exact(char buffer[SUMMARY_FIGURE_SIZE], uint64_t count)
{
	char digits[24];
	char *put = buffer;
	int length;

	if (count == SUMMARY_NOT_MEASURED)
		return write_word(buffer, "n/a");
	length = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			*put++ = ',';
		*put++ = digits[i];
	}
	*put = '\0';
	return buffer;
}

const char *summary_base_name(const char *path)
{
	const char *slash;

	if (!path || !path[0])
		return "?";
	slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

int summary_marks_region(const struct summary_region *region)
{
	return region->code == SUMMARY_CODE_GNU && region->name &&
	       strcmp(region->name, construct_name(CONSTRUCT_PARALLEL)) == 0;
}

/*
 * "splitting.cpython-311-x86_64-linux-gnu.so+0xf0b7" becomes "splitting~.so+0xf0b7" if there is
 * little room: the beginning distinguishes modules, the offset distinguishes places.
 */
enum { MODULE_LONG = 20, MODULE_SHORT = 16 };

static const char *shorten_place(char *buffer, size_t size, const char *place)
{
	const char *plus = strrchr(place, '+'), *ending = strstr(place, ".so");
	size_t head = strcspn(place, ".+");

	if (plus == NULL || plus - place <= MODULE_LONG)
		return place;
	head = head > MODULE_SHORT ? MODULE_SHORT : head;
	snprintf(buffer, size, "%.*s~%s%s", (int)head, place,
	    ending != NULL && ending < plus ? ".so" : "", plus);
	return buffer;
}

/*
 * Prints "file.c:6 parallel*". Without lines it prints the function, if a symbol gives it, and the
 * place: "dgemm_ libfoo.so+0x1234 parallel*".
 */
static int format_code(
    char *buffer, size_t size, const struct summary_region *region, const char *name)
{
	const char *mark = summary_marks_region(region) ? SUMMARY_MARK : "";
	int has_sub_name = region->sub_name && region->sub_name[0];
	const char *open = has_sub_name ? "(" : "", *close = has_sub_name ? ")" : "";
	const char *sub_name = has_sub_name ? region->sub_name : "";
	const char *function = region->function ? region->function : "";

	if (region->begin_line > 0)
		return snprintf(buffer, size, "%s:%d %s%s%s%s%s", summary_base_name(region->file),
		    region->begin_line, name, open, sub_name, close, mark);
	char place[64];
	return snprintf(buffer, size, "%s%s%s %s%s%s%s%s", function, function[0] ? " " : "",
	    shorten_place(place, sizeof(place), summary_base_name(region->file)), name, open,
	    sub_name, close, mark);
}

int summary_format_task(char *buffer, size_t size, const char *file, int line)
{
	char place[64];

	return line > 0 ? snprintf(buffer, size, "%s:%d task", summary_base_name(file), line)
			: snprintf(buffer, size, "%s task",
			      shorten_place(place, sizeof(place), summary_base_name(file)));
}

int summary_format_region(char *buffer, size_t size, const struct summary_region *region)
{
	const char *name = region->name && region->name[0] ? region->name : "?";
	int has_sub_name = region->sub_name && region->sub_name[0];

	if (region->code != SUMMARY_INSTRUMENTED && region->file)
		return format_code(buffer, size, region, name);
	/*
	 * A file without a line, such as a library's name from another tool, would take the room of
	 * the name.
	 */
	if (!region->file || !region->file[0] || region->begin_line <= 0)
		return snprintf(
		    buffer, size, has_sub_name ? "%s(%s)" : "%s", name, region->sub_name);
	return snprintf(buffer, size, has_sub_name ? "%s:%d %s(%s)" : "%s:%d %s",
	    summary_base_name(region->file), region->begin_line, name, region->sub_name);
}
