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
    "The bundled `libgomp.so.1` reads these variables once, when it is loaded. Blanks around values and\n"
    "upper or lower case do not matter. If a value cannot be used, one line says what was expected and\n"
    "what holds instead, and the program continues. `OMP_DISPLAY_ENV=true` prints the settings in force,\n"
    "`OMP_DISPLAY_ENV=verbose` also the extensions (`GOMP_`). A form with `_ALL` holds for the host and all\n"
    "devices (OpenMP 5.2, 21). A form with `_DEV` is for devices alone; as there are none, it is only\n"
    "displayed, after `[all]`, `[device]` or the number.\n"
    "\n"
    "Variables that begin with `KMP_` are LLVM's and Intel's. They have an effect in programs that have code\n"
    "of these compilers when they begin, and OpenMP's variable for the same setting wins. Other `KMP_`\n"
    "variables have no effect; with `OMP_DISPLAY_ENV` or `KMP_SETTINGS` the runtime says so.\n"
    "\n"
    "This page is made from the table by which the runtime reads them; do not edit it.\n";

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
