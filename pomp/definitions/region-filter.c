/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The filter file has Score-P's syntax: blocks of rules for the names of regions and of files. Each
 * rule is a word and shell patterns. Later rules override earlier ones; a name without a rule is
 * included.
 *
 *   SCOREP_REGION_NAMES_BEGIN       # or POMP_REGION_NAMES_BEGIN
 *     EXCLUDE atomic helper_*
 *     INCLUDE helper_main
 *     EXCLUDE_SHORTER_THAN 5us *    # an extension
 *   SCOREP_REGION_NAMES_END
 *   SCOREP_FILE_NAMES_BEGIN
 *     EXCLUDE third_party/?*
 *   SCOREP_FILE_NAMES_END
 *
 * A pattern is compared with the name of the user region or critical, the construct ("for"), and
 * the name in the trace ("!$omp for @file.c:6"). A backslash escapes a blank or a wildcard.
 * Parallel regions are never filtered, because their teams identify threads. Three constructs are
 * not filtered by duration: criticals, because a lock's acquisitions are counted without gaps, and
 * ordered and tasks, because their visits consist of more than an enter and a leave.
 */
#include "region-filter.h"

#include "at-start.h"
#include "region.h"

#include "shared/array.h"
#include "shared/trace-name.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	LONGEST_LINE = 64 << 10,
	MOST_REPORTED = 3, /* a file that is not a filter does not get a message for each line */
	MOST_WRONG_LINES = 100,
	LARGEST_FILE = 1 << 20, /* while the program runs */
};

struct pomp_filter pomp_filter;

enum subject { SUBJECT_NONE, SUBJECT_REGION, SUBJECT_FILE };

struct pomp_filter_rule {
	enum subject subject;
	uint64_t shortest; /* nanoseconds; 0: this rule includes; POMP_FILTER_ALL: it excludes */
	bool by_duration;
	char *pattern;
};

/* The state of reading. */
struct reading {
	struct pomp_filter *filter;
	const char *path;
	unsigned line;
	enum subject block;
	unsigned wrong_lines;
	FILE *messages;
};

/* Counts an invalid line; returns whether it is among the lines that get a message. */
static bool may_report_line(struct reading *reading)
{
	return ++reading->wrong_lines <= MOST_REPORTED;
}

static void report_line(struct reading *reading, const char *expected, const char *found)
{
	char shown[40]; /* a file that is not a filter may contain anything, even commands to a
			   terminal */
	size_t length = 0;

	if (!may_report_line(reading))
		return;
	for (; found[length] != '\0' && length + 1 < sizeof(shown); length++)
		shown[length] = (char)((unsigned char)found[length] < ' ' || found[length] == 127
					   ? '?'
					   : found[length]);
	shown[length] = '\0';
	fprintf(reading->messages, "pomp: %s:%u: expected %s, found '%s'; the line is ignored\n",
	    reading->path, reading->line, expected, shown);
}

/*
 * Returns the next word of the line, cut out in place; NULL at the end or at a comment. Removes a
 * backslash before a blank; others remain for fnmatch().
 */
static char *take_word(char **line)
{
	char *from = *line + strspn(*line, " \t\r\n");
	char *word = from, *to = from;

	if (*from == '\0' || *from == '#')
		return NULL;
	while (*from != '\0' && strchr(" \t\r\n", *from) == NULL) {
		if (*from == '\\' && (from[1] == ' ' || from[1] == '\t'))
			from++;
		else if (*from == '\\' && from[1] != '\0')
			*to++ = *from++;
		*to++ = *from++;
	}
	*line = from + (*from != '\0');
	*to = '\0';
	return word;
}

/* Parses "5us", "1.5ms", "200" (nanoseconds); false if it is not a duration. */
static bool parse_duration(const char *text, uint64_t *nanoseconds)
{
	static const struct {
		const char *name;
		double factor;
	} units[] = {{"", 1}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	uint64_t whole = 0;
	double part = 0, weight = 0.1;

	/* Not with strtod(), which follows the program's locale. */
	if (*text < '0' || *text > '9')
		return false;
	for (; *text >= '0' && *text <= '9' && whole < UINT64_MAX / 100; text++)
		whole = whole * 10 + (uint64_t)(*text - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9'; text++, weight /= 10)
			part += (*text - '0') * weight;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(text, units[i].name) == 0) {
			double value = ((double)whole + part) * units[i].factor;
			*nanoseconds = value < 1e18 ? (uint64_t)value : (uint64_t)1e18;
			return true;
		}
	return false;
}

static void add_rule(struct reading *reading, struct pomp_filter_rule rule, const char *pattern)
{
	struct pomp_filter *filter = reading->filter;

	rule.subject = reading->block;
	rule.pattern = strdup(pattern);
	if (rule.pattern == NULL ||
	    !ARRAY_PUSH(filter->rules, filter->rule_count, filter->rule_capacity, rule)) {
		if (may_report_line(reading))
			fprintf(reading->messages,
			    "pomp: %s:%u: out of memory; the rule is ignored\n", reading->path,
			    reading->line);
		free(rule.pattern);
		return;
	}
	filter->has_durations |= rule.by_duration && rule.shortest > 0;
	// cppcheck-suppress memleak ; the list has the pattern now
}

/* Returns whether the word opens or closes a block, and does so. */
static bool is_block(struct reading *reading, const char *word)
{
	static const struct {
		const char *name;
		enum subject block;
	} words[] = {
	    {"REGION_NAMES_BEGIN", SUBJECT_REGION},
	    {"FILE_NAMES_BEGIN", SUBJECT_FILE},
	    {"REGION_NAMES_END", SUBJECT_NONE},
	    {"FILE_NAMES_END", SUBJECT_NONE},
	};

	if (strncmp(word, "SCOREP_", 7) == 0)
		word += 7;
	else if (strncmp(word, "POMP_", 5) == 0)
		word += 5;
	else
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(word, words[i].name) == 0) {
			reading->block = words[i].block;
			return true;
		}
	return false;
}

static void read_line(struct reading *reading, char *line)
{
	struct pomp_filter_rule rule = {0};
	const char *word = take_word(&line);

	if (word == NULL || is_block(reading, word))
		return;
	if (reading->block == SUBJECT_NONE) {
		report_line(reading, "SCOREP_REGION_NAMES_BEGIN or SCOREP_FILE_NAMES_BEGIN", word);
		return;
	}
	if (strcmp(word, "EXCLUDE") == 0) {
		rule.shortest = POMP_FILTER_ALL;
	} else if (strcmp(word, "EXCLUDE_SHORTER_THAN") == 0) {
		rule.by_duration = true;
		word = take_word(&line);
		if (word == NULL || !parse_duration(word, &rule.shortest)) {
			report_line(reading, "a duration such as 5us", word != NULL ? word : "");
			return;
		}
	} else if (strcmp(word, "INCLUDE") != 0) {
		report_line(reading, "EXCLUDE, INCLUDE or EXCLUDE_SHORTER_THAN", word);
		return;
	}
	for (word = take_word(&line); word != NULL; word = take_word(&line))
		if (strcmp(word, "MANGLED") != 0) /* Score-P's; names here are never mangled */
			add_rule(reading, rule, word);
}

/*
 * Reads a line without its end. False at the end of the file, and if it is not text (*line is
 * NULL).
 */
static bool next_line(FILE *file, char **line)
{
	size_t length = 0;
	int letter;

	while ((letter = getc(file)) != EOF && letter != '\n') {
		if (letter == '\0' || length == LONGEST_LINE) {
			*line = NULL;
			return false;
		}
		(*line)[length++] = (char)letter;
	}
	(*line)[length] = '\0';
	return letter == '\n' || length > 0;
}

/* Reports why the file was not read to its end, or how many of its lines could not be used. */
static void tell_result(const struct reading *reading, FILE *file, bool is_text)
{
	unsigned more =
	    reading->wrong_lines > MOST_REPORTED ? reading->wrong_lines - MOST_REPORTED : 0;

	if (ferror(file))
		fprintf(reading->messages, "pomp: POMP_FILTERING_FILE='%s': %s; %s\n",
		    reading->path, strerror(errno),
		    reading->filter->rule_count > 0 ? "its rules up to there are used"
						    : "nothing is left out");
	else if (!is_text)
		fprintf(reading->messages,
		    "pomp: %s:%u: expected a line of text; the file is not read any further\n",
		    reading->path, reading->line + 1);
	if (more > 0)
		fprintf(reading->messages, "pomp: %s: %u more lines are ignored%s\n", reading->path,
		    more,
		    reading->wrong_lines == MOST_WRONG_LINES
			? ", and the file is not read any further"
			: "");
}

/* Reads the open file, and closes it. Returns 0 or an errno. */
static int read_rules(struct pomp_filter *filter, const char *path, FILE *file, FILE *messages)
{
	struct reading reading = {.filter = filter, .path = path, .messages = messages};
	char *memory = malloc(LONGEST_LINE + 1), *line = memory;

	while (memory != NULL && reading.wrong_lines < MOST_WRONG_LINES && next_line(file, &line)) {
		reading.line++;
		read_line(&reading, line);
	}
	if (memory != NULL)
		tell_result(&reading, file, line != NULL);
	fclose(file);
	free(memory);
	return memory != NULL ? 0 : ENOMEM;
}

void pomp_filter_read(struct pomp_filter *filter, const char *path, FILE *messages)
{
	char *whole = pomp_at_start_path(path);
	FILE *file = whole != NULL ? fopen(whole, "re") : NULL;
	int error = file != NULL ? read_rules(filter, path, file, messages) : errno;

	free(whole);
	if (error != 0)
		fprintf(messages, "pomp: POMP_FILTERING_FILE='%s': %s; nothing is left out\n", path,
		    strerror(error));
}

/* Opens without waiting, whatever it is. Returns NULL with errno. */
static FILE *open_plain(const char *path)
{
	char *whole = pomp_at_start_path(path);
	int file = whole != NULL ? open(whole, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
	int error = whole != NULL ? errno : ENOMEM;
	struct stat status;

	free(whole);
	if (file >= 0 && fstat(file, &status) == 0) {
		error = !S_ISREG(status.st_mode)        ? EINVAL
			: status.st_size > LARGEST_FILE ? EFBIG
							: 0;
		FILE *stream = error == 0 ? fdopen(file, "re") : NULL;
		if (stream != NULL)
			return stream;
	}
	if (file >= 0)
		close(file);
	errno = error != 0 ? error : ENOMEM;
	return NULL;
}

int pomp_filter_read_plain(struct pomp_filter *filter, const char *path, FILE *messages)
{
	FILE *file = open_plain(path);
	int error = file != NULL ? read_rules(filter, path, file, messages) : errno;

	if (error != 0)
		fprintf(messages, "filter=%s: %s; expected a plain file of at most 1 MB\n", path,
		    strerror(error));
	return error;
}

void pomp_filter_free(struct pomp_filter *filter)
{
	for (size_t i = 0; i < filter->rule_count; i++)
		free(filter->rules[i].pattern);
	free(filter->rules);
	*filter = (struct pomp_filter){.tick = filter->tick};
}

static bool names_region(const char *pattern, const struct pomp_region *region, const char *traced)
{
	return (region->sub_name[0] != '\0' && fnmatch(pattern, region->sub_name, 0) == 0) ||
	       fnmatch(pattern, region->name, 0) == 0 || fnmatch(pattern, traced, 0) == 0;
}

/* Returns the result of the rules for one subject: the last rule that matches decides. */
static uint64_t evaluate_subject(const struct pomp_filter *filter, enum subject subject,
    const struct pomp_region *region, const char *traced)
{
	uint64_t excluded = 0;

	for (size_t i = 0; i < filter->rule_count; i++) {
		const struct pomp_filter_rule *rule = &filter->rules[i];
		if (rule->subject == subject &&
		    (subject == SUBJECT_FILE ? fnmatch(rule->pattern, region->file, 0) == 0
					     : names_region(rule->pattern, region, traced)))
			excluded = rule->shortest;
	}
	return excluded;
}

uint64_t pomp_filter_evaluate(
    const struct pomp_filter *filter, const struct pomp_region *region, double tick)
{
	if (filter->rule_count == 0 || region->kind == CONSTRUCT_KIND_PARALLEL)
		return 0;
	char *traced =
	    trace_name("", region->name, region->sub_name, "", region->file, region->begin_first);
	uint64_t by_name =
	    evaluate_subject(filter, SUBJECT_REGION, region, traced != NULL ? traced : "");
	uint64_t by_file = evaluate_subject(filter, SUBJECT_FILE, region, "");
	uint64_t excluded = by_name > by_file ? by_name : by_file;

	free(traced);
	if (excluded == POMP_FILTER_ALL || excluded == 0)
		return excluded;
	if (region->kind == CONSTRUCT_KIND_CRITICAL || region->kind == CONSTRUCT_KIND_ORDERED ||
	    region->kind == CONSTRUCT_KIND_TASK)
		return 0;
	return (uint64_t)((double)excluded / tick) + 1;
}
