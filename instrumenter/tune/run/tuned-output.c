/* SPDX-License-Identifier: BSD-3-Clause */
/* Goes through texts line by line. Everything after a null byte is ignored. */
#include "tuned-output.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 60 }; /* the most bytes of a line that a message shows */

static bool compile(regex_t *pattern, const char *text, int more_flags)
{
	return regcomp(pattern, text, REG_EXTENDED | REG_NEWLINE | more_flags) == 0;
}

bool tuned_patterns_make(const struct tune_options *options, struct tuned_patterns *patterns)
{
	*patterns = (struct tuned_patterns){.metric_text = NULL};
	if (options->metric != NULL) {
		if (!compile(&patterns->metric, options->metric, 0))
			return false;
		patterns->metric_text = options->metric;
	}
	for (; patterns->ignored_count < options->ignored_count; patterns->ignored_count++)
		if (!compile(&patterns->ignored[patterns->ignored_count],
			options->ignored[patterns->ignored_count], REG_NOSUB))
			return false;
	return true;
}

void tuned_patterns_finish(struct tuned_patterns *patterns)
{
	if (patterns->metric_text != NULL)
		regfree(&patterns->metric);
	for (unsigned i = 0; i < patterns->ignored_count; i++)
		regfree(&patterns->ignored[i]);
	*patterns = (struct tuned_patterns){.metric_text = NULL};
}

/* Ends the line at its newline; returns the next one, or NULL. */
static char *cut_line(char *line)
{
	char *end = strchr(line, '\n');

	if (end != NULL)
		*end++ = '\0';
	return end;
}

char *tuned_output_number(const struct tuned_patterns *patterns, const char *text)
{
	char *copy = strdup(text), *number = NULL;
	regmatch_t match[2];

	for (char *line = copy, *next; line != NULL; line = next) {
		next = cut_line(line);
		if (regexec(&patterns->metric, line, 2, match, 0) != 0 || match[1].rm_so < 0)
			continue;
		free(number);
		number = strndup(line + match[1].rm_so, (size_t)(match[1].rm_eo - match[1].rm_so));
	}
	free(copy);
	return number;
}

static bool is_compared(const struct tuned_patterns *patterns, const char *line)
{
	if (patterns->metric_text != NULL && regexec(&patterns->metric, line, 0, NULL, 0) == 0)
		return false;
	for (unsigned i = 0; i < patterns->ignored_count; i++)
		if (regexec(&patterns->ignored[i], line, 0, NULL, 0) == 0)
			return false;
	return true;
}

char *tuned_output_compared(const struct tuned_patterns *patterns, const char *text)
{
	char *copy = strdup(text), *end = copy;

	for (char *line = copy, *next; line != NULL; line = next) {
		next = cut_line(line);
		if (!is_compared(patterns, line))
			continue;
		size_t length = strlen(line);
		memmove(end, line, length);
		end += length;
		if (next != NULL)
			*end++ = '\n';
	}
	if (copy != NULL)
		*end = '\0';
	return copy;
}

char *tuned_output_difference(const char *output, const char *unchanged)
{
	const char *one = output, *other = unchanged;
	char *text = NULL;

	for (unsigned number = 1;; number++) {
		size_t length = strcspn(one, "\n"), width = strcspn(other, "\n");
		if (*one == '\0' || *other == '\0')
			return strdup(
			    *one == '\0' ? "lines at the end are missing" : "there are more lines");
		if (length != width || strncmp(one, other, length) != 0) {
			if (asprintf(&text, "line %u is '%.*s%s', unchanged '%.*s%s'", number,
				length < SHOWN ? (int)length : SHOWN, one,
				length < SHOWN ? "" : "...", width < SHOWN ? (int)width : SHOWN,
				other, width < SHOWN ? "" : "...") < 0)
				text = NULL;
			return text;
		}
		one += length + (one[length] == '\n');
		other += width + (other[width] == '\n');
	}
}
