/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the user's compiler. ompinst may stand in PATH under a compiler's name, behind a launcher
 * that starts ompinst again, or before itself (CMAKE_C_COMPILER_LAUNCHER=ompinst and
 * CC=ompinst-gcc); in all of these the search goes on to the compiler meant, because running
 * ourselves would never end.
 */
#include "compiler.h"
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const launchers[] = {"ccache", "distcc", "sccache", "icecc", "buildcache"};

static bool is_launcher(const char *word)
{
	for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++)
		if (strcmp(path_base(word), launchers[i]) == 0)
			return true;
	return false;
}

/* Opened, because under qemu-user a look at the link itself finds the emulator. */
static bool is_self(const char *path)
{
	struct stat self, other;
	int file = open("/proc/self/exe", O_PATH | O_CLOEXEC);
	bool same = file >= 0 && fstat(file, &self) == 0 && stat(path, &other) == 0 &&
		    self.st_dev == other.st_dev && self.st_ino == other.st_ino;

	if (file >= 0)
		close(file);
	return same;
}

/* 0, or the errno that execve() would give for this file. */
static int check_program(const char *path)
{
	struct stat state;

	if (stat(path, &state) != 0)
		return errno;
	if (S_ISDIR(state.st_mode))
		return EACCES;
	return access(path, X_OK) == 0 ? 0 : errno;
}

/*
 * The program that name stands for, other than ompinst (heap), or NULL with errno. *passed_self is
 * true when ompinst comes first in PATH under that name.
 */
static char *find_program(const char *name, bool *passed_self)
{
	const char *path = getenv("PATH");
	int reason = ENOENT;

	if (strchr(name, '/') != NULL) {
		reason = is_self(name) ? ELOOP : check_program(name);
		errno = reason;
		return reason == 0 ? strdup(name) : NULL;
	}
	if (path == NULL)
		path = "/bin:/usr/bin";
	while (*path != '\0') {
		size_t length = strcspn(path, ":");
		char *candidate = NULL;
		if (asprintf(&candidate, "%.*s%s%s", (int)length, path, length ? "/" : "", name) <
		    0)
			return NULL;
		int found = check_program(candidate);
		bool self = found == 0 && is_self(candidate);
		if (found == 0 && !self)
			return candidate;
		*passed_self |= self;
		if (found == EACCES)
			reason = EACCES;
		free(candidate);
		path += length + (path[length] == ':');
	}
	errno = reason;
	return NULL;
}

static enum compiler_kind kind_of_name(const char *name)
{
	const char *base = path_base(name);

	if (strstr(base, "clang") != NULL || strstr(base, "flang") != NULL)
		return COMPILER_CLANG;
	if (strstr(base, "gcc") != NULL || strstr(base, "g++") != NULL ||
	    strstr(base, "gfortran") != NULL)
		return COMPILER_GCC;
	return COMPILER_UNKNOWN;
}

/* What `cc` is, by the links that it leads through: cc -> gcc -> x86_64-linux-gnu-gcc-12. */
static enum compiler_kind kind_of_program(const char *name)
{
	bool passed_self = false;
	char *program = find_program(name, &passed_self);
	char resolved[PATH_MAX];
	enum compiler_kind kind = COMPILER_UNKNOWN;

	if (program != NULL && realpath(program, resolved) != NULL)
		kind = kind_of_name(resolved);
	free(program);
	return kind;
}

bool compiler_name_is_cxx(const char *name)
{
	const char *base = path_base(name);
	size_t length = strlen(base);

	return strstr(base, "++") != NULL ||
	       (length >= 2 &&
		   (strcmp(base + length - 2, "xx") == 0 || strcmp(base + length - 2, "CC") == 0));
}

/* What the names of Fortran compilers contain. */
static const char *const fortran_parts[] = {
    "fort", "flang", "ifx", "f77", "f90", "f95", "f03", "f08", "ftn"};

static bool contains_one(const char *base, const char *const *parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strstr(base, parts[i]) != NULL)
			return true;
	return false;
}

bool compiler_name_is_fortran(const char *name)
{
	return contains_one(
	    path_base(name), fortran_parts, sizeof fortran_parts / sizeof fortran_parts[0]);
}

bool compiler_name_is_known(const char *name)
{
	static const char *const parts[] = {"cc", "CC", "++", "cxx", "icx", "icpx", "dpcpp", "nvc",
	    "pgc", "xlc", "c89", "c99", "ompinst"};
	const char *base = path_base(name);

	return kind_of_name(name) != COMPILER_UNKNOWN || is_launcher(name) ||
	       strncmp(base, "mpi", 3) == 0 || compiler_name_is_fortran(name) ||
	       contains_one(base, parts, sizeof parts / sizeof parts[0]) ||
	       kind_of_program(name) != COMPILER_UNKNOWN;
}

bool compiler_exists(const char *name)
{
	bool passed_self = false;
	char *program = find_program(name, &passed_self);
	bool found = program != NULL;

	free(program);
	return found;
}

/* `ompinst-gcc` as a word means gcc; anything else means itself. */
static const char *without_our_prefix(const char *word)
{
	const char *base = path_base(word);

	return strncmp(base, "ompinst-", 8) == 0 && base[8] != '\0' ? base + 8 : word;
}

enum compiler_kind compiler_kind_from_macros(const char *text)
{
	if (strstr(text, "#define __clang__ ") != NULL)
		return COMPILER_CLANG;
	return strstr(text, "#define __GNUC__ ") != NULL ? COMPILER_GCC : COMPILER_UNKNOWN;
}

size_t compiler_find(const char *const *vector, struct compiler *compiler, char **error, int *code)
{
	size_t taken = 0;
	const char *last;

	*compiler = (struct compiler){0};
	/* `ompinst ompinst gcc` is what a launcher variable and CC=ompinst make together. */
	while (strcmp(path_base(vector[taken]), "ompinst") == 0 && vector[taken + 1] != NULL)
		taken++;
	for (;;) {
		last = without_our_prefix(vector[taken++]);
		words_add(&compiler->words, last);
		if (!is_launcher(last) || vector[taken] == NULL || vector[taken][0] == '-')
			break;
	}
	const char *first = compiler->words.failed ? last : compiler->words.items[0];
	bool passed_self = false;
	compiler->program = find_program(first, &passed_self);
	if (compiler->program == NULL || compiler->words.failed) {
		int reason = errno;
		*code = reason == ENOENT ? 127 : 126;
		if (asprintf(error, "cannot run the compiler '%s': %s", first,
			reason == ELOOP ? "this is ompinst itself" : strerror(reason)) < 0)
			*error = NULL;
		compiler_finish(compiler);
		return 0;
	}
	/*
	 * gcc looks for its own parts beside what argv[0] names in PATH, which must not be ompinst.
	 */
	if (passed_self) {
		char *path = strdup(compiler->program);
		if (path != NULL) {
			free(compiler->words.items[0]);
			compiler->words.items[0] = path;
		}
	}
	compiler->cxx_driver = compiler_name_is_cxx(last);
	compiler->fortran_driver = compiler_name_is_fortran(last);
	compiler->kind = kind_of_name(last);
	if (compiler->kind == COMPILER_UNKNOWN)
		compiler->kind = kind_of_program(last);
	return taken;
}

void compiler_finish(struct compiler *compiler)
{
	words_finish(&compiler->words);
	free(compiler->program);
	*compiler = (struct compiler){0};
}
