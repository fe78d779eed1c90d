/* SPDX-License-Identifier: BSD-3-Clause */
/* Without elfutils' libdw, only the address of code is known. */
#include "code.h"

struct race_code {
	char nothing;
};

struct race_code *race_code_new(struct inst_arena *arena)
{
	return arena_allocate(arena, sizeof(struct race_code));
}

void race_code_free(struct race_code *code)
{
	(void)code;
}

size_t race_code_lines(struct race_code *code, const char *module, uint64_t offset,
    struct race_line *lines, size_t most)
{
	(void)code, (void)module, (void)offset, (void)lines, (void)most;
	return 0;
}

const char *race_code_symbol(struct race_code *code, const char *module, uint64_t offset)
{
	(void)code, (void)module, (void)offset;
	return NULL;
}

bool race_code_variable(
    struct race_code *code, const char *module, uint64_t offset, struct race_variable *variable)
{
	(void)code, (void)module, (void)offset;
	*variable = (struct race_variable){0};
	return false;
}

const char *const *race_code_files(struct race_code *code, const char *module)
{
	(void)code, (void)module;
	return NULL;
}

bool race_code_has_lines(struct race_code *code, const char *module)
{
	(void)code, (void)module;
	return false;
}
