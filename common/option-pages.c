/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the manual page and of the completion that come from an option table. */
#include "common/option-pages.h"

#include <string.h>

void troff_print_options(const struct option_table *table)
{
	const struct option_row *row;

	for (size_t i = 0; (row = option_at(table, i)) != NULL; i++) {
		fputs(".TP\n", stdout);
		if (row->letter != 0)
			printf("\\fB\\-%c\\fR, ", row->letter);
		fputs("\\fB", stdout);
		troff_print(row->name);
		fputs("\\fR", stdout);
		if (row->value != NULL) {
			printf("%s\\fI", row->can_lack_a_value ? "[=" : "=");
			troff_print(row->value);
			printf("\\fR%s", row->can_lack_a_value ? "]" : "");
		}
		putchar('\n');
		troff_print(row->help);
		fputs(".\n", stdout);
	}
}

void completion_print_words(const struct option_table *table)
{
	const struct option_row *row;

	for (size_t i = 0; (row = option_at(table, i)) != NULL; i++) {
		if (row->value == NULL || row->can_lack_a_value)
			printf("%s ", row->name);
		if (row->value != NULL && row->choices == NULL)
			printf("%s= ", row->name);
		for (const char *choice = row->choices; choice != NULL && *choice != '\0';) {
			size_t length = strcspn(choice, "|");
			printf("%s=%.*s ", row->name, (int)length, choice);
			choice += length + (choice[length] == '|');
		}
	}
}

void completion_print_function(const char *name)
{
	printf("_%s_words()\n{\n"
	       "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} name=\n"
	       "\tif [[ $word == = ]]; then\n"
	       "\t\tname=$before= word=\n"
	       "\telif [[ $before == = && COMP_CWORD -ge 2 ]]; then\n"
	       "\t\tname=${COMP_WORDS[COMP_CWORD - 2]}=\n"
	       "\tfi\n"
	       "\tCOMPREPLY=($(compgen -W \"$*\" -- \"$name$word\"))\n"
	       "\tCOMPREPLY=(\"${COMPREPLY[@]#\"$name\"}\")\n"
	       "\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
	       "}\n",
	    name);
}
