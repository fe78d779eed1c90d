/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The file of settings that `ompinst tune` writes, `ompinst run --tuned=FILE` applies, and libpomp
 * compares with its environment (POMP_TUNED). Each line is NAME=VALUE, a variable of the
 * environment; empty, or a comment that begins with '#'.
 */
#ifndef SHARED_TUNED_FILE_H
#define SHARED_TUNED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Its value is a list with ':' between the items, so that a file adds to what the user has. */
#define TUNED_LIST "GLIBC_TUNABLES"

#define TUNED_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

/* The length of the variable's name in "NAME=VALUE"; 0 if the text is not of this form. */
static inline size_t tuned_name(const char *text)
{
	size_t length = strspn(text, TUNED_LETTERS "0123456789");

	return strspn(text, TUNED_LETTERS) > 0 && text[length] == '=' ? length : 0;
}

enum tuned_line { TUNED_EMPTY, TUNED_VARIABLE, TUNED_WRONG };

/* What the line is, which loses its newline and blanks at its ends; *text is where it then begins.
 */
static inline enum tuned_line tuned_line_read(char *line, char **text)
{
	static const char blanks[] = " \t\r\n";
	size_t length = strlen(line);

	while (length > 0 && strchr(blanks, line[length - 1]) != NULL)
		length--;
	line[length] = '\0';
	*text = line + strspn(line, blanks);
	if (**text == '\0' || **text == '#')
		return TUNED_EMPTY;
	return tuned_name(*text) > 0 ? TUNED_VARIABLE : TUNED_WRONG;
}

/* Is the item one of the list, whose items have ':' between them? */
static inline bool tuned_list_has(const char *list, const char *item, size_t length)
{
	for (const char *at = list;; at++) {
		size_t width = strcspn(at, ":");
		if (width == length && strncmp(at, item, length) == 0)
			return true;
		at += width;
		if (*at == '\0')
			return false;
	}
}

/* Does the value of the variable (NULL: it is not set) have what the file says of it? */
static inline bool tuned_holds(const char *variable, const char *value)
{
	size_t name = tuned_name(variable);
	const char *wanted = variable + name + 1;

	if (value == NULL)
		return false;
	if (name != strlen(TUNED_LIST) || strncmp(variable, TUNED_LIST, name) != 0)
		return strcmp(value, wanted) == 0;
	for (;; wanted++) {
		size_t width = strcspn(wanted, ":");
		if (!tuned_list_has(value, wanted, width))
			return false;
		wanted += width;
		if (*wanted == '\0')
			return true;
	}
}

#endif
