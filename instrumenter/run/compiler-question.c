/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Questions to the user's compiler about itself. The standard of C++ is one of them because
 * compilers differ in the one that they take by default: headers that gcc 16 has preprocessed as
 * C++20 cannot be parsed as C++17. C is read as C17: what C23 added does not keep libclang from
 * finding statements, but as C23 it finds none in functions that are defined the old way, which gcc
 * still takes.
 */
#include "compiler-question.h"

#include "text-file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *compiler_ask(
    struct process_watch *watch, const struct compiler *compiler, const char *const *words)
{
	struct process_streams streams = {
	    -1, text_file_memory(), open("/dev/null", O_WRONLY | O_CLOEXEC)};
	struct words all = {0};
	struct text_file answer = {0};

	words_add_list(&all, &compiler->words);
	words_add_all(&all, words);
	if (streams.output >= 0 && words_vector(&all) != NULL &&
	    process_run(watch, compiler->program, all.items, streams) == 0)
		text_file_read_descriptor(streams.output, &answer);
	if (streams.output >= 0)
		close(streams.output);
	close(streams.error);
	words_finish(&all);
	return answer.bytes;
}

char *compiler_macros(struct process_watch *watch, const struct compiler *compiler,
    const char *const *flags, bool cplusplus)
{
	struct words question = {0};
	char *macros = NULL;

	words_add_all(&question, flags);
	words_add_all(&question,
	    (const char *const[]){"-E", "-dM", "-x", cplusplus ? "c++" : "c", "/dev/null", NULL});
	if (words_vector(&question) != NULL)
		macros = compiler_ask(watch, compiler, (const char *const *)question.items);
	words_finish(&question);
	return macros;
}

const char *compiler_standard(struct process_watch *watch, const struct compiler *compiler,
    const char *const *flags, bool cplusplus)
{
	static const char definition[] = "#define __cplusplus ";
	/* By the newest date; the names are those that an older libclang knows, too. */
	static const struct {
		long date;
		const char *flag;
	} standards[] = {{202003, "-std=gnu++2b"}, {202002, "-std=gnu++20"},
	    {201703, "-std=gnu++17"}, {201402, "-std=gnu++14"}, {201103, "-std=gnu++11"},
	    {0, "-std=gnu++17"}};
	char *macros;
	size_t row = 0;

	if (!cplusplus)
		return "-std=gnu17";
	if (flags == NULL)
		return standards[sizeof(standards) / sizeof(standards[0]) - 1].flag;
	macros = compiler_macros(watch, compiler, flags, true);
	const char *found = macros != NULL ? strstr(macros, definition) : NULL;
	long date = found != NULL ? strtol(found + strlen(definition), NULL, 10) : 0;
	while (date < standards[row].date)
		row++;
	free(macros);
	return standards[row].flag;
}
