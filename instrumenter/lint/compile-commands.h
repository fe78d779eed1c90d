/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * compile_commands.json, which CMake, Meson and others write: how each file of a build is compiled.
 */
#ifndef COMPILE_COMMANDS_H
#define COMPILE_COMMANDS_H

#include "word-list.h"

#include <stdbool.h>
#include <stddef.h>

struct compile_command {
	char *directory, *file;
	struct words words; /* including the compiler */
};

struct compile_commands {
	struct compile_command *all;
	size_t count, capacity;
};

/*
 * Reads FOLDER/compile_commands.json. Returns 0, or -1 with a message in *error (heap, or NULL when
 * memory ran out); *commands is then empty.
 */
int compile_commands_read(const char *folder, struct compile_commands *commands, char **error);

/*
 * Is it the command of that file? Matches the name, or the end of the path: "src/x.c" of
 * "/home/src/x.c".
 */
bool compile_command_is_for(const struct compile_command *command, const char *file);

void compile_commands_finish(struct compile_commands *commands);

#endif
