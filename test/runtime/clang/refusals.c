/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What clang's code can ask for that ends the process, each by a word on the command line;
 * refusals.sh has the sentences.
 */
#include <stddef.h>

#include "kmp-calls.h"

void *__kmpc_task_reduction_get_th_data(int32_t gtid, void *group, void *address);
void __kmpc_set_nest_lock(struct ident *, int32_t gtid, void **lock);
void __kmpc_error(struct ident *, int32_t severity, const char *message);
void __kmpc_push_num_threads_strict(
    struct ident *, int32_t gtid, int32_t count, int32_t severity, const char *message);

enum { WARNING = 1, FATAL = 2 };

static int32_t self(void)
{
	return __kmpc_global_thread_num(&here);
}

/* A task of clang's code in a group that gcc's describes: this file is gcc's. */
static void reduction_of_gcc(void)
{
	long sum = 0;

#pragma omp taskgroup task_reduction(+ : sum)
	*(long *)__kmpc_task_reduction_get_th_data(self(), NULL, &sum) += 1;
}

static void lock_not_made(void)
{
	void *lock = NULL;

	__kmpc_set_nest_lock(&here, self(), &lock);
}

static void nothing(int32_t *gtid, int32_t *number, void *data)
{
	(void)gtid;
	(void)number;
	(void)data;
}

/* Within a region, where no more are active, there is one thread. */
static void strict_number(int severity)
{
	omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
#pragma omp master
	{
		__kmpc_push_num_threads_strict(&here, self(), 3, severity, "by the clause");
		fork_threads(0, nothing, NULL);
	}
}

static void too_many_arguments(void)
{
	__kmpc_fork_call(&here, 513, (microtask *)(uintptr_t)nothing, NULL);
}

/* Fatal, and before it a warning of a place that the compiler does not know. */
static void error_directive(void)
{
	struct ident there = {0, 2, 0, 0, ";folder/program.c;main;12;3;;"};
	struct ident unknown = {0, 2, 0, 0, ";unknown;unknown;0;0;;"};

	__kmpc_error(&unknown, WARNING, NULL);
	__kmpc_error(NULL, WARNING, "nowhere");
	__kmpc_error(&there, FATAL, "too cold");
}

int main(int count, char **words)
{
	const char *word = count > 1 ? words[1] : "";

	if (strcmp(word, "reduction") == 0)
		reduction_of_gcc();
	else if (strcmp(word, "lock") == 0)
		lock_not_made();
	else if (strcmp(word, "strict") == 0)
		strict_number(FATAL);
	else if (strcmp(word, "strict-warning") == 0)
		strict_number(WARNING);
	else if (strcmp(word, "arguments") == 0)
		too_many_arguments();
	else if (strcmp(word, "error") == 0)
		error_directive();
	return check_result();
}
