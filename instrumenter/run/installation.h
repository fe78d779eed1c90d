/* SPDX-License-Identifier: BSD-3-Clause */
/* Where ompinst's own libraries are: installed, moved elsewhere, or still in the build tree. */
#ifndef INSTALLATION_H
#define INSTALLATION_H

#include <stddef.h>

struct locations {
	char *libpomp;        /* path of libpomp.so, or NULL */
	char *tool;           /* path of libpomp_tool.so, or NULL */
	char *mpi;            /* path of the MPI's wrappers, or NULL */
	char *agent;          /* path of ompinst-run.so, or NULL */
	char *race_agent;     /* path of ompinst-race.so, or NULL */
	char *archive;        /* path of libpomp.a, for static programs, or NULL */
	char *runtime_folder; /* folder of the bundled libgomp.so.1, or NULL */
	/*
	 * The absolute folders in which programs find libpomp, its tool and MPI's wrappers; NULL
	 * where the dynamic linker searches anyway. Where they are installed among libraries of
	 * others, it is a folder of links to ours alone.
	 */
	char *libpomp_run_path, *tool_run_path, *mpi_run_path;
};

/*
 * The folder (heap) that holds pomp.h and nothing else, for text that includes it: a program's own
 * headers are all found as without ompinst. NULL when there is none.
 */
char *locate_header(void);

/* The path of the engine's module (heap), or NULL. */
char *locate_engine(void);

/* Never fails; what is not found is NULL. mpi_library: file of the MPI's wrappers, or NULL. */
void locate_libraries(struct locations *locations, const char *mpi_library);

void locations_finish(struct locations *locations);

/*
 * What takes the place of every OpenMP runtime, in LD_PRELOAD's order: the bundled one, and behind
 * it libraries without code that have the names of LLVM's and Intel's and need ours, so that the
 * loader looks for no other one of these names. The path (heap) of each; NULL: it is not there.
 */
enum { RUNTIME_PRELOADS = 3 };

char *locate_preload(const struct locations *locations, size_t number);

#endif
