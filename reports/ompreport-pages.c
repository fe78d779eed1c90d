/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the manual page or the bash completion of ompreport; runs during the build. Everything
 * comes from the tables of commands and options, so that a new row appears everywhere.
 */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "common/option-pages.h"

static void print_command(const struct command *command)
{
	/* The descriptions of the commands omit --help. */
	struct option_table table = options_table(command);

	table.use &= ~(unsigned)OPTION_HELP;
	printf(".SS ompreport %s [\\fIoptions\\fR] \\fI%s\\fR\n", command->name,
	    command->arguments ? command->arguments : "ARCHIVE");
	troff_print(command->purpose);
	fputs(".\n", stdout);
	troff_print_options(&table);
}

static void print_manual(void)
{
	fputs(".\\\" SPDX-License-Identifier: BSD-3-Clause\n"
	      ".TH OMPREPORT 1 \"\" \"ompinst " OMPINST_VERSION "\" \"User Commands\"\n"
	      ".SH NAME\nompreport \\- reports about traces of OpenMP programs\n"
	      ".SH SYNOPSIS\n.B ompreport\n\\fICOMMAND\\fR [\\fIoptions\\fR] \\fIARCHIVE\\fR...\n"
	      ".SH DESCRIPTION\n"
	      "Reads OTF2 archives of OpenMP programs, those of libpomp and of other tools.\n"
	      "ARCHIVE is an experiment folder or its .otf2 file.\n"
	      "Times such as 20ms count from the first event.\n"
	      ".SH COMMANDS\n",
	    stdout);
	for (size_t i = 0; i < command_count; i++)
		print_command(&commands[i]);
	fputs(".SH EXIT STATUS\n"
	      "0; 1 when a report could not be made; 2 for a wrong command line, also one whose\n"
	      "\\-\\-region, \\-\\-thread or \\-\\-rank fits nothing; 3 when\n"
	      "\\fBcheck\\fR found an error or \\fBdiff \\-\\-threshold\\fR a growth; 4 when\n"
	      "\\fBdiff \\-\\-paired\\fR found none, and for something could not decide it.\n"
	      ".SH SEE ALSO\n.BR ompinst (1),\n.BR otf2-print (1)\n",
	    stdout);
}

static void print_completion(void)
{
	fputs("# SPDX-License-Identifier: BSD-3-Clause\n# bash completion for ompreport\n", stdout);
	completion_print_function("ompreport");
	fputs("_ompreport()\n{\n\tlocal word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n"
	      "\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\tCOMPREPLY=($(compgen -W \"",
	    stdout);
	for (size_t i = 0; i < command_count; i++)
		printf("%s ", commands[i].name);
	fputs("--help --version\" -- \"$word\"))\n\t\treturn\n\tfi\n"
	      "\t[[ $word == -* || $word == = || ${COMP_WORDS[COMP_CWORD - 1]} == = ]] || return\n"
	      "\tcase $command in\n",
	    stdout);
	for (size_t i = 0; i < command_count; i++) {
		struct option_table table = options_table(&commands[i]);

		printf("\t%s) _ompreport_words ", commands[i].name);
		completion_print_words(&table);
		fputs(";;\n", stdout);
	}
	fputs("\tesac\n}\ncomplete -o default -F _ompreport ompreport\n", stdout);
}

int main(int count, char **arguments)
{
	if (count == 2 && strcmp(arguments[1], "completion") == 0)
		print_completion();
	else
		print_manual();
	return 0;
}
