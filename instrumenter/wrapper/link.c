/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The link step. libpomp comes last and with --as-needed, so that a program without instrumented
 * code does not depend on it. The bundled runtime has the system's sonames, so the program finds it
 * first through its run path; what the linker finds as -lomp is a library of ours with the same
 * symbol versions as LLVM's. CMake's FindOpenMP names libgomp.so or libomp.so by its full path;
 * that argument is replaced. MPI programs are also linked with the MPI wrappers. Programs with
 * Fortran are also linked with libpomp_tool.so, which the runtime finds in the program and
 * attaches, as `ompinst run` would do.
 */
#include "link.h"
#include "installation.h"
#include "languages.h"
#include "mpi-link.h"
#include "construct-report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_runtime_file(const struct command_part *part)
{
	const char *base = path_base(part->value);

	return strncmp(base, "libgomp.so", 10) == 0 || strncmp(base, "libomp.so", 9) == 0 ||
	       strncmp(base, "libiomp5.so", 11) == 0;
}

static bool is_runtime_library(const struct command_part *part)
{
	return strcmp(part->value, "gomp") == 0 || strcmp(part->value, "omp") == 0 ||
	       strcmp(part->value, "iomp5") == 0 || strncmp(part->value, ":libgomp.", 9) == 0 ||
	       strncmp(part->value, ":libomp.", 8) == 0 ||
	       strncmp(part->value, ":libiomp5.", 10) == 0;
}

/* -Wl,-lgomp and similar words, which only the linker reads. */
static bool is_runtime_word(const struct command_part *part)
{
	static const char *const words[] = {
	    "-lgomp", "-lomp", "-liomp5", "libgomp.", "libomp.", "libiomp5."};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strstr(part->value, words[i]) != NULL)
			return true;
	return false;
}

bool link_is_openmp(const struct command *command)
{
	if ((command->roles & ARGUMENT_RELOCATABLE) != 0)
		return false;
	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		if (part->role == ARGUMENT_INPUT && is_runtime_file(part))
			return true;
		if (part->role == ARGUMENT_LIBRARY && is_runtime_library(part))
			return true;
		if (part->role == ARGUMENT_LINK && part->value != NULL && is_runtime_word(part))
			return true;
	}
	return command->openmp;
}

static bool has_word(const struct command *command, const char *word)
{
	for (size_t i = 0; i < command->words.count; i++)
		if (strcmp(command->words.items[i], word) == 0)
			return true;
	return false;
}

static bool is_static(const struct command *command)
{
	return has_word(command, "-static") || has_word(command, "-static-pie");
}

/*
 * Finds the compiler's kind by running it, if its name does not show it (mpicc, a wrapper script).
 */
static enum compiler_kind ask_kind(struct wrapper *wrapper)
{
	char *macros =
	    wrapper_ask(wrapper, (const char *const[]){"-E", "-dM", "-x", "c", "/dev/null", NULL});
	enum compiler_kind kind =
	    macros != NULL ? compiler_kind_from_macros(macros) : COMPILER_UNKNOWN;

	free(macros);
	return kind;
}

/* Words with these beginnings keep LLVM's runtime in a program of clang, for this reason. */
static const struct {
	const char *begin;
	const char *reason;
} own_runtime[] = {
    {"-static-openmp", "it has the runtime linked into it"},
    {"-fopenmp-targets=", "LLVM's libomptarget, which drives devices, needs it"},
    {"--offload-arch=", "LLVM's libomptarget, which drives devices, needs it"},
};

static const char *reason_for_own_runtime(const struct command *command)
{
	for (size_t i = 0; i < command->words.count; i++)
		for (size_t j = 0; j < sizeof own_runtime / sizeof own_runtime[0]; j++)
			if (strncmp(command->words.items[i], own_runtime[j].begin,
				strlen(own_runtime[j].begin)) == 0)
				return own_runtime[j].reason;
	return NULL;
}

bool link_wants_bundled(const struct wrapper *wrapper)
{
	return wrapper->options->runtime == RUNTIME_BUNDLED && !is_static(&wrapper->command) &&
	       reason_for_own_runtime(&wrapper->command) == NULL;
}

static void report_own_runtime(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	const char *reason = reason_for_own_runtime(command);

	if (wrapper->options->runtime == RUNTIME_BUNDLED && reason != NULL &&
	    link_is_openmp(command) && !wrapper->options->dry_run)
		report_warning(command->output != NULL ? command->output : "a.out",
		    "stays with the compiler's own OpenMP runtime: %s", reason);
}

void link_add_runtime(struct words *words, const char *folder)
{
	words_add_format(words, "-L%s/link", folder);
}

static void add_run_path(struct words *words, const char *path)
{
	/* Not -Wl,-rpath,FOLDER: the folder's name may contain a comma. */
	words_add_all(words, (const char *const[]){"-Xlinker", "-rpath", "-Xlinker", path, NULL});
}

/*
 * Without -rpath the linker uses LD_RUN_PATH. ompinst adds an -rpath, so the folders of LD_RUN_PATH
 * are added, too.
 */
static void add_run_path_of_environment(const struct command *command, struct words *words)
{
	const char *path = getenv("LD_RUN_PATH");

	for (size_t i = 0; i < command->words.count; i++)
		if (strstr(command->words.items[i], "-rpath") != NULL)
			return;
	if (path != NULL && path[0] != '\0')
		add_run_path(words, path);
}

static bool is_among(const char *folder, const char *const *folders, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (folders[i] != NULL && strcmp(folders[i], folder) == 0)
			return true;
	return false;
}

/*
 * A build system may have its own run path in the command, and replace or remove it when it
 * installs the program. CMake edits the text A:B:C in the program: with a part at the end it
 * removes one colon, but it leaves both colons around a part in the middle. Between these two
 * colons, the dynamic linker searches the current folder of the user who runs the program. So
 * ompinst adds one piece, in front of the build system's. A folder with a colon in its name would
 * become two, of which the second would be relative to the current folder, too.
 */
void link_add_run_paths(
    const struct command *command, const char *const *folders, size_t count, struct words *words)
{
	const char *divided = NULL;
	bool added = false;

	for (size_t i = 0; i < count; i++) {
		if (folders[i] == NULL || is_among(folders[i], folders, i))
			continue;
		if (strchr(folders[i], ':') != NULL) {
			divided = folders[i];
			continue;
		}
		add_run_path(words, folders[i]);
		added = true;
	}
	if (added)
		add_run_path_of_environment(command, words);
	if (divided != NULL)
		report_warning(command->output != NULL ? command->output : "a.out",
		    "gets no run path to '%s', because the dynamic linker takes the colon in it for "
		    "the end of a folder's name; install ompinst in a folder without a colon",
		    divided);
}

static void add_libpomp(
    const struct command *command, const struct locations *locations, struct words *words)
{
	if (is_static(command)) {
		/* Compilers leave out the sorted table by which call paths are read. */
		words_add(words, "-Wl,--eh-frame-hdr");
		words_add(words, locations->archive);
		return;
	}
	words_add(words, "-Wl,--push-state,--as-needed");
	words_add(words, locations->libpomp);
	words_add(words, "-Wl,--pop-state");
}

static bool has_static_runtime(const struct command *command)
{
	for (size_t i = 0; i < command->words.count; i++)
		if (strstr(command->words.items[i], "libgomp.a") != NULL ||
		    strstr(command->words.items[i], "libomp.a") != NULL)
			return true;
	return is_static(command) || has_word(command, "-static-openmp");
}

bool link_has_fortran(const struct wrapper *wrapper)
{
	return wrapper->command.mode == COMMAND_LINK && link_is_openmp(&wrapper->command) &&
	       language_has_fortran(wrapper);
}

const char *link_fortran_obstacle(struct wrapper *wrapper)
{
	struct locations locations;
	const char *obstacle = NULL;

	if (wrapper->compiler.kind == COMPILER_UNKNOWN)
		wrapper->compiler.kind = ask_kind(wrapper);
	locate_libraries(&locations, NULL);
	if (has_static_runtime(&wrapper->command))
		obstacle = "no tool can attach to the OpenMP runtime of a static program";
	else if (!link_wants_bundled(wrapper) && wrapper->compiler.kind != COMPILER_CLANG)
		obstacle = "gcc's own OpenMP runtime has no interface for tools (--runtime=system)";
	else if (link_wants_bundled(wrapper) && locations.runtime_folder == NULL)
		obstacle = "the bundled OpenMP runtime was not found (OMPINST_LIBDIR can name its "
			   "folder)";
	else if (locations.tool == NULL)
		obstacle = "libpomp_tool.so was not found (OMPINST_LIBDIR can name its folder)";
	locations_finish(&locations);
	return obstacle;
}

/* Adds the tool, which the runtime finds in the program; no code refers to it. */
static void add_tool(const struct locations *locations, struct words *words)
{
	words_add(words, "-Wl,--push-state,--no-as-needed");
	words_add(words, locations->tool);
	words_add(words, "-Wl,--pop-state");
}

/*
 * The MPI wrappers come before everything else: if two libraries define MPI_Send, the program uses
 * the first.
 */
static void add_mpi(const struct locations *locations, const char *library, struct words *words)
{
	if (locations->mpi == NULL) {
		report_warning(NULL,
		    "%s was not found: the calls of MPI are not measured, and each rank has a trace "
		    "of its own",
		    library);
		return;
	}
	words_add(words, "-Wl,--push-state,--no-as-needed");
	words_add(words, locations->mpi);
	words_add(words, "-Wl,--pop-state");
}

static bool is_relocatable(const struct command *command)
{
	return (command->roles & ARGUMENT_RELOCATABLE) != 0;
}

const char *link_skip_reason(const struct command *command)
{
	struct locations locations;
	bool archive = is_static(command), possible;

	if (is_relocatable(command))
		return NULL;
	locate_libraries(&locations, NULL);
	possible = (archive ? locations.archive : locations.libpomp) != NULL;
	locations_finish(&locations);
	if (possible)
		return NULL;
	return archive
		   ? "libpomp.a, for -static, was not found (OMPINST_LIBDIR can name its folder)"
		   : "libpomp.so was not found (OMPINST_LIBDIR can name its folder)";
}

/*
 * Adds the replacement for a runtime that the command names by its path; false if the part names
 * none.
 */
static bool add_runtime_file(
    const struct command_part *part, const char *runtime_folder, struct words *words)
{
	const char *base = path_base(part->value);

	if (strncmp(base, "libgomp.so", 10) == 0)
		words_add_format(words, "%s/libgomp.so.1", runtime_folder);
	else if (strncmp(base, "libomp.so", 9) == 0)
		words_add_format(words, "%s/link/libomp.so", runtime_folder);
	else if (strncmp(base, "libiomp5.so", 11) == 0)
		words_add_format(words, "%s/link/libiomp5.so", runtime_folder);
	else
		return false;
	return true;
}

/* Adds one part of the user's command in the form that the link step needs. */
static void add_part(const struct command *command, size_t index, char *const *objects,
    const char *runtime_folder, struct words *words)
{
	const struct command_part *part = &command->parts[index];

	if (objects[index] != NULL) {
		if (part->forced != NULL)
			words_add_all(words, (const char *const[]){"-x", "none", NULL});
		words_add(words, objects[index]);
		if (part->forced != NULL)
			words_add_all(words, (const char *const[]){"-x", part->forced, NULL});
		return;
	}
	if (part->role == ARGUMENT_INPUT && runtime_folder != NULL &&
	    add_runtime_file(part, runtime_folder, words))
		return;
	for (size_t i = 0; i < part->count; i++)
		words_add(words, command->words.items[part->first + i]);
}

/* Adds the user's own words, with objects in place of the sources that were compiled. */
static void add_parts(const struct command *command, char *const *objects,
    const char *runtime_folder, bool compiled, struct words *words)
{
	const unsigned dependency = ARGUMENT_DEPENDENCY | ARGUMENT_DEPENDENCY_FILE |
				    ARGUMENT_DEPENDENCY_TARGET | ARGUMENT_WP_DEPENDENCY;

	for (size_t i = 0; i < command->part_count; i++)
		/* The preprocessing step has already written the dependency file. */
		if ((command->parts[i].role & dependency) == 0 || !compiled)
			add_part(command, i, objects, runtime_folder, words);
}

static void add_run_paths(const struct wrapper *wrapper, const struct locations *locations,
    bool bundled, bool tool, struct words *words)
{
	const char *const folders[] = {
	    bundled ? locations->runtime_folder : NULL,
	    locations->libpomp_run_path,
	    tool ? locations->tool_run_path : NULL,
	    locations->mpi_run_path,
	};

	link_add_run_paths(&wrapper->command, folders, sizeof folders / sizeof folders[0], words);
}

void link_command(struct wrapper *wrapper, char *const *objects, struct words *words)
{
	const struct command *command = &wrapper->command;
	bool relocatable = is_relocatable(command), unlinked = relocatable || is_static(command);
	struct locations locations;
	const char *mpi = unlinked ? NULL : mpi_of_link(wrapper);
	char mpi_library[64];
	bool compiled = false, tool = false;

	if (mpi != NULL)
		snprintf(mpi_library, sizeof mpi_library, "libpomp_mpi-%s.so.0", mpi);
	locate_libraries(&locations, mpi != NULL ? mpi_library : NULL);
	report_own_runtime(wrapper);
	bool bundled = !unlinked && link_wants_bundled(wrapper) && locations.runtime_folder != NULL;
	if (!unlinked)
		tool = link_has_fortran(wrapper) && link_fortran_obstacle(wrapper) == NULL;
	wrapper_add_compiler(wrapper, words);
	/*
	 * Before the user's own folders, because one of them may contain another libgomp or libomp.
	 */
	if (bundled)
		link_add_runtime(words, locations.runtime_folder);
	if (!unlinked)
		add_run_paths(wrapper, &locations, bundled, tool, words);
	if (mpi != NULL)
		add_mpi(&locations, mpi_library, words);
	for (size_t i = 0; i < command->part_count; i++)
		compiled |= objects[i] != NULL;
	add_parts(command, objects, bundled ? locations.runtime_folder : NULL, compiled, words);
	if (wrapper->compiler.kind == COMPILER_CLANG && compiled)
		words_add(words, "-Qunused-arguments");
	if ((command->roles & ARGUMENT_LANGUAGE) != 0)
		words_add_all(words, (const char *const[]){"-x", "none", NULL});
	if (!relocatable)
		add_libpomp(command, &locations, words);
	if (tool)
		add_tool(&locations, words);
	locations_finish(&locations);
}
