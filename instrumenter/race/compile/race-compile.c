/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The compiler's wrapper for programs whose data races, or memory errors, are to be found. It
 * instruments nothing: it prints what the text of a file shows already, and becomes the compiler,
 * with flags behind the user's own, or runs it on texts in which only schedules of loops are others
 * (divided-compile.h). Which flags, the table says. They have ThreadSanitizer see what the source
 * says: an access that an optimization has removed is not seen, one that it has moved is seen at
 * another line, and one that a library function makes is not seen where GCC has put code in its
 * place. test/race/passes.py looks for passes that are to be in the table.
 */
#include "race-compile.h"

#include "become-compiler.h"
#include "compiler-command.h"
#include "compiler-question.h"
#include "compiler.h"
#include "construct-report.h"
#include "divided-compile.h"
#include "installation.h"
#include "link.h"
#include "race-warnings.h"
#include "text-file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USAGE = 2 };

/* What a flag is for. */
enum {
	FOR_COMPILING = 1 << 0, /* sources are compiled */
	FOR_LINKING = 1 << 1,
	ONLY_GCC = 1 << 2, /* where the compiler knows the switch; clang has none of them */
	ONLY_CLANG = 1 << 3,
	ONLY_C = 1 << 4, /* not where Fortran is compiled, too */
	FOR_RACES = 1 << 5,
	FOR_ADDRESSES = 1 << 6,
	FOR_VALUES = 1 << 7,
	ONLY_PLAIN_CXX = 1 << 8, /* GCC compiles C++, and does not optimize */
	ONLY_WERROR = 1 << 9,    /* its warnings are errors */
	ONLY_CLONES = 1 << 10,   /* GCC makes vector clones of `declare simd` functions */
	ALL_PURPOSES = FOR_RACES | FOR_ADDRESSES | FOR_VALUES,
};

/*
 * Passes are switched off without -O, too: a function can have a level of its own, by an attribute
 * or a pragma. clang has no switches for most of its passes, which come before ThreadSanitizer's.
 */
static const struct {
	const char *flag;
	unsigned when;
} flags[] = {
    {"-fsanitize=thread", FOR_COMPILING | FOR_LINKING | FOR_RACES},
    {"-fsanitize=address", FOR_COMPILING | FOR_LINKING | FOR_ADDRESSES},
    {"-fsanitize-recover=address", FOR_COMPILING | FOR_ADDRESSES},
    {"-fsanitize-address-use-after-scope", FOR_COMPILING | FOR_ADDRESSES},
    {"-fsanitize=memory", FOR_COMPILING | FOR_LINKING | FOR_VALUES},
    {"-fsanitize-recover=memory", FOR_COMPILING | FOR_VALUES},
    {"-fsanitize-memory-track-origins", FOR_COMPILING | FOR_VALUES},
    {"-g", FOR_COMPILING},
    {"-fno-omit-frame-pointer", FOR_COMPILING},
    {"-O0", FOR_COMPILING | ONLY_CLANG},
    /*
     * Without optimization, members of std::string are functions of the C++ library, where their
     * accesses are not seen. The compiler then finds more to warn of.
     */
    {"-O1", FOR_COMPILING | ONLY_PLAIN_CXX | FOR_RACES},
    {"-Wno-error", FOR_COMPILING | ONLY_PLAIN_CXX | ONLY_WERROR | FOR_RACES},
    /* Clones tell ThreadSanitizer of a function's end for each lane, but of its begin only once. */
    {"-fdisable-ipa-simdclone", FOR_COMPILING | ONLY_CLONES | FOR_RACES},
    /* Accesses that a pass removes because another one, nearby, gives the same value. */
    {"-fno-tree-fre", FOR_COMPILING | ONLY_GCC},
    {"-fno-tree-dse", FOR_COMPILING | ONLY_GCC},
    {"-fno-tree-sra", FOR_COMPILING | ONLY_GCC},
    {"-fno-tree-dominator-opts", FOR_COMPILING | ONLY_GCC},
    {"-fno-tree-pre", FOR_COMPILING | ONLY_GCC},
    /* ... or because its value is not used. */
    {"-fno-tree-dce", FOR_COMPILING | ONLY_GCC},
    {"-fno-ipa-reference-addressable", FOR_COMPILING | ONLY_GCC},
    /* Accesses that a pass moves: out of a loop, before a branch, behind one, to a caller. */
    {"-fno-tree-loop-im", FOR_COMPILING | ONLY_GCC},
    {"-fno-code-hoisting", FOR_COMPILING | ONLY_GCC},
    {"-fno-tree-sink", FOR_COMPILING | ONLY_GCC},
    {"-fno-tree-phiprop", FOR_COMPILING | ONLY_GCC},
    {"-fno-ipa-sra", FOR_COMPILING | ONLY_GCC},
    /*
     * What a function returns to a variable of a region has no line of its own, and is at the line
     * of the return statement when the call is inlined. Functions that are declared inline still
     * are: a program may have no other definition of them.
     */
    {"-fno-early-inlining", FOR_COMPILING | ONLY_GCC},
    {"-fno-inline-small-functions", FOR_COMPILING | ONLY_GCC},
    {"-fno-inline-functions", FOR_COMPILING | ONLY_GCC},
    {"-fno-inline-functions-called-once", FOR_COMPILING | ONLY_GCC},
    {"-fno-partial-inlining", FOR_COMPILING | ONLY_GCC},
    /* Accesses of several places, of which a pass makes one: the others have no line then. */
    {"-fno-tree-cselim", FOR_COMPILING | ONLY_GCC},
    {"-fno-crossjumping", FOR_COMPILING | ONLY_GCC},
    {"-fno-ipa-icf", FOR_COMPILING | ONLY_GCC},
    /* What a library function reads and writes is seen where it is called, not where it is inlined.
     */
    {"-U_FORTIFY_SOURCE", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-memcpy", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-memmove", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-memset", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-memcmp", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-strlen", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-strcpy", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-strncpy", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-strcat", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-strcmp", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-strncmp", FOR_COMPILING | ONLY_C},
    {"-fno-builtin-strchr", FOR_COMPILING | ONLY_C},
};

/* Flags that the sanitizer cannot go with, and why; `with`: the sanitizer's condition. */
static const struct {
	const char *begin, *why;
	unsigned with;
} excluded[] = {
    {"-fsanitize=address", "sanitizers exclude each other", FOR_RACES | FOR_VALUES},
    {"-fsanitize=leak", "sanitizers exclude each other", FOR_RACES | FOR_VALUES},
    {"-fsanitize=hwaddress", "sanitizers exclude each other", ALL_PURPOSES},
    {"-fsanitize=thread", "sanitizers exclude each other", FOR_ADDRESSES | FOR_VALUES},
    {"-fsanitize=memory", "sanitizers exclude each other", FOR_RACES | FOR_ADDRESSES},
    {"-static", "the sanitizer needs a program that is linked dynamically", ALL_PURPOSES},
    {"-m32", "the sanitizer needs a 64-bit program", ALL_PURPOSES},
};

/* What the option asks to find; 0: it is none. */
static unsigned purpose_of(const char *word)
{
	if (strcmp(word, "--memory") == 0)
		return FOR_ADDRESSES;
	return strcmp(word, "--memory=uninitialized") == 0 ? FOR_VALUES : 0;
}

bool race_compile_has_option(const char *word)
{
	return purpose_of(word) != 0;
}

/* Says which word cannot be; false without one. -static-libgcc and the like can. */
static bool is_excluded(const struct command *command, unsigned purpose)
{
	for (size_t i = 0; i < command->words.count; i++) {
		const char *word = command->words.items[i];
		for (size_t j = 0; j < sizeof excluded / sizeof excluded[0]; j++) {
			size_t length = strlen(excluded[j].begin);
			if ((excluded[j].with & purpose) == 0 ||
			    strncmp(word, excluded[j].begin, length) != 0 ||
			    (word[length] != '\0' && word[length] != ','))
				continue;
			report_error(NULL,
			    "'%s' cannot be among the flags of 'ompinst race': %s; nothing is "
			    "compiled; leave it out",
			    word, excluded[j].why);
			return true;
		}
	}
	return false;
}

/* Conditions for the flags among the words of a command for GCC: the last level counts. */
static unsigned conditions_of_words(const struct command *command)
{
	unsigned conditions = ONLY_PLAIN_CXX;

	for (size_t i = 0; i < command->words.count; i++) {
		const char *word = command->words.items[i];
		if (strncmp(word, "-O", 2) == 0)
			conditions = (conditions & ~(unsigned)ONLY_PLAIN_CXX) |
				     (strcmp(word, "-O0") == 0 ? ONLY_PLAIN_CXX : 0);
		else if (strncmp(word, "-Werror", strlen("-Werror")) == 0)
			conditions |= ONLY_WERROR;
	}
	return conditions;
}

/* Has the file a `declare simd` directive, in whatever form? Its headers are not looked at. */
static bool declares_simd(const char *path)
{
	static const char declare[] = "declare";
	struct text_file file;
	bool found = false;

	if (text_file_read(path, &file) != 0)
		return false;
	for (const char *at = file.bytes; !found && (at = strcasestr(at, declare)) != NULL;) {
		at += strlen(declare);
		found = strncasecmp(at + strspn(at, " \t_"), "simd", 4) == 0;
	}
	text_file_finish(&file);
	return found;
}

/* Does GCC have the pass that makes clones? */
static bool makes_clones(const struct compiler *compiler)
{
	struct process_watch watch;

	process_watch_open(&watch);
	char *answer = compiler_ask(&watch, compiler,
	    (const char *const[]){"-fdisable-ipa-simdclone", "-E", "-x",
		compiler->fortran_driver ? "f95-cpp-input" : "c", "/dev/null", NULL});
	process_watch_close(&watch);
	const bool makes = answer != NULL;
	free(answer);
	return makes;
}

/* The kind of conditions of the table that hold for the command. */
static unsigned conditions_of(
    const struct compiler *compiler, const struct command *command, unsigned purpose)
{
	const bool clang = compiler->kind == COMPILER_CLANG;
	bool fortran = compiler->fortran_driver, cplusplus = false, clones = false;
	unsigned conditions = command->mode == COMMAND_LINK ? FOR_LINKING : 0;

	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		if (part->role != ARGUMENT_INPUT || part->language == LANGUAGE_LINKER)
			continue;
		fortran |= part->language == LANGUAGE_FORTRAN;
		cplusplus |=
		    part->language == LANGUAGE_CXX || part->language == LANGUAGE_CXX_PREPROCESSED;
		clones |= !clang && purpose == FOR_RACES && declares_simd(part->value);
	}
	conditions |= command->source_count > 0 ? FOR_COMPILING : 0;
	conditions |= clang ? ONLY_CLANG : ONLY_GCC;
	conditions |= !fortran ? ONLY_C : 0;
	conditions |= cplusplus && !clang ? conditions_of_words(command) : 0;
	conditions |= clones && makes_clones(compiler) ? ONLY_CLONES : 0;
	return conditions | purpose;
}

/* Whether GCC's list of switches (NULL: none) has the one that is switched off, "-fno-NAME". */
static bool is_switch(const char *list, const char *off)
{
	const char *name = off + strlen("-fno-");
	size_t length = strlen(name);

	for (const char *found = list; found != NULL && (found = strstr(found, " -f")) != NULL;) {
		found += strlen(" -f");
		if (strncmp(found, name, length) == 0 && strchr(" \t\n", found[length]) != NULL)
			return true;
	}
	return false;
}

/* An older GCC does not know all of the switches, and fails with one that it does not know. */
static char *ask_switches(const struct compiler *compiler)
{
	struct process_watch watch;

	process_watch_open(&watch);
	char *list =
	    compiler_ask(&watch, compiler, (const char *const[]){"--help=optimizers", NULL});
	process_watch_close(&watch);
	return list;
}

static void add_flags(const struct compiler *compiler, unsigned conditions, struct words *words)
{
	const unsigned steps = FOR_COMPILING | FOR_LINKING, for_gcc = FOR_COMPILING | ONLY_GCC;
	const unsigned only =
	    ONLY_GCC | ONLY_CLANG | ONLY_C | ONLY_PLAIN_CXX | ONLY_WERROR | ONLY_CLONES;
	char *switches = (conditions & for_gcc) == for_gcc ? ask_switches(compiler) : NULL;

	for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
		unsigned when = flags[i].when;
		if ((when & steps & conditions) == 0 || (when & only & ~conditions) != 0 ||
		    ((when & ALL_PURPOSES) != 0 && (when & conditions & ALL_PURPOSES) == 0) ||
		    ((when & ONLY_GCC) != 0 && !is_switch(switches, flags[i].flag)))
			continue;
		words_add(words, flags[i].flag);
	}
	free(switches);
}

/* What clang calls ThreadSanitizer's runtime, from the newest releases on. */
static const char *const shared_sanitizers[] = {
    "-print-file-name=libclang_rt.tsan.so",
#if defined(__x86_64__)
    "-print-file-name=libclang_rt.tsan-x86_64.so",
#elif defined(__aarch64__)
    "-print-file-name=libclang_rt.tsan-aarch64.so",
#elif defined(__riscv)
    "-print-file-name=libclang_rt.tsan-riscv64.so",
#endif
};

/*
 * Returns the folder (heap) that has ThreadSanitizer as a shared library, or NULL; the loader does
 * not search it by itself. By default clang links ThreadSanitizer into the program, which then does
 * not call the library that `ompinst race run` preloads.
 */
static char *find_shared_sanitizer(const struct compiler *compiler)
{
	struct process_watch watch;
	char *folder = NULL;

	if (compiler->kind != COMPILER_CLANG)
		return NULL;
	process_watch_open(&watch);
	for (size_t i = 0;
	     folder == NULL && i < sizeof shared_sanitizers / sizeof shared_sanitizers[0]; i++) {
		char *path = compiler_ask(
		    &watch, compiler, (const char *const[]){shared_sanitizers[i], NULL});
		char *slash = path != NULL ? strrchr(path, '/') : NULL;

		if (slash != NULL) { /* else it is the name itself: there is none */
			*slash = '\0';
			folder = path;
		} else {
			free(path);
		}
	}
	process_watch_close(&watch);
	return folder;
}

/*
 * The program finds the bundled runtime, which ThreadSanitizer can see into, without `ompinst race
 * run`, too.
 */
static void add_libraries(const struct compiler *compiler, const struct command *command,
    unsigned purpose, struct words *words)
{
	struct locations locations;
	char *sanitizer;

	if (command->mode != COMMAND_LINK)
		return;
	locate_libraries(&locations, NULL);
	sanitizer = purpose == FOR_RACES ? find_shared_sanitizer(compiler) : NULL;
	const char *runtime = link_is_openmp(command) ? locations.runtime_folder : NULL;
	if (runtime != NULL)
		link_add_runtime(words, runtime);
	link_add_run_paths(command, (const char *const[]){runtime, sanitizer}, 2, words);
	if (sanitizer != NULL)
		words_add(words, "-shared-libsan");
	free(sanitizer);
	locations_finish(&locations);
}

static bool can_find(const struct compiler *compiler, unsigned purpose)
{
	if (purpose != FOR_VALUES || compiler->kind == COMPILER_CLANG)
		return true;
	report_error(NULL,
	    "'%s' cannot find values that were never written: expected clang, which has "
	    "MemorySanitizer, behind --memory=uninitialized; nothing is compiled",
	    compiler->program);
	return false;
}

/*
 * Prints warnings, fills what the command needs before and behind the user's arguments, and
 * compiles it if the loops of its texts can be divided. Returns the exit code, or -1: the compiler
 * has still to be run.
 */
static int handle_command(struct compiler *compiler, const struct command *command, lint_set checks,
    unsigned purpose, struct race_additions *additions)
{
	bool makes_code = (command->roles & ARGUMENT_UNTOUCHED) == 0 &&
			  (command->roles & (ARGUMENT_INPUT | ARGUMENT_LIBRARY)) != 0;

	if (!makes_code || (command->roles & ARGUMENT_RELOCATABLE) != 0)
		return -1;
	compiler_ask_kind(compiler);
	if (is_excluded(command, purpose) || !can_find(compiler, purpose))
		return USAGE;
	if (purpose == FOR_RACES)
		race_warnings_print(compiler, command, checks);
	add_libraries(compiler, command, purpose, &additions->front);
	add_flags(compiler, conditions_of(compiler, command, purpose), &additions->behind);
	return purpose == FOR_RACES ? divided_compile(compiler, command, additions) : -1;
}

/* Adds the arguments without the switches of checks, which no compiler gets. */
static void add_arguments(const char *const *arguments, lint_set *checks, struct words *words)
{
	for (; *arguments != NULL; arguments++)
		if (!lint_read_switch(*arguments, checks))
			words_add(words, *arguments);
}

int race_compile_main(const char *const *vector)
{
	struct compiler compiler;
	struct command command;
	struct race_additions additions = {.front = {0}};
	struct words arguments = {0};
	lint_set checks = lint_race_checks();
	unsigned purpose = purpose_of(*vector);
	char *error = NULL;
	int code = 127;

	if (purpose != 0)
		vector++;
	else
		purpose = FOR_RACES;
	size_t taken = compiler_find(vector, SEARCH_ALL, &compiler, &error, &code);
	if (taken == 0) {
		report_error(NULL, "%s", error ? error : "out of memory");
		free(error);
		return code;
	}
	add_arguments(vector + taken, &checks, &arguments);
	/* A compiler that is a script around ompinst has the flags already. */
	bool nested = getenv("OMPINST_ACTIVE") != NULL;
	setenv("OMPINST_ACTIVE", "1", 1);
	code = -1;
	/* A command that cannot be read is the compiler's to complain of. */
	if (!nested && words_vector(&arguments) != NULL &&
	    command_read((const char *const *)arguments.items, compiler.cxx_driver, &command) ==
		0) {
		code = handle_command(&compiler, &command, checks, purpose, &additions);
		command_finish(&command);
	}
	if (code < 0)
		code = compiler_become(&compiler, &additions.front, &arguments, &additions.behind);
	words_finish(&arguments);
	words_finish(&additions.front);
	words_finish(&additions.behind);
	compiler_finish(&compiler);
	return code;
}
