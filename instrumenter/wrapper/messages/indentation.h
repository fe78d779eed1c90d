/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a compiler may find indentation or a macro misleading. */
#ifndef INDENTATION_H
#define INDENTATION_H

#include <stdbool.h>
#include <stddef.h>

/* What is searched for. */
enum indentation_form {
	INDENTATION_COLUMNS,   /* user's text: deeper than its guard, or on the line of the body */
	INDENTATION_SAME_LINE, /* preprocessed text: on the line of the body, as a macro leaves it
				*/
};

/*
 * Does a statement follow an unbraced `if`, `else`, `for` or `while` body in such a way that a
 * reader might take it for part of the body? True rather too often than too rarely: a compiler then
 * decides. Never true where the compiler would not check either.
 */
bool indentation_may_mislead(const char *text, size_t length, enum indentation_form form);

#endif
