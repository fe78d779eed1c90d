/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements run-command.h. */
#include "run-command.h"

#include <string.h>

#include "common/nearest-word.h"
#include "streams.h"

static void print_help(FILE *out)
{
	fputs("Usage: ompreport COMMAND [options] ARCHIVE\n\n"
	      "Reports about traces of OpenMP programs (OTF2 archives).\n\nCommands:\n",
	    out);
	for (size_t i = 0; i < command_count; i++)
		fprintf(out, "  %-13s %s\n", commands[i].name, commands[i].purpose);
	fputs(
	    "\nompreport COMMAND --help (or ompreport help COMMAND) lists the command's options.\n",
	    out);
}

const struct command *run_command_find(const char *word)
{
	for (size_t i = 0; i < command_count; i++) {
		if (strcmp(word, commands[i].name) == 0)
			return &commands[i];
	}
	return NULL;
}

static int unknown_command(const char *word)
{
	struct nearest_word nearest = {.written = word, .length = strlen(word)};

	for (size_t i = 0; i < command_count; i++)
		nearest_word_offer(&nearest, commands[i].name);
	fprintf(stream_messages(),
	    "ompreport: unknown command '%s'%s%s%s; see 'ompreport --help'\n", word,
	    nearest.name ? " (did you mean '" : "", nearest.name ? nearest.name : "",
	    nearest.name ? "'?)" : "");
	return 2;
}

int run_command_check(const struct options *options, int status)
{
	if (options->region && !options->matches->region) {
		fprintf(stream_messages(),
		    "ompreport: --region='%s': nothing in this report has such a name; expected a part "
		    "of one, or a pattern for all of it ('ompreport regions' lists them)\n",
		    options->region);
		return 2;
	}
	if ((options->thread || options->rank) && !options->matches->thread) {
		fputs("ompreport:", stream_messages());
		if (options->thread)
			fprintf(stream_messages(), " --thread='%s'", options->thread);
		if (options->rank)
			fprintf(stream_messages(), " --rank='%s'", options->rank);
		fputs(": there is no such thread; 'ompreport threads' lists them\n",
		    stream_messages());
		return 2;
	}
	return status;
}

/* Prints the help of a command, or of all commands if `word` is NULL. */
static int help(const char *word)
{
	const struct command *command = word ? run_command_find(word) : NULL;

	if (word && !command)
		return unknown_command(word);
	if (command)
		options_print_help(stream_output(), command);
	else
		print_help(stream_output());
	return 0;
}

int run_command_read(struct options *options, struct option_matches *matches,
    const struct command *command, int count, char **words)
{
	int status = options_read(options, command, count, words);

	*matches = (struct option_matches){false, false};
	options->matches = matches;
	return status;
}

/* What no command does: the program's help and version. Returns the exit status, or -1. */
static int run_general(int count, char **words)
{
	if (count < 1) {
		print_help(stream_messages());
		return 2;
	}
	if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)
		return help(NULL);
	if (strcmp(words[0], "help") == 0)
		return help(words[1]);
	if (strcmp(words[0], "--version") != 0)
		return -1;
	fputs("ompreport " OMPINST_VERSION "\n", stream_output());
	return 0;
}

int run_command(int count, char **words, const struct table_taker *taker)
{
	struct option_matches matches;
	const struct command *command;
	struct options options;
	int status = run_general(count, words);

	if (status >= 0)
		return status;
	command = run_command_find(words[0]);
	if (!command)
		return unknown_command(words[0]);
	status = run_command_read(&options, &matches, command, count - 1, words + 1);
	if (status)
		return status - 1;
	options.taker = taker;
	status = command->run(&options);
	return status == 0 || status == 3 ? run_command_check(&options, status) : status;
}
