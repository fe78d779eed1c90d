/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst sharing run ...` finds cache lines that threads share; `ompinst sharing COMPILER ...`
 * compiles programs in which it can find them.
 */
#include "sharing-command.h"

#include "compiler.h"
#include "construct-report.h"
#include "sharing-compile.h"
#include "sharing-options.h"
#include "sharing-run.h"

#include <string.h>

enum { USAGE = 2 };

int sharing_main(const char *const *words)
{
	if (words[0] != NULL && strcmp(words[0], "run") == 0)
		return sharing_run_main(words + 1);
	if (words[0] != NULL && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)) {
		sharing_options_print_help(stdout);
		return 0;
	}
	if (words[0] == NULL) {
		report_error(NULL, "expected a compiler's command, or 'run' and a program, behind "
				   "'sharing'; see 'ompinst sharing --help'");
		return USAGE;
	}
	if (words[0][0] == '-') {
		report_error(NULL,
		    "unknown option '%s' for 'ompinst sharing' (options of 'ompinst sharing run' "
		    "come behind 'run', those of a compiler behind the compiler); see 'ompinst "
		    "sharing --help'",
		    words[0]);
		return USAGE;
	}
	if (!compiler_name_is_known(words[0]) && !compiler_exists(words[0])) {
		report_error(NULL,
		    "expected a compiler or 'run' behind 'sharing', found '%s', which is no "
		    "program; see 'ompinst sharing --help'",
		    words[0]);
		return USAGE;
	}
	return sharing_compile_main(words);
}
