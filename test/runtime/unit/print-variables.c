/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the environment table as the manual's page doc/environment.md. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "environment.h"
#include "process.h"

static const char head[] =
    "# Environment variables of the runtime\n"
    "\n"
    "The bundled `libgomp.so.1` reads these once, when it is loaded. Blanks around values and\n"
    "upper or lower case do not matter. A value that cannot be used is reported in one line that\n"
    "says what was expected and what holds instead; the program runs on. `OMP_DISPLAY_ENV=true` prints the\n"
    "settings in force, `OMP_DISPLAY_ENV=verbose` also those that are extensions (`GOMP_`).\n"
    "Those with `_ALL` hold for the host and all devices (OpenMP 5.2, 21); forms with `_DEV` are for\n"
    "devices alone, of which there are none: they are displayed only, after `[all]`, `[device]` or the number.\n"
    "\n"
    "Those that begin with `KMP_` are LLVM's and Intel's. They hold in programs that have code of their\n"
    "compilers when they begin, and OpenMP's variable for the same thing wins. Others of that name have\n"
    "no effect; `OMP_DISPLAY_ENV` and `KMP_SETTINGS` let the runtime say so.\n"
    "\n"
    "This page is made from the table that the runtime reads them by; do not edit it.\n";

/* The value in force, which is the default: the test runs this program without an environment. */
static void print_default(const struct rt_variable *variable)
{
	char value[256];
	struct rt_text text;

	if (strcmp(variable->unset, "the default") != 0) {
		printf("%s\n", variable->unset);
		return;
	}
	rt_text_init(&text, value, sizeof(value));
	variable->kind->print(variable->kind, (char *)&rt_process + variable->offset, &text);
	printf("`%s`\n", value);
}

int main(void)
{
	fputs(head, stdout);
	for (const struct rt_variable *variable = rt_variables; variable->name; variable++) {
		printf("\n## %s\n\n%c%s.\n\n- value: %s\n- when not set: ", variable->name,
		    toupper((unsigned char)variable->help[0]), variable->help + 1,
		    variable->kind->expected);
		print_default(variable);
		if (variable->flags & RT_VARIABLE_ALL)
			fputs("- where it is not set: the same name with `_ALL`\n", stdout);
	}
	return ferror(stdout) != 0;
}
