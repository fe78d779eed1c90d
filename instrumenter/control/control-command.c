/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst control PID`: asks a running program to change its settings (POMP_CONTROL=yes), and
 * prints what it answers.
 */
#include "control-command.h"

#include "common/terminal-text.h"
#include "construct-report.h"
#include "control-options.h"
#include "control-request.h"
#include "error-text.h"
#include "option-numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DONE = 0, REFUSED = 1, NO_ANSWER = 2 };

static int fail(char *error)
{
	report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	return NO_ANSWER;
}

/* A file's name is ours: the program may be in another folder. */
static void write_filter(FILE *out, const char *filter)
{
	char *folder = filter[0] != '/' && strcmp(filter, "off") != 0 ? getcwd(NULL, 0) : NULL;

	if (folder != NULL)
		fprintf(out, "filter=%s/%s\n", folder, filter);
	else
		fprintf(out, "filter=%s\n", filter);
	free(folder);
}

/* The request as text (heap), or NULL. */
static char *write_request(const struct control_options *options)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (out == NULL)
		return NULL;
	if (options->sampling != NULL)
		fprintf(out, "sampling=%s\n", options->sampling);
	if (options->filter != NULL)
		write_filter(out, options->filter);
	if (options->metrics != NULL)
		fprintf(out, "metrics=%s\n", options->metrics);
	return fclose(out) == 0 ? text : NULL;
}

/* The program may have any texts. */
static int print_answer(long process, struct control_part *answer)
{
	char *rest = answer->text, *line;

	if (strcmp(answer->head, CONTROL_REFUSED) == 0) {
		rest[strcspn(rest, "\n")] = '\0';
		report_error(NULL, "process %ld refuses: %s; nothing was changed", process, rest);
		return REFUSED;
	}
	while ((line = strsep(&rest, "\n")) != NULL && rest != NULL) {
		text_print_plain(stdout, line);
		putchar('\n');
	}
	return fflush(stdout) == 0 ? DONE : NO_ANSWER;
}

int control_main(const char *const *words)
{
	struct control_options options;
	struct control_part answer;
	char *error = NULL;
	const char *end;
	unsigned process;

	if (!control_options_read(words, &options, &error))
		return fail(error);
	if (options.help) {
		control_options_print_help(stdout);
		return DONE;
	}
	if (!option_read_number(options.process, 1, 0x7fffffff, &end, &process) || *end != '\0') {
		error_set(&error, "'%s': expected a process number", options.process);
		return fail(error);
	}
	char *text = write_request(&options);
	if (text == NULL || !control_ask((pid_t)process, text, &answer, &error)) {
		free(text);
		return fail(error);
	}
	free(text);
	return print_answer((long)process, &answer);
}
