/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI where a program seldom calls it. With LIBRARY: a library whose constructor asks MPI, four
 * threads at once, and whose destructor asks it again. It does not need the wrappers, so that its
 * constructor runs before theirs. EARLY=init in the environment has it start and end MPI, too.
 * Without: a program on that library.
 *
 *   early main     main starts and ends MPI, if the constructor did not   early tools    main asks
 * MPI's tools interface before that   early never    no call of MPI_Init   early FILE     not even
 * main knows MPI: it loads the library from there
 */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LIBRARY
enum { THREADS = 4 };

static void *ask(void *version)
{
	int length;

	MPI_Get_library_version(version, &length);
	return NULL;
}

static int starts_mpi(void)
{
	const char *early = getenv("EARLY");

	return early != NULL && strcmp(early, "init") == 0;
}

__attribute__((constructor)) static void library_loaded(void)
{
	static char version[THREADS][MPI_MAX_LIBRARY_VERSION_STRING];
	pthread_t thread[THREADS];
	int initialized;

	MPI_Initialized(&initialized);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, ask, version[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 1; i < THREADS; i++)
		if (strcmp(version[i], version[0]) != 0)
			printf("two versions: %s, %s\n", version[0], version[i]);
	if (starts_mpi())
		MPI_Init(NULL, NULL);
}

__attribute__((destructor)) static void library_ends(void)
{
	int initialized, finalized;

	MPI_Initialized(&initialized);
	MPI_Finalized(&finalized);
	if (starts_mpi() && !finalized)
		MPI_Finalize();
}

int sum_of_ranks(void);
int sum_of_ranks(void)
{
	int rank, sum;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return sum;
}
#else
#ifndef WITHOUT_MPI
extern int sum_of_ranks(void);
#endif

int main(int count, char **arguments)
{
	const char *mode = count > 1 ? arguments[1] : "main";

	if (mode[0] == '/') {
		void *library = dlopen(mode, RTLD_NOW | RTLD_LOCAL);
		int (*sum)(void) =
		    library != NULL ? (int (*)(void))dlsym(library, "sum_of_ranks") : NULL;
		printf("sum %d\n", sum != NULL ? sum() : -1);
		return sum == NULL;
	}
#ifdef WITHOUT_MPI
	return 2;
#else
	int version, level, started, ended;

	if (strcmp(mode, "tools") == 0)
		MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
	MPI_Get_version(&version, &level);
	MPI_Initialized(&started);
	if (strcmp(mode, "never") == 0) {
		printf("not started\n");
		return started;
	}
	if (!started)
		MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
	printf("sum %d\n", sum_of_ranks());
	if (strcmp(mode, "tools") == 0)
		MPI_T_finalize();
	if (!started)
		MPI_Finalize();
	MPI_Finalized(&ended);
	return ended == started;
#endif
}
#endif
