/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the programs that print the manual pages during the build. */
#ifndef TROFF_H
#define TROFF_H

#include <stdio.h>

/*
 * Prints text for troff, where a backslash, or a dot or quote at the start of a line, would be a
 * command, and '-' must be escaped to stay a minus sign. `text` is one line, or the start of one.
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
