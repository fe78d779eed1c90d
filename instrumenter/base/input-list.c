/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads lists of arguments. A line is what stands before a line end, or before the file's end. */
#include "input-list.h"

#include "error-text.h"
#include "quoted-words.h"
#include "shared/array.h"
#include "text-file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool add_line(
    const char *path, const char *text, size_t length, struct input_list *list, char **error)
{
	struct words words = {0};
	const char quote = words_add_quoted(&words, text, length);

	if (quote != 0) {
		words_finish(&words);
		return error_set(error,
		    "%s:%zu: a quotation that begins with %c has no end in '%.*s': expected another "
		    "%c in the same line, or \\%c for the character itself",
		    path, list->count + 1, quote, (int)length, text, quote, quote);
	}
	if (!words.failed && ARRAY_PUSH(list->lines, list->count, list->room, words))
		return true;
	words_finish(&words);
	return error_set(error, "out of memory");
}

bool input_list_read(const char *path, struct input_list *list, char **error)
{
	struct text_file file;
	bool correct = true;

	*list = (struct input_list){0};
	if (path == NULL)
		return add_line("", "", 0, list, error);
	if (text_file_read(path, &file) != 0)
		return error_set(error, "cannot read the inputs '%s': %s", path,
		    errno == EINVAL ? "it is not a regular file" : strerror(errno));
	const char *end = file.bytes + file.length;
	for (const char *line = file.bytes; correct && line < end;) {
		const char *next = memchr(line, '\n', (size_t)(end - line));
		if (next == NULL)
			next = end;
		correct = add_line(path, line, (size_t)(next - line), list, error);
		line = next + 1;
	}
	text_file_finish(&file);
	if (correct && list->count == 0)
		correct = error_set(
		    error, "'%s' has no line, expected a list of arguments in each", path);
	if (!correct)
		input_list_finish(list);
	return correct;
}

char *input_list_text(const struct input_list *list, size_t line)
{
	const struct words *words = &list->lines[line];

	return words->count == 0 ? strdup("") : words_command_line(words->items);
}

void input_list_finish(struct input_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		words_finish(&list->lines[i]);
	free(list->lines);
	*list = (struct input_list){0};
}
