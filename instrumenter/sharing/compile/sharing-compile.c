/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds what has the compiler call a function for each access, as it does for ThreadSanitizer, but
 * without the sanitizer's library: GCC's driver does not learn of it from a file of specs, and
 * clang's by -Xclang. Optimization stays the user's: an access that it removes moves no cache line.
 * Calls of memcpy() and the like are the library's, by the linker.
 */
#include "sharing-compile.h"

#include "become-compiler.h"
#include "compiler-command.h"
#include "construct-report.h"
#include "installation.h"
#include "link.h"

#include "sharing-format.h"

#include <stdlib.h>
#include <string.h>

enum { USAGE = 2 };

#define SPECS "sharing.specs"

/* Flags that it cannot go with, and why. */
static const struct {
	const char *begin, *why;
} excluded[] = {
    {"-fsanitize=address", "the sanitizer replaces the functions that accesses call"},
    {"-fsanitize=leak", "the sanitizer replaces the functions that accesses call"},
    {"-fsanitize=hwaddress", "the sanitizer replaces the functions that accesses call"},
    {"-fsanitize=thread", "ThreadSanitizer's library takes the calls"},
    {"-fsanitize=memory", "the sanitizer replaces the functions that accesses call"},
    {"-static", "the library that notes accesses needs a program that is linked dynamically"},
    {"-static-pie", "the library that notes accesses needs a program that is linked dynamically"},
    {"-m32", "the library that notes accesses needs a 64-bit program"},
};

/* Says which word cannot be; false without one. -static-libgcc and the like can. */
static bool is_excluded(const struct command *command)
{
	for (size_t i = 0; i < command->words.count; i++) {
		const char *word = command->words.items[i];
		for (size_t j = 0; j < sizeof excluded / sizeof excluded[0]; j++) {
			size_t length = strlen(excluded[j].begin);
			if (strncmp(word, excluded[j].begin, length) != 0 ||
			    (word[length] != '\0' && word[length] != ','))
				continue;
			report_error(NULL,
			    "'%s' cannot be among the flags of 'ompinst sharing': %s; nothing is "
			    "compiled; leave it out",
			    word, excluded[j].why);
			return true;
		}
	}
	return false;
}

/* Link-time optimization would make the code without the calls. */
static void add_flags(const struct compiler *compiler, const char *folder, struct words *words)
{
	if (compiler->kind == COMPILER_CLANG) {
		words_add(words, "-Xclang");
		words_add(words, "-fsanitize=thread");
	} else {
		words_add_format(words, "-specs=%s/" SPECS, folder);
	}
	words_add(words, "-fno-lto");
	words_add(words, "-g");
}

/* The library must precede libc and libstdc++, for whose functions it has its own. */
static void add_libraries(const struct command *command, const char *folder, struct words *words)
{
	struct locations locations;

	locate_libraries(&locations, NULL);
	const char *runtime = link_is_openmp(command) ? locations.runtime_folder : NULL;
	words_add(words, "-Wl,--push-state,--no-as-needed,--whole-archive");
	words_add_format(words, "%s/" SHARING_CALLS, folder);
	words_add_format(words, "%s/" SHARING_LIBRARY, folder);
	words_add(words, "-Wl,--pop-state");
	words_add(words, "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=__memcpy_chk,"
			 "--wrap=__memmove_chk,--wrap=__memset_chk");
	if (runtime != NULL)
		link_add_runtime(words, runtime);
	link_add_run_paths(command, (const char *const[]){folder, runtime}, 2, words);
	locations_finish(&locations);
}

/* Fills what the command needs before and behind the user's words. Returns an exit code, or -1. */
static int add_words(struct compiler *compiler, const struct command *command, struct words *front,
    struct words *behind)
{
	const bool makes_code = (command->roles & ARGUMENT_UNTOUCHED) == 0 &&
				(command->roles & (ARGUMENT_INPUT | ARGUMENT_LIBRARY)) != 0;

	if (!makes_code || (command->roles & ARGUMENT_RELOCATABLE) != 0)
		return -1;
	if (is_excluded(command))
		return USAGE;
	char *folder = locate_sharing_folder();
	if (folder == NULL) {
		report_error(NULL,
		    "the library " SHARING_LIBRARY " was not found (OMPINST_LIBDIR can name the "
		    "folder of ompinst's libraries); nothing is compiled");
		return USAGE;
	}
	compiler_ask_kind(compiler);
	if (command->mode == COMMAND_LINK)
		add_libraries(command, folder, front);
	if (command->source_count > 0)
		add_flags(compiler, folder, behind);
	free(folder);
	return -1;
}

int sharing_compile_main(const char *const *vector)
{
	struct compiler compiler;
	struct command command;
	struct words arguments = {0}, front = {0}, behind = {0};
	char *error = NULL;
	int code = 127;
	size_t taken = compiler_find(vector, SEARCH_ALL, &compiler, &error, &code);

	if (taken == 0) {
		report_error(NULL, "%s", error ? error : "out of memory");
		free(error);
		return code;
	}
	words_add_all(&arguments, vector + taken);
	/* A compiler that is a script around ompinst has the flags already. */
	const bool nested = getenv("OMPINST_ACTIVE") != NULL;
	setenv("OMPINST_ACTIVE", "1", 1);
	code = -1;
	/* A command that cannot be read is the compiler's to complain of. */
	if (!nested && words_vector(&arguments) != NULL &&
	    command_read((const char *const *)arguments.items, compiler.cxx_driver, &command) ==
		0) {
		code = add_words(&compiler, &command, &front, &behind);
		command_finish(&command);
	}
	if (code < 0)
		code = compiler_become(&compiler, &front, &arguments, &behind);
	words_finish(&arguments);
	words_finish(&front);
	words_finish(&behind);
	compiler_finish(&compiler);
	return code;
}
