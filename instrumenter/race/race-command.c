/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst race run ...` finds races; `ompinst race COMPILER ...` compiles programs in which it can
 * find them.
 */
#include "race-command.h"

#include "compiler.h"
#include "construct-report.h"
#include "race-compile.h"
#include "race-options.h"
#include "race-run.h"

#include <string.h>

enum { USAGE = 2 };

int race_main(const char *const *words)
{
	if (words[0] != NULL && strcmp(words[0], "run") == 0)
		return race_run_main(words + 1);
	if (words[0] != NULL && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)) {
		race_options_print_help(stdout);
		return 0;
	}
	const char *compiler =
	    words[0] != NULL && race_compile_has_option(words[0]) ? words[1] : words[0];
	if (compiler == NULL) {
		report_error(NULL, "expected a compiler's command, or 'run' and a program, behind "
				   "'race'; see 'ompinst race --help'");
		return USAGE;
	}
	if (compiler[0] == '-') {
		report_error(NULL,
		    "unknown option '%s' for 'ompinst race' (options of 'ompinst race run' come "
		    "behind 'run', those of a compiler behind the compiler); see 'ompinst race "
		    "--help'",
		    compiler);
		return USAGE;
	}
	if (!compiler_name_is_known(compiler) && !compiler_exists(compiler)) {
		report_error(NULL,
		    "expected a compiler or 'run' behind 'race', found '%s', which is no program; "
		    "see 'ompinst race --help'",
		    compiler);
		return USAGE;
	}
	return race_compile_main(words);
}
