/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks the user's compiler about itself. One question is the C++ standard, because compilers differ
 * in their default: headers that gcc 16 preprocessed as C++20 cannot be parsed as C++17. C is read
 * as C17. The additions of C23 do not keep libclang from finding statements, but with C23 it finds
 * none in old-style function definitions, which gcc still accepts.
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
	/* Sorted by date, the newest first. An older libclang also knows these names. */
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
