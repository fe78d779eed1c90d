/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds ompinst's own libraries: installed, moved elsewhere, or still in the build tree. */
#ifndef INSTALLATION_H
#define INSTALLATION_H

#include <stddef.h>

struct locations {
	char *libpomp;        /* path of libpomp.so, or NULL */
	char *tool;           /* path of libpomp_tool.so, or NULL */
	char *mpi;            /* path of the MPI's wrappers, or NULL */
	char *agent;          /* path of ompinst-run.so, or NULL */
	char *race_agent;     /* path of ompinst-race.so, or NULL */
	char *memory_agent;   /* path of ompinst-memory.so, or NULL */
	char *archive;        /* path of libpomp.a, for static programs, or NULL */
	char *runtime_folder; /* folder of the bundled libgomp.so.1, or NULL */
	/*
	 * The absolute folders in which programs find libpomp, its tool and the MPI wrappers; NULL
	 * if the dynamic linker searches there by default. If they are installed among other
	 * libraries, it is a folder with links to ours only.
	 */
	char *libpomp_run_path, *tool_run_path, *mpi_run_path;
};

/*
 * The folder (heap) that contains only pomp.h, for text that includes it. A program's own headers
 * are then found as without ompinst. NULL if there is no such folder.
 */
char *locate_header(void);

/* The folder (heap) of gdb's `omp` commands, or NULL. */
char *locate_debugger_commands(void);

/* The folder (heap) of what `ompinst sharing` compiles and links with, or NULL. */
char *locate_sharing_folder(void);

/* The path of the runtime's libompd.so (heap), or NULL. */
char *locate_debugger_library(void);

/* The path of the library that names code (heap), or NULL. */
char *locate_names_library(void);

/* The path of ompreport (heap), or NULL. */
char *locate_reports(void);

/* The path of the engine's module (heap), or NULL. */
char *locate_engine(void);

/*
 * Never fails; a file that is not found is NULL. mpi_library: the file of the MPI wrappers, or
 * NULL.
 */
void locate_libraries(struct locations *locations, const char *mpi_library);

void locations_finish(struct locations *locations);

/*
 * The libraries that replace every OpenMP runtime, in LD_PRELOAD's order: the bundled runtime, then
 * libraries without code that have the names of LLVM's and Intel's and depend on ours, so that the
 * loader does not search for others with these names. The path (heap) of each; NULL if it does not
 * exist.
 */
enum { RUNTIME_PRELOADS = 3 };

char *locate_preload(const struct locations *locations, size_t number);

#endif
