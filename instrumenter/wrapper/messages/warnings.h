/* SPDX-License-Identifier: BSD-3-Clause */
/* Which part of the compiler detects each warning. */
#ifndef WARNINGS_H
#define WARNINGS_H

#include "compiler.h"

#include <stddef.h>

enum warning_origin {
	WARNING_BY_PARSER, /* -fsyntax-only reports it, too */
	WARNING_BY_CALLS,  /* later, but it depends only on which functions and variables exist */
	WARNING_BY_OPTIMISER, /* depends on the flow of the code, which calls change; and all others
			       */
};

/*
 * name is the text after -W in the brackets of a message, such as "unused-variable" or "format=".
 */
enum warning_origin warning_origin(enum compiler_kind kind, const char *name, size_t length);

#endif
