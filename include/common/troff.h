/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs that print the manual pages share, during the build. */
#ifndef TROFF_H
#define TROFF_H

#include <stdio.h>

/*
 * Prints text for troff: a backslash, or a dot or quote at a line's start, would be a command, and
 * '-' should stay a minus sign. `text` is one line, or the start of one.
 */
static inline void troff_print(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text != '\0'; text++) {
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else
			putchar(*text);
	}
}

#endif
