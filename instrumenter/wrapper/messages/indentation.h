/* SPDX-License-Identifier: BSD-3-Clause */
/* Places where a compiler may find indentation or a macro misleading. */
#ifndef INDENTATION_H
#define INDENTATION_H

#include <stdbool.h>
#include <stddef.h>

/* The form of text that is searched. */
enum indentation_form {
	INDENTATION_COLUMNS,   /* user's text: deeper than its guard, or on the body's line */
	INDENTATION_SAME_LINE, /* preprocessed text: on the body's line, as after a macro */
};

/*
 * Does a statement follow an unbraced `if`, `else`, `for` or `while` body in such a way that a
 * reader might think that it belongs to the body? In doubt the answer is true, and a compiler then
 * decides; it is never true where the compiler would not check either.
 */
bool indentation_may_mislead(const char *text, size_t length, enum indentation_form form);

#endif
