/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenMP 6.0 allows `target_data` for `target data`. A gcc that does not know this spelling ignores
 * the directive. The construct then does not exist in the program, and calls around it would report
 * something that does not happen. So the engine must ignore it, too. Each such name is tried with a
 * clause that no version has: a compiler that knows the directive reports an error, one that
 * ignores it does not. clang also reports an error for an unknown directive, which the user then
 * sees.
 */
#include "ignored-directives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t name_length(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";

	return strspn(name, letters);
}

static bool is_among(const struct words *names, const char *name, size_t length)
{
	for (size_t i = 0; i < names->count; i++)
		if (strlen(names->items[i]) == length && memcmp(names->items[i], name, length) == 0)
			return true;
	return false;
}

/* Adds the names with an underscore that follow the opening of a directive, each once. */
static void add_names(const struct text_file *text, const char *opening, struct words *names)
{
	const char *at = text->bytes, *end = text->bytes + text->length;

	while ((at = memmem(at, (size_t)(end - at), opening, strlen(opening))) != NULL) {
		at += strlen(opening);
		at += strspn(at, " \t");
		size_t length = name_length(at);
		if (memchr(at, '_', length) != NULL && !is_among(names, at, length))
			words_add_bytes(names, at, length);
	}
}

/*
 * Does the compiler accept, and therefore ignore, a directive with this name and an unknown clause?
 */
static bool is_ignored(struct job *job, const char *path, const char *name)
{
	struct words words = {0};
	char *question = NULL, *answer = NULL;
	int length = asprintf(&question,
	    "void question(int);\nvoid question(int a)\n{\n#pragma omp %s unknown_clause(a)\n"
	    "\tquestion(a);\n}\n",
	    name);

	if (length > 0 && text_file_write(path, question, (size_t)length) == 0) {
		command_add(&job->wrapper->command, EVERY_STEP, &words);
		words_add_all(&words, (const char *const[]){"-fopenmp", "-fsyntax-only", "-w", "-x",
					  job->cplusplus ? "c++" : "c", path, NULL});
		if (words_vector(&words) != NULL)
			answer = wrapper_ask(job->wrapper, (const char *const *)words.items);
		text_file_remove(path);
	}
	bool ignored = answer != NULL;
	free(answer);
	if (length > 0)
		free(question);
	words_finish(&words);
	return ignored;
}

void ignored_directives_find(struct job *job, struct words *ignored)
{
	struct words names = {0};
	char *path;

	add_names(&job->text, "#pragma omp", &names);
	add_names(&job->text, "directive(", &names);
	path = names.count > 0 ? scratch_path(&job->wrapper->scratch, job->number, "question.c")
			       : NULL;
	for (size_t i = 0; path != NULL && i < names.count; i++)
		if (is_ignored(job, path, names.items[i]))
			words_add(ignored, names.items[i]);
	free(path);
	words_finish(&names);
}
