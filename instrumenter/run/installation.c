/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks for libpomp.so, libpomp_tool.so, the bundled libgomp.so.1 and the engine's module, in this
 * order: in the folder that OMPINST_LIBDIR names, beside this executable as in the build tree, at
 * the same place relative to this executable as after installation (so that an installed tree can
 * be moved), and where they were installed.
 */
#include "installation.h"
#include "engine-module.h"

#include <limits.h>
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

/* The absolute folder base/relative (heap) when it holds file, else NULL. */
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

char *locate_engine(void)
{
	char *own = own_folder(), *path = NULL;
	const char *const module[][2] = {
	    {getenv("OMPINST_LIBDIR"), "ompinst"},
	    {own, "engine"},
	    {own, OMPINST_BINDIR_TO_LIBDIR "/ompinst"},
	    {OMPINST_LIBDIR, "ompinst"},
	    {NULL, NULL},
	};
	char *folder = first_folder_with(module, INST_MODULE_FILE);

	if (folder != NULL && asprintf(&path, "%s/" INST_MODULE_FILE, folder) < 0)
		path = NULL;
	free(folder);
	free(own);
	return path;
}

char *locate_header(void)
{
	char *own = own_folder();
	const char *const header[][2] = {
	    {getenv("OMPINST_LIBDIR"), "ompinst/include"},
	    {own, "include"},
	    {own, OMPINST_BINDIR_TO_LIBDIR "/ompinst/include"},
	    {OMPINST_LIBDIR, "ompinst/include"},
	    {NULL, NULL},
	};
	char *folder = first_folder_with(header, "pomp.h");

	free(own);
	return folder;
}

/*
 * The folder of one library (heap), or NULL; it is at `built` from the folder of an executable in
 * the build tree, and in the folder `installed` below the one of the installed libraries.
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

/* The path of the file in a folder (heap); NULL without a folder. */
static char *path_in(const char *folder, const char *file)
{
	char *path = NULL;

	return folder == NULL || asprintf(&path, "%s/%s", folder, file) < 0 ? NULL : path;
}

void locate_libraries(struct locations *locations, const char *mpi_library)
{
	char *own = own_folder();
	char *static_folder = locate_folder(own, "../pomp/static", ".", "libpomp.a");

	*locations = (struct locations){0};
	locations->libpomp_folder = locate_folder(own, "../pomp", ".", "libpomp.so");
	locations->libpomp = path_in(locations->libpomp_folder, "libpomp.so");
	locations->tool_folder = locate_folder(own, "../pomp/tool", ".", "libpomp_tool.so");
	locations->tool = path_in(locations->tool_folder, "libpomp_tool.so");
	locations->archive = path_in(static_folder, "libpomp.a");
	locations->runtime_folder = locate_folder(own, "../runtime", "ompinst", "libgomp.so.1");
	char *agent_folder = locate_folder(own, "agent", "ompinst", "libompinst_run.so");
	locations->agent = path_in(agent_folder, "libompinst_run.so");
	free(agent_folder);
	agent_folder = locate_folder(own, "race-agent", "ompinst", "libompinst_race.so");
	locations->race_agent = path_in(agent_folder, "libompinst_race.so");
	free(agent_folder);
	if (mpi_library != NULL)
		locations->mpi_folder = locate_folder(own, "../pomp/mpi", ".", mpi_library);
	free(static_folder);
	free(own);
}

void locations_finish(struct locations *locations)
{
	free(locations->libpomp);
	free(locations->tool);
	free(locations->tool_folder);
	free(locations->archive);
	free(locations->agent);
	free(locations->race_agent);
	free(locations->libpomp_folder);
	free(locations->mpi_folder);
	free(locations->runtime_folder);
	*locations = (struct locations){0};
}

char *locate_preload(const struct locations *locations, size_t number)
{
	static const char *const files[RUNTIME_PRELOADS] = {
	    "libgomp.so.1", "load/libomp.so.5", "load/libiomp5.so"};
	char *path = locations->runtime_folder != NULL
			 ? path_in(locations->runtime_folder, files[number])
			 : NULL;

	if (path != NULL && access(path, R_OK) == 0)
		return path;
	free(path);
	return NULL;
}
