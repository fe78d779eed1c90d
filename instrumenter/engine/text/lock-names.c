/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the lock routines' names in a text. libclang decides later whether such a name is a
 * reference to OpenMP's routine, and not a member, a label or the declaration itself.
 */
#include "lock-names.h"

#include "lexer.h"

#include <string.h>

const char *const lock_routine_names[LOCK_ROUTINE_COUNT] = {
    "omp_init_lock",
    "omp_init_lock_with_hint",
    "omp_destroy_lock",
    "omp_set_lock",
    "omp_unset_lock",
    "omp_test_lock",
    "omp_init_nest_lock",
    "omp_init_nest_lock_with_hint",
    "omp_destroy_nest_lock",
    "omp_set_nest_lock",
    "omp_unset_nest_lock",
    "omp_test_nest_lock",
};

struct lock_name *find_lock_names(
    struct inst_arena *arena, const char *text, size_t length, size_t *count)
{
	struct lock_name *names = NULL;
	size_t room = 0;
	struct lexer lexer;
	struct token token;

	*count = 0;
	if (memmem(text, length, "_lock", strlen("_lock")) == NULL)
		return NULL; /* most texts: no second pass over the tokens */
	lexer_init(&lexer, text, length, 0);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		if (token.kind != TOKEN_IDENTIFIER || token.end - token.begin < 12 ||
		    memcmp(text + token.begin, "omp_", 4) != 0)
			continue;
		for (unsigned i = 0; i < LOCK_ROUTINE_COUNT; i++)
			if (token_is(&lexer, &token, lock_routine_names[i]))
				*ARENA_ADD(arena, names, *count, room) =
				    (struct lock_name){token.begin, lock_routine_names[i], false};
	}
	return names;
}
