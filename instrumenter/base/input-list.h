/* SPDX-License-Identifier: BSD-3-Clause */
/* The inputs with which a program is run: a file with arguments in each line. */
#ifndef INPUT_LIST_H
#define INPUT_LIST_H

#include "word-list.h"

struct input_list {
	struct words *lines; /* each one's arguments; a line without a word has none */
	size_t count, room;
};

/* Reads the file; NULL: one input without arguments. Returns false with *error (heap, NULL if
 * memory ran out) and an empty list. */
bool input_list_read(const char *path, struct input_list *list, char **error);

/* The line's arguments as a shell reads them (heap); NULL if memory ran out. */
char *input_list_text(const struct input_list *list, size_t line);

void input_list_finish(struct input_list *list);

#endif
