/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Searches for libpomp.so, libpomp_tool.so, libpomp_names.so, the bundled libgomp.so.1 with its
 * libompd.so, and the engine's module, in this order: in the folder OMPINST_LIBDIR, next to this
 * executable as in the build tree, at the installed place relative to this executable (so that an
 * installed tree can be moved), and where they were installed.
 */
#include "installation.h"
#include "engine-module.h"
#include "shared/code-names.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the running executable (heap), or NULL. */
static char *own_folder(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

	if (length <= 0)
		return NULL;
	path[length] = '\0';
	*strrchr(path, '/') = '\0';
	return strdup(path);
}

/* The absolute folder base/relative (heap) if it contains file, else NULL. */
static char *folder_with(const char *base, const char *relative, const char *file)
{
	char *path = NULL, *found = NULL;

	if (base == NULL || asprintf(&path, "%s/%s/%s", base, relative, file) < 0)
		return NULL;
	if (access(path, R_OK) == 0) {
		*strrchr(path, '/') = '\0';
		found = realpath(path, NULL);
	}
	free(path);
	return found;
}

/* Tries the pairs of base and relative folder; the list ends with a NULL relative folder. */
static char *first_folder_with(const char *const (*places)[2], const char *file)
{
	char *found = NULL;

	for (; found == NULL && (*places)[1] != NULL; places++)
		found = folder_with((*places)[0], (*places)[1], file);
	return found;
}

/*
 * The folder of one file (heap), or NULL. In the build tree it is at `built`, relative to the
 * executable's folder; installed, it is the subfolder `installed` of the libraries' folder.
 */
static char *locate_folder(
    const char *own, const char *built, const char *installed, const char *file)
{
	char *moved = NULL;

	if (asprintf(&moved, OMPINST_BINDIR_TO_LIBDIR "/%s", installed) < 0)
		return NULL;
	const char *const places[][2] = {
	    {getenv("OMPINST_LIBDIR"), installed},
	    {own, built},
	    {own, moved},
	    {OMPINST_LIBDIR, installed},
	    {NULL, NULL},
	};
	char *folder = first_folder_with(places, file);
	free(moved);
	return folder;
}

/* The path of the file in a folder (heap); NULL if folder is NULL. */
static char *path_in(const char *folder, const char *file)
{
	char *path = NULL;

	return folder == NULL || asprintf(&path, "%s/%s", folder, file) < 0 ? NULL : path;
}

/* Folders that the dynamic linker searches by default. */
static bool is_system_folder(const char *folder)
{
	return strcmp(folder, "/usr/lib") == 0 || strcmp(folder, "/usr/lib64") == 0 ||
	       (strncmp(folder, "/usr/lib/", 9) == 0 && strstr(folder, "-linux-") != NULL &&
		   strchr(folder + 9, '/') == NULL);
}

/* The folder in which programs find the library with this soname; see struct locations. */
static char *run_path_of(const char *folder, const char *soname)
{
	char *own;

	if (folder == NULL || is_system_folder(folder))
		return NULL;
	own = folder_with(folder, "ompinst/pomp", soname);
	return own != NULL ? own : strdup(folder);
}

/*
 * The path of a library (heap), or NULL; *run_path becomes the folder in which programs find it by
 * its soname.
 */
static char *locate_library(
    const char *own, const char *built, const char *file, const char *soname, char **run_path)
{
	char *folder = locate_folder(own, built, ".", file);
	char *path = path_in(folder, file);

	*run_path = run_path_of(folder, soname);
	free(folder);
	return path;
}

/* The path of a file that programs do not search for by themselves (heap), or NULL. */
static char *locate_file(
    const char *own, const char *built, const char *installed, const char *file)
{
	char *folder = locate_folder(own, built, installed, file);
	char *path = path_in(folder, file);

	free(folder);
	return path;
}

/* locate_file() for a single one. */
static char *locate_one(const char *built, const char *installed, const char *file)
{
	char *own = own_folder();
	char *path = locate_file(own, built, installed, file);

	free(own);
	return path;
}

char *locate_engine(void)
{
	return locate_one("engine", "ompinst", INST_MODULE_FILE);
}

char *locate_debugger_library(void)
{
	return locate_one("../ompd", "ompinst", "libompd.so");
}

char *locate_names_library(void)
{
	return locate_one("../common/names", ".", CODE_NAMES_LIBRARY);
}

char *locate_reports(void)
{
	char *own = own_folder();
	const char *const places[][2] = {{own, "../reports"}, {own, "."}, {NULL, NULL}};
	char *folder = first_folder_with(places, "ompreport");
	char *path = path_in(folder, "ompreport");

	free(folder);
	free(own);
	return path;
}

/* locate_folder() for a single one. */
static char *locate_one_folder(const char *built, const char *installed, const char *file)
{
	char *own = own_folder();
	char *folder = locate_folder(own, built, installed, file);

	free(own);
	return folder;
}

char *locate_header(void)
{
	return locate_one_folder("include", "ompinst/include", "pomp.h");
}

char *locate_sharing_folder(void)
{
	return locate_one_folder("sharing-agent", "ompinst", "ompinst-sharing.so");
}

char *locate_debugger_commands(void)
{
	return locate_one_folder("../ompd/gdb", "ompinst/gdb", "omp_inspect.py");
}

void locate_libraries(struct locations *locations, const char *mpi_library)
{
	char *own = own_folder();

	*locations = (struct locations){0};
	locations->libpomp = locate_library(
	    own, "../pomp", "libpomp.so", "libpomp.so.0", &locations->libpomp_run_path);
	locations->tool = locate_library(
	    own, "../pomp/tool", "libpomp_tool.so", "libpomp_tool.so", &locations->tool_run_path);
	if (mpi_library != NULL)
		locations->mpi = locate_library(
		    own, "../pomp/mpi", mpi_library, mpi_library, &locations->mpi_run_path);
	locations->archive = locate_file(own, "../pomp/static", ".", "libpomp.a");
	locations->runtime_folder = locate_folder(own, "../runtime", "ompinst", "libgomp.so.1");
	locations->agent = locate_file(own, "agent", "ompinst", "ompinst-run.so");
	locations->race_agent = locate_file(own, "race-agent", "ompinst", "ompinst-race.so");
	locations->memory_agent = locate_file(own, "race-agent", "ompinst", "ompinst-memory.so");
	free(own);
}

void locations_finish(struct locations *locations)
{
	free(locations->libpomp);
	free(locations->tool);
	free(locations->mpi);
	free(locations->agent);
	free(locations->race_agent);
	free(locations->memory_agent);
	free(locations->archive);
	free(locations->runtime_folder);
	free(locations->libpomp_run_path);
	free(locations->tool_run_path);
	free(locations->mpi_run_path);
	*locations = (struct locations){0};
}

char *locate_preload(const struct locations *locations, size_t number)
{
	static const char *const files[RUNTIME_PRELOADS] = {
	    "libgomp.so.1", "load/llvm.so", "load/intel.so"};
	char *path = locations->runtime_folder != NULL
			 ? path_in(locations->runtime_folder, files[number])
			 : NULL;

	if (path != NULL && access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}
