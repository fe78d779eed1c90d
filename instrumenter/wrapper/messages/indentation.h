/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a compiler may find indentation or a macro misleading; see messages.h for who asks. */
#ifndef INDENTATION_H
#define INDENTATION_H

#include <stdbool.h>
#include <stddef.h>

/* What a place to be found looks like. */
enum indentation_form {
	INDENTATION_COLUMNS,   /* user's text: deeper than its guard, or on the line of the body */
	INDENTATION_SAME_LINE, /* preprocessed text: on the line of the body, as a macro leaves it
				*/
};

/*
 * Does a statement follow an unbraced `if`, `else`, `for` or `while` body in such a way that a
 * reader might take it for part of the body? Says true too often rather than too rarely: a compiler
 * that looks at the same text decides. Never true where it does not have to look.
 */
bool indentation_may_mislead(const char *text, size_t length, enum indentation_form form);

#endif
