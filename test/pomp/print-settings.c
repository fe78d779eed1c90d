/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints what is made from the table of POMP_ variables, for the tests that compare it:
 *
 *   print-settings page          doc/settings.md
 *   print-settings manual FILE   include/pomp.3, which FILE is, with the section of the variables
 *   print-settings names         the variables, one a line
 */
#include "settings.h"

#include "common/troff.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "# Environment variables of the measurement library\n"
    "\n"
    "`libpomp.so` reads these variables once, when it starts. `pomp.cfg` in the experiment folder has all of\n"
    "them with the values in effect. For a name that does not exist, libpomp reports the nearest one that does.\n"
    "For a value that cannot be used, and for an empty one, it reports what was expected. Blanks around a value\n"
    "do not count.\n"
    "\n"
    "This page is made from the table by which the library reads them; do not edit it.\n";

static void print_page(void)
{
	struct pomp_setting_text text;

	fputs(head, stdout);
	for (size_t i = 0; pomp_setting_describe(i, &text); i++) {
		printf("\n## %s\n\n%c%s.", text.name, toupper((unsigned char)text.meaning[0]),
		    text.meaning + 1);
		if (text.more != NULL)
			printf(" %s", text.more);
		printf("\n\n- value: %s\n- when not set: ",
		    text.expected != NULL ? text.expected : "any text");
		if (text.standard[0] != '\0')
			printf("`%s`\n", text.standard);
		else
			puts("none");
	}
}

static void print_items(void)
{
	struct pomp_setting_text text;

	for (size_t i = 0; pomp_setting_describe(i, &text); i++) {
		printf(".TP\n.B %s", text.name);
		if (text.expected != NULL) {
			fputs("\\fR=\\fI", stdout);
			troff_print(text.expected);
			fputs("\\fR", stdout);
		}
		putchar('\n');
		troff_print(text.meaning);
		if (text.standard[0] != '\0' && text.expected != NULL) {
			fputs(" (default: ", stdout);
			troff_print(text.standard);
			putchar(')');
		}
		putchar('\n');
	}
}

/* All of the file, with the variables from the section's first item to the next section. */
static void print_manual(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[1024];
	bool in_section = false, skips = false;

	if (file == NULL) {
		perror(path);
		exit(1);
	}
	while (fgets(line, sizeof(line), file) != NULL) {
		if (in_section && strncmp(line, ".SH ", 4) == 0) {
			print_items();
			in_section = skips = false;
		}
		in_section |= strcmp(line, ".SH ENVIRONMENT\n") == 0;
		skips |= in_section && strcmp(line, ".TP\n") == 0;
		if (!skips)
			fputs(line, stdout);
	}
	fclose(file);
}

int main(int argc, char **argv)
{
	struct pomp_setting_text text;

	if (argc == 2 && strcmp(argv[1], "page") == 0)
		print_page();
	else if (argc == 3 && strcmp(argv[1], "manual") == 0)
		print_manual(argv[2]);
	else if (argc == 2 && strcmp(argv[1], "names") == 0)
		for (size_t i = 0; pomp_setting_describe(i, &text); i++)
			puts(text.name);
	else
		return 2;
	return ferror(stdout) != 0;
}
