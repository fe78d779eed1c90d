/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libclang searches for clang's own headers next to itself. A libclang that was installed alone has
 * none there, and then does not know types such as size_t. These folders are offered to the engine,
 * which finds out whether they are needed.
 */
#include "clang-headers.h"
#include "compiler.h"
#include "text-file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_headers(const char *folder)
{
	char *header = NULL;
	bool found =
	    asprintf(&header, "%s/include/stddef.h", folder) > 0 && access(header, R_OK) == 0;

	free(header);
	return found;
}

/* What `clang -print-resource-dir` prints (heap), or NULL. */
static char *ask_clang(struct process_watch *watch, const char *answer)
{
	struct compiler clang = {0};
	struct text_file text = {0};
	char *error = NULL, *folder = NULL;
	int code = 0;

	if (compiler_find(
		(const char *const[]){"clang", NULL}, SEARCH_ALL, &clang, &error, &code) != 0) {
		struct words words = {0};
		int output = open(answer, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

		words_add_list(&words, &clang.words);
		words_add(&words, "-print-resource-dir");
		if (output >= 0 &&
		    process_run(watch, clang.program, words_vector(&words),
			(struct process_streams){-1, output, output}) == 0 &&
		    text_file_read_descriptor(output, &text) == 0)
			folder = strndup(text.bytes, strcspn(text.bytes, "\n"));
		if (output >= 0)
			close(output);
		words_finish(&words);
	}
	text_file_finish(&text);
	compiler_finish(&clang);
	free(error);
	return folder;
}

char *clang_headers_find(struct process_watch *watch, const char *answer)
{
	char *folder;

	if (has_headers(OMPINST_CLANG_HEADERS))
		return strdup(OMPINST_CLANG_HEADERS);
	folder = ask_clang(watch, answer);
	if (folder != NULL && has_headers(folder))
		return folder;
	free(folder);
	return NULL;
}
