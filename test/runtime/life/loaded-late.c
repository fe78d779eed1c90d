/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Libraries are loaded late, into a process where others have taken the room for thread-local
 * variables: loaded-late FILLER LIBRARY...
 *
 * FILLER takes 64 bytes of it. A child loads copies of it until there is no room; this process
 * loads so many that SPARE bytes are left, then all LIBRARIES, the runtime among them, and uses it.
 * On processors where they need no room (PROCESSOR_THREAD_LOCAL) nothing is left. Says how much
 * each library has.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	FILLER_BYTES = 64,
	MOST_FILLERS = 4096,
	MOST_BYTES = 64, /* of one library of ours */
#ifdef __aarch64__
	SPARE = 0,
#else
	SPARE = 256,
#endif
};

static char folder[] = "/tmp/loaded-late-XXXXXX";

static void fail(const char *what, const char *why)
{
	printf("%s: %s\n", what, why != NULL ? why : "no reason given");
	exit(1);
}

/* A copy is a library of its own for the loader. */
static bool load_copy(const char *filler, int number)
{
	char name[sizeof(folder) + 32];
	struct stat status;
	int from = open(filler, O_RDONLY | O_CLOEXEC), to;
	void *library;
	bool copied;

	snprintf(name, sizeof(name), "%s/%d.so", folder, number);
	to = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	copied = from >= 0 && to >= 0 && fstat(from, &status) == 0 &&
		 sendfile(to, from, NULL, (size_t)status.st_size) == status.st_size;
	close(from);
	close(to);
	if (!copied)
		fail(name, "cannot be written");
	library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	unlink(name);
	/* cppcheck-suppress resourceLeak ; it stays loaded */
	return library != NULL;
}

/* How many copies a process like this one can load. */
static int count_fillers(const char *filler)
{
	int ends[2], count = 0;
	pid_t child = -1;

	if (pipe(ends) == 0)
		child = fork();
	if (child < 0)
		fail("a child", "could not be made");
	if (child == 0) {
		while (count < MOST_FILLERS && load_copy(filler, count))
			count++;
		_exit(write(ends[1], &count, sizeof(count)) == sizeof(count) ? 0 : 1);
	}
	close(ends[1]);
	if (read(ends[0], &count, sizeof(count)) != sizeof(count))
		fail(filler, "could not be loaded in a child");
	close(ends[0]);
	waitpid(child, NULL, 0);
	if (count == 0 || count == MOST_FILLERS)
		fail(filler, "expected that some copies can be loaded, but not thousands");
	return count;
}

static int check_size(struct dl_phdr_info *info, size_t bytes, void *unused)
{
	const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : "";

	(void)bytes;
	(void)unused;
	if (strncmp(name, "libgomp", 7) != 0 && strncmp(name, "libpomp", 7) != 0)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		size_t size = info->dlpi_phdr[i].p_memsz;

		if (info->dlpi_phdr[i].p_type != PT_TLS)
			continue;
		printf("%s: %zu bytes for each thread\n", name, size);
		if (size > MOST_BYTES)
			fail(name,
			    "more thread-local bytes than the 64 that doc/architectures.md states");
	}
	return 0;
}

static void body(void *count)
{
	__atomic_fetch_add((int *)count, 1, __ATOMIC_RELAXED);
}

int main(int argc, char **argv)
{
	void (*parallel)(void (*)(void *), void *, unsigned, unsigned) = NULL;
	int count, members = 0;

	if (argc < 3)
		fail(argv[0], "expected FILLER LIBRARY...");
	if (mkdtemp(folder) == NULL)
		fail(folder, "cannot be made");
	count = count_fillers(argv[1]);
	printf("room for %d times %d bytes\n", count, FILLER_BYTES);
	for (int i = 0; i < count - SPARE / FILLER_BYTES; i++)
		if (!load_copy(argv[1], i))
			fail(argv[1], dlerror());
	rmdir(folder);
	for (int i = 2; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL), *symbol;

		if (library == NULL)
			fail(argv[i], dlerror());
		if ((symbol = dlsym(library, "GOMP_parallel")) != NULL)
			memcpy(&parallel, &symbol, sizeof(parallel));
	}
	dl_iterate_phdr(check_size, NULL);
	if (parallel == NULL)
		fail("GOMP_parallel", "is in none of the libraries");
	parallel(body, &members, 4, 0);
	if (members != 4)
		fail("a region of 4 threads", "did not have 4");
	return 0;
}
