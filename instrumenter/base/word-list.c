/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A growing list of strings. A failure is remembered: a command line that lost a word must never
 * run, and one check before running is easier to get right than one after each of a hundred
 * additions.
 */
#include "word-list.h"
#include "shared/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes ownership of word; NULL means that its creation failed. */
static void take_word(struct words *words, char *word)
{
	if (word == NULL) {
		words->failed = true;
		return;
	}
	/* Room for the word and the final NULL. */
	if (!ARRAY_ROOM(words->items, words->count, words->capacity, 2)) {
		free(word);
		words->failed = true;
		return;
	}
	words->items[words->count++] = word;
	words->items[words->count] = NULL;
}

void words_add(struct words *words, const char *word)
{
	take_word(words, strdup(word));
}

void words_add_bytes(struct words *words, const char *bytes, size_t length)
{
	take_word(words, strndup(bytes, length));
}

void words_add_format(struct words *words, const char *format, ...)
{
	va_list arguments;
	char *word = NULL;

	va_start(arguments, format);
	int length = vasprintf(&word, format, arguments);
	va_end(arguments);
	take_word(words, length < 0 ? NULL : word);
}

void words_add_all(struct words *words, const char *const *vector)
{
	for (; *vector != NULL; vector++)
		words_add(words, *vector);
}

void words_add_text(struct words *words, const char *text)
{
	for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");

		words_add_bytes(words, text, length);
		text += length;
	}
}

void words_add_list(struct words *words, const struct words *more)
{
	words->failed |= more->failed;
	for (size_t i = 0; i < more->count; i++)
		words_add(words, more->items[i]);
}

char **words_vector(const struct words *words)
{
	return words->failed ? NULL : words->items;
}

/* Prints a word, in quotes if a shell would not read it as itself. */
static void print_word(FILE *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_=+,./:@%";

	if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
		fputs(word, out);
		return;
	}
	putc('\'', out);
	for (; *word != '\0'; word++)
		fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, out);
	putc('\'', out);
}

char *words_command_line(char *const *vector)
{
	char *line = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&line, &length);

	if (out == NULL)
		return NULL;
	for (size_t i = 0; vector[i] != NULL; i++) {
		if (i > 0)
			putc(' ', out);
		print_word(out, vector[i]);
	}
	if (fclose(out) != 0) {
		free(line);
		return NULL;
	}
	return line;
}

size_t words_size(const struct words *words)
{
	size_t weight = 0;

	for (size_t i = 0; i < words->count; i++)
		weight += strlen(words->items[i]) + 1 + sizeof(char *);
	return weight;
}

void words_finish(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->items[i]);
	free(words->items);
	*words = (struct words){0};
}
