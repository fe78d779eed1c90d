/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the compiler what it is, and becomes it: for wrappers that change only its command. */
#include "become-compiler.h"

#include "child-process.h"
#include "compiler-question.h"
#include "construct-report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NOT_RUN = 126 };

void compiler_ask_kind(struct compiler *compiler)
{
	struct process_watch watch;
	char *macros;

	if (compiler->kind != COMPILER_UNKNOWN)
		return;
	process_watch_open(&watch);
	macros = compiler_ask(
	    &watch, compiler, (const char *const[]){"-E", "-dM", "-x", "c", "/dev/null", NULL});
	process_watch_close(&watch);
	if (macros != NULL)
		compiler->kind = compiler_kind_from_macros(macros);
	free(macros);
}

int compiler_become(const struct compiler *compiler, const struct words *front,
    const struct words *arguments, const struct words *behind)
{
	struct words words = {0};

	words_add_list(&words, &compiler->words);
	words_add_list(&words, front);
	words_add_list(&words, arguments);
	words_add_list(&words, behind);
	process_log_command("becomes", compiler->program, words_vector(&words));
	fflush(NULL);
	if (words_vector(&words) != NULL)
		execv(compiler->program, words.items);
	report_not_run(compiler->program, errno);
	words_finish(&words);
	return NOT_RUN;
}
