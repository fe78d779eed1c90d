/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known about the compilers' warnings: which part of the compiler finds them. */
#ifndef WARNINGS_H
#define WARNINGS_H

#include "compiler.h"

#include <stddef.h>

enum warning_origin {
	WARNING_BY_PARSER, /* -fsyntax-only gives it as well */
	WARNING_BY_CALLS,  /* later, but from which functions and variables there are, not from the
			      flow of the code */
	WARNING_BY_OPTIMISER, /* from the flow of the code, which the instrumented calls are part
				 of; all others, too */
};

/* name is what stands in the brackets after -W, as in "unused-variable" or "format=". */
enum warning_origin warning_origin(enum compiler_kind kind, const char *name, size_t length);

#endif
