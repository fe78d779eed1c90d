/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport: reports about OTF2 archives of OpenMP programs. This file selects the subcommand; each
 * has a file of its own. Exit status: 0 for success, 1 if a report could not be made, 2 for a wrong
 * command line.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/nearest-word.h"

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

static const struct command *find_command(const char *word)
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
	fprintf(stderr, "ompreport: unknown command '%s'%s%s%s; see 'ompreport --help'\n", word,
	    nearest.name ? " (did you mean '" : "", nearest.name ? nearest.name : "",
	    nearest.name ? "'?)" : "");
	return 2;
}

/*
 * The exit status; 2 if a filter matched nothing, so that a script does not take a mistyped filter
 * for a good result.
 */
static int check_matches(const struct options *options, int status)
{
	if (options->region && !options->matches->region) {
		fprintf(stderr,
		    "ompreport: --region='%s': nothing in this report has such a name; expected a part "
		    "of one, or a pattern for all of it ('ompreport regions' lists them)\n",
		    options->region);
		return 2;
	}
	if ((options->thread || options->rank) && !options->matches->thread) {
		fputs("ompreport:", stderr);
		if (options->thread)
			fprintf(stderr, " --thread='%s'", options->thread);
		if (options->rank)
			fprintf(stderr, " --rank='%s'", options->rank);
		fputs(": there is no such thread; 'ompreport threads' lists them\n", stderr);
		return 2;
	}
	return status;
}

/* Prints the help of a command, or of all commands if `word` is NULL. */
static int help(const char *word)
{
	const struct command *command = word ? find_command(word) : NULL;

	if (word && !command)
		return unknown_command(word);
	if (command)
		options_print_help(stdout, command);
	else
		print_help(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	struct option_matches matches = {false, false};
	const struct command *command;
	struct options options;
	int status;

	if (argc < 2) {
		print_help(stderr);
		return 2;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(NULL);
	if (strcmp(argv[1], "help") == 0)
		return help(argv[2]);
	if (strcmp(argv[1], "--version") == 0) {
		puts("ompreport " OMPINST_VERSION);
		return 0;
	}
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	status = options_read(&options, command, argc - 2, argv + 2);
	if (status)
		return status - 1;
	options.matches = &matches;
	status = command->run(&options);
	return status == 0 || status == 3 ? check_matches(&options, status) : status;
}
