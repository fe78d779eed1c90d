/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements readers.h. A process sees by its environment that an MPI has started it, and loads the
 * library for that MPI (mpi-connection.h). An empty message tells the others to end.
 */
#include "readers.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "memory.h"
#include "mpi-connection.h"
#include "streams.h"

static const struct starter {
	const char *mpi;
	const char *count, *index; /* variables that its processes have */
} starters[] = {
    {"openmpi", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"mpich", "PMI_SIZE", "PMI_RANK"},
    {"openmpi", "SLURM_NTASKS", "PMIX_RANK"},
};
enum { STARTERS = sizeof(starters) / sizeof(starters[0]) };

static struct {
	const struct mpi_connection *mpi; /* NULL: this process is alone */
	int count, index;
	bool depend;
} job = {.count = 1};

/* The MPI that OMPREPORT_MPI names; NULL: any. */
static const char *chosen_mpi(void)
{
	const char *chosen = getenv("OMPREPORT_MPI");

	return chosen && chosen[0] ? chosen : NULL;
}

/* Who has started several processes, preferably the chosen MPI; NULL: nobody. */
static const struct starter *find_starter(void)
{
	const char *chosen = chosen_mpi();
	const struct starter *found = NULL;

	if (chosen && strcmp(chosen, "none") == 0)
		return NULL;
	for (size_t i = 0; i < STARTERS; i++) {
		const char *count = getenv(starters[i].count);

		if (!count || atoi(count) <= 1 || !getenv(starters[i].index))
			continue;
		if (!chosen || strcmp(chosen, starters[i].mpi) == 0)
			return &starters[i];
		if (!found)
			found = &starters[i];
	}
	return found;
}

/* The folder of the program; the caller frees it. */
static char *own_folder(void)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	return slash ? memory_print("%.*s", (int)(slash - path), path) : memory_copy_text(".");
}

/* From where it is installed, or from where it is built; NULL: it is at neither place. */
static void *load(const char *mpi)
{
	static const char *const subfolders[] = {READERS_LIBDIR, "readers"};
	char *folder = own_folder();
	void *library = NULL;

	for (size_t i = 0; !library && i < sizeof(subfolders) / sizeof(subfolders[0]); i++) {
		char *path =
		    memory_print("%s/%s/libompreport_mpi-%s.so", folder, subfolders[i], mpi);

		library = access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
		free(path);
	}
	free(folder);
	return library;
}

static void leave(void)
{
	static const struct message end;

	if (job.depend) {
		fflush(NULL);
		job.mpi->abort(1);
		return;
	}
	for (int i = 1; i < job.count && job.index == 0; i++)
		readers_send((size_t)i, &end);
	job.mpi->end();
}

/* Process 0 continues alone. */
static bool stay_alone(const struct starter *starter, const char *reason)
{
	const char *index = getenv(starter->index);
	bool is_first = !index || atoi(index) == 0;

	if (is_first)
		fprintf(stderr,
		    "ompreport: %s=%s: one of several processes, but %s; one process reads alone now "
		    "(OMPREPORT_MPI=openmpi or mpich says which MPI it is, none that each works for "
		    "itself)\n",
		    starter->count, getenv(starter->count), reason);
	return is_first;
}

/*
 * Whether MPICH's mpirun no longer serves this process: a program that the same script ran before
 * has ended MPI, and mpirun has closed the connection that its processes inherit.
 */
static bool has_ended(const struct starter *starter)
{
	const char *connection = getenv("PMI_FD");
	char byte;

	return strcmp(starter->mpi, "mpich") == 0 && connection &&
	       recv(atoi(connection), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static bool begins;

/* An MPI that cannot begin ends the process. */
static void explain_end(void)
{
	if (begins)
		fputs(
		    "ompreport: its MPI does not begin, and nothing is reported; if another program "
		    "has used MPI in the same process of mpirun, OMPREPORT_MPI=none lets this one "
		    "work for itself\n",
		    stderr);
}

/* MPI's messages come before the end, also if nobody reads what it sends. */
static bool begin(const struct mpi_connection *mpi)
{
	void (*before)(int) = signal(SIGPIPE, SIG_IGN);
	bool has_begun;

	begins = true;
	atexit(explain_end);
	has_begun = mpi->begin(&job.index, &job.count) == 0;
	begins = false;
	signal(SIGPIPE, before);
	return has_begun;
}

bool readers_join(void)
{
	const struct starter *starter = find_starter();
	const struct mpi_connection *mpi;
	void *library;

	if (!starter)
		return true;
	if (chosen_mpi() && strcmp(chosen_mpi(), starter->mpi) != 0)
		return stay_alone(starter, "by another MPI than OMPREPORT_MPI names");
	if (has_ended(starter))
		return stay_alone(
		    starter, "a program before it has ended MPI, which can begin only once");
	library = load(starter->mpi);
	if (!library) {
		const char *error = dlerror();
		return stay_alone(starter,
		    error ? error : "this ompreport was built without a library for that MPI");
	}
	mpi = dlsym(library, MPI_CONNECTION);
	if (!mpi || !begin(mpi))
		return stay_alone(starter, "its MPI does not begin");
	job.mpi = mpi;
	atexit(leave);
	return true;
}

size_t readers_count(void)
{
	return (size_t)job.count;
}

size_t readers_index(void)
{
	return (size_t)job.index;
}

void readers_send(size_t to, const struct message *message)
{
	job.mpi->send((int)to, message->bytes, message->used);
}

void readers_receive(size_t from, struct message *message)
{
	size_t size = job.mpi->next_size((int)from);

	message_clear(message);
	MEMORY_GROW(message->bytes, message->room, size + 1);
	job.mpi->receive((int)from, message->bytes, size);
	message->used = size;
	message->reads = true;
}

void readers_depend(bool depend)
{
	job.depend = depend;
}
