/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the MPI of a link step: by its own words if they name a library (-lmpich, libmpi.so), else
 * by the words that mpicc and similar compilers add. All of them print these for -show.
 */
#include "mpi-link.h"

#include <stdlib.h>
#include <string.h>

/* The first sign that a text contains decides. Both MPIs have used the library name -lmpi. */
static const struct {
	const char *sign, *mpi;
} signs[] = {
    {"mpich", "mpich"},
    {"openmpi", "openmpi"},
    {"open-mpi", "openmpi"},
    {"-lopen-", "openmpi"},
    {"-lmpi", "openmpi"},
    {"libmpi.so", "openmpi"},
};

static const char *mpi_in(const char *text)
{
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (strstr(text, signs[i].sign) != NULL)
			return signs[i].mpi;
	return NULL;
}

bool mpi_is_compiler(const struct compiler *compiler)
{
	size_t count = compiler->words.count;

	/* The last word: a launcher may precede it. */
	return count > 0 && strncmp(path_base(compiler->words.items[count - 1]), "mpi", 3) == 0;
}

static const char *ask(struct wrapper *wrapper)
{
	char *words = wrapper_ask(wrapper, (const char *const[]){"-show", NULL});
	const char *mpi = words != NULL ? mpi_in(words) : NULL;

	free(words);
	return mpi;
}

/* Does this word of the command name an MPI library? A folder's name alone proves nothing. */
static bool names_library(const struct command_part *part)
{
	if (part->role == ARGUMENT_LIBRARY)
		return strcmp(part->value, "mpi") == 0 || strcmp(part->value, "mpich") == 0;
	return part->role == ARGUMENT_INPUT && (strstr(part->value, "libmpi.so") != NULL ||
						   strstr(part->value, "libmpich.so") != NULL);
}

const char *mpi_of_link(struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	const char *mpi = NULL;
	bool named = false;

	if (mpi_is_compiler(&wrapper->compiler))
		return ask(wrapper);
	for (size_t i = 0; i < command->part_count; i++)
		named |= names_library(&command->parts[i]);
	/* The library's name, or a folder in which the linker searches. */
	for (size_t i = 0; named && mpi == NULL && i < command->words.count; i++)
		if (strstr(command->words.items[i], "mpi") != NULL)
			mpi = mpi_in(command->words.items[i]);
	return mpi;
}
