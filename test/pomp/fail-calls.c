/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded: makes calls of one kind fail, those alone that the measurement library, OTF2 or the
 * converter makes. The return address shows whose call it is; one that lies in the C library (a
 * malloc() within asprintf(), say) was made for the first frame above that does not. What the
 * program, its OpenMP runtime and its MPI call is neither counted nor touched.
 *
 * Not seen are system calls that the C library makes within itself: of stdio's, fopen(), fflush()
 * and fclose() stand for them, except on stdout and stderr.
 *
 *   FAIL_CALL     the kind: open write truncate allocate map remap rename memory thread
 *   FAIL_AT       which one of that kind fails, from 1
 *   FAIL_FROM     if set, all after it, too
 *   FAIL_SHORT    if set, a write does half of its work instead of failing
 *   FAIL_RANK     the rank of MPI to which this happens
 *   FAIL_PROGRAM  if set, what the program itself calls counts as libpomp's, too: it is the
 * converter FAIL_COUNTS   a file: how many of each kind there were, and how many failed (of rank N,
 * -N)
 */
#undef _FILE_OFFSET_BITS /* or open() is another name of open64() */

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#define VISIBLE __attribute__((visibility("default")))

enum kind { OPEN, WRITE, TRUNCATE, ALLOCATE, MAP, REMAP, RENAME, MEMORY, THREAD, KINDS };

static const char *const kind_names[KINDS] = {
    "open", "write", "truncate", "allocate", "map", "remap", "rename", "memory", "thread"};

struct counts {
	_Atomic uint64_t made[KINDS], failed;
};

enum { MOST_RANGES = 32 };

static struct {
	bool ready, from, is_short, other_rank;
	enum kind kind; /* KINDS: none fails */
	uint64_t at;
	struct counts *counts;
	struct range {
		uintptr_t begin, end;
		bool from_pomp; /* else the C library's */
	} range[MOST_RANGES];
	size_t range_count;
} plan = {.kind = KINDS};

static _Thread_local bool inside __attribute__((tls_model("initial-exec")));

static const struct range *range_of(uintptr_t address)
{
	for (size_t i = 0; i < plan.range_count; i++)
		if (address >= plan.range[i].begin && address < plan.range[i].end)
			return &plan.range[i];
	return NULL;
}

static int note_library(struct dl_phdr_info *library, size_t size, void *context)
{
	const char *slash = strrchr(library->dlpi_name, '/');
	const char *name = slash != NULL ? slash + 1 : library->dlpi_name;
	bool program = name[0] == '\0' && getenv("FAIL_PROGRAM") != NULL && !*(bool *)context;
	bool from_pomp = program || strncmp(name, "libpomp", 7) == 0 ||
			 strncmp(name, "libopen-trace-format2", 21) == 0;
	bool libc = strncmp(name, "libc.so", 7) == 0 || strncmp(name, "fail-calls", 10) == 0;

	(void)size;
	*(bool *)context = true; /* the program comes first */
	for (int i = 0; (from_pomp || libc) && i < library->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &library->dlpi_phdr[i];
		uintptr_t begin = library->dlpi_addr + part->p_vaddr;
		if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0 &&
		    plan.range_count < MOST_RANGES)
			plan.range[plan.range_count++] =
			    (struct range){begin, begin + part->p_memsz, from_pomp};
	}
	return 0;
}

/* By system calls, so that nothing here is a call of anybody's. */
static struct counts *map_counts(const char *rank)
{
	const char *path = getenv("FAIL_COUNTS");
	char own[4096];
	static struct counts nowhere;

	if (path == NULL)
		return &nowhere;
	snprintf(own, sizeof(own), rank != NULL ? "%s-%s" : "%s", path, rank);
	long file = syscall(SYS_openat, AT_FDCWD, own, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	syscall(SYS_ftruncate, file, sizeof(struct counts));
	long place = syscall(
	    SYS_mmap, NULL, sizeof(struct counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	syscall(SYS_close, file);
	return place > 0 || place < -4096 ? (struct counts *)place : &nowhere;
}

__attribute__((constructor)) static void read_plan(void)
{
	const char *call = getenv("FAIL_CALL"), *at = getenv("FAIL_AT");
	const char *wanted = getenv("FAIL_RANK"), *rank = getenv("OMPI_COMM_WORLD_RANK");
	bool seen_program = false;

	if (plan.ready)
		return;
	plan.ready = true;
	if (rank == NULL)
		rank = getenv("PMI_RANK");
	for (int i = 0; call != NULL && at != NULL && i < KINDS; i++)
		if (strcmp(call, kind_names[i]) == 0) {
			plan.kind = (enum kind)i;
			plan.at = strtoull(at, NULL, 10);
		}
	plan.from = getenv("FAIL_FROM") != NULL;
	plan.is_short = getenv("FAIL_SHORT") != NULL;
	plan.other_rank = wanted != NULL && (rank == NULL || strcmp(wanted, rank) != 0);
	plan.counts = map_counts(rank);
	dl_iterate_phdr(note_library, &seen_program);
}

static _Unwind_Reason_Code look_above(struct _Unwind_Context *context, void *found)
{
	const struct range *range = range_of(_Unwind_GetIP(context) - 1);

	if (range != NULL && !range->from_pomp)
		return _URC_NO_REASON; /* the C library, or this one */
	*(bool *)found = range != NULL;
	return _URC_END_OF_STACK;
}

static bool is_ours(void *caller)
{
	const struct range *range = range_of((uintptr_t)caller - 1);
	bool found = false;

	if (range == NULL || range->from_pomp)
		return range != NULL;
	_Unwind_Backtrace(look_above, &found);
	return found;
}

/* Counts a call; whether it is to fail. */
static bool fails(enum kind kind, void *caller)
{
	if (!plan.ready || inside || plan.range_count == 0)
		return false;
	int error = errno;
	inside = true;
	bool chosen = false;
	if (is_ours(caller)) {
		uint64_t number = atomic_fetch_add(&plan.counts->made[kind], 1) + 1;
		chosen = kind == plan.kind && !plan.other_rank &&
			 (plan.from ? number >= plan.at : number == plan.at);
		if (chosen)
			atomic_fetch_add(&plan.counts->failed, 1);
	}
	inside = false;
	errno = error;
	return chosen;
}

#define FAILS(kind) fails(kind, __builtin_return_address(0))
#define NEXT(name)  (*(void **)&next = dlsym(RTLD_NEXT, name))

static mode_t mode_of(int flags, va_list arguments)
{
	return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

#define OPEN_CALL(name)                                                                            \
	VISIBLE int name(const char *path, int flags, ...)                                         \
	{                                                                                          \
		va_list arguments;                                                                 \
		va_start(arguments, flags);                                                        \
		mode_t mode = mode_of(flags, arguments);                                           \
		va_end(arguments);                                                                 \
		if (FAILS(OPEN)) {                                                                 \
			errno = EMFILE;                                                            \
			return -1;                                                                 \
		}                                                                                  \
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);                      \
	}
OPEN_CALL(open)
#ifndef open64 /* musl: another name of the same function */
OPEN_CALL(open64)
#endif

#define OPEN_AT_CALL(name)                                                                         \
	VISIBLE int name(int folder, const char *path, int flags, ...)                             \
	{                                                                                          \
		va_list arguments;                                                                 \
		va_start(arguments, flags);                                                        \
		mode_t mode = mode_of(flags, arguments);                                           \
		va_end(arguments);                                                                 \
		if (FAILS(OPEN)) {                                                                 \
			errno = EMFILE;                                                            \
			return -1;                                                                 \
		}                                                                                  \
		return (int)syscall(SYS_openat, folder, path, flags, mode);                        \
	}
OPEN_AT_CALL(openat)
#ifndef openat64 /* musl: another name of the same function */
OPEN_AT_CALL(openat64)
#endif

#define FOPEN_CALL(name)                                                                           \
	VISIBLE FILE *name(const char *path, const char *mode)                                     \
	{                                                                                          \
		FILE *(*next)(const char *, const char *);                                         \
		if (FAILS(OPEN)) {                                                                 \
			errno = EMFILE;                                                            \
			return NULL;                                                               \
		}                                                                                  \
		NEXT(#name);                                                                       \
		return next(path, mode);                                                           \
	}
FOPEN_CALL(fopen)
#ifndef fopen64 /* musl: another name of the same function */
FOPEN_CALL(fopen64)
#endif

VISIBLE DIR *opendir(const char *path)
{
	DIR *(*next)(const char *);

	if (FAILS(OPEN)) {
		errno = EMFILE;
		return NULL;
	}
	NEXT("opendir");
	return next(path);
}

VISIBLE ssize_t write(int file, const void *data, size_t size)
{
	if (FAILS(WRITE)) {
		if (plan.is_short && size > 1)
			return syscall(SYS_write, file, data, size / 2);
		errno = ENOSPC;
		return -1;
	}
	return syscall(SYS_write, file, data, size);
}

#define PWRITE_CALL(name)                                                                          \
	VISIBLE ssize_t name(int file, const void *data, size_t size, off_t place)                 \
	{                                                                                          \
		if (FAILS(WRITE)) {                                                                \
			if (plan.is_short && size > 1)                                             \
				return syscall(SYS_pwrite64, file, data, size / 2, place);         \
			errno = ENOSPC;                                                            \
			return -1;                                                                 \
		}                                                                                  \
		return syscall(SYS_pwrite64, file, data, size, place);                             \
	}
PWRITE_CALL(pwrite)
#ifndef pwrite64 /* musl: another name of the same function */
PWRITE_CALL(pwrite64)
#endif

static bool is_written(FILE *file)
{
	return file != NULL && file != stdout && file != stderr && __fwriting(file) != 0;
}

VISIBLE int fflush(FILE *file)
{
	int (*next)(FILE *);

	if (is_written(file) && FAILS(WRITE)) {
		errno = ENOSPC;
		return EOF;
	}
	NEXT("fflush");
	return next(file);
}

/* The file is closed all the same. */
VISIBLE int fclose(FILE *file)
{
	int (*next)(FILE *);
	bool failed = is_written(file) && FAILS(WRITE);

	NEXT("fclose");
	int result = next(file);
	if (!failed)
		return result;
	errno = ENOSPC;
	return EOF;
}

#define TRUNCATE_CALL(name)                                                                        \
	VISIBLE int name(int file, off_t size)                                                     \
	{                                                                                          \
		if (FAILS(TRUNCATE)) {                                                             \
			errno = EIO;                                                               \
			return -1;                                                                 \
		}                                                                                  \
		return (int)syscall(SYS_ftruncate, file, size);                                    \
	}
TRUNCATE_CALL(ftruncate)
#ifndef ftruncate64 /* musl: another name of the same function */
TRUNCATE_CALL(ftruncate64)
#endif

#define ALLOCATE_CALL(name)                                                                        \
	VISIBLE int name(int file, off_t place, off_t size)                                        \
	{                                                                                          \
		int (*next)(int, off_t, off_t);                                                    \
		if (FAILS(ALLOCATE))                                                               \
			return ENOSPC;                                                             \
		NEXT(#name);                                                                       \
		return next(file, place, size);                                                    \
	}
ALLOCATE_CALL(posix_fallocate)
#ifndef posix_fallocate64 /* musl: another name of the same function */
ALLOCATE_CALL(posix_fallocate64)
#endif

#define FALLOCATE_CALL(name)                                                                       \
	VISIBLE int name(int file, int mode, off_t place, off_t size)                              \
	{                                                                                          \
		if (FAILS(ALLOCATE)) {                                                             \
			errno = ENOSPC;                                                            \
			return -1;                                                                 \
		}                                                                                  \
		return (int)syscall(SYS_fallocate, file, mode, place, size);                       \
	}
FALLOCATE_CALL(fallocate)
#ifndef fallocate64 /* musl: another name of the same function */
FALLOCATE_CALL(fallocate64)
#endif

#define MAP_CALL(name)                                                                             \
	VISIBLE void *name(                                                                        \
	    void *address, size_t size, int protection, int flags, int file, off_t place)          \
	{                                                                                          \
		if (FAILS(MAP)) {                                                                  \
			errno = ENOMEM;                                                            \
			return MAP_FAILED;                                                         \
		}                                                                                  \
		return (void *)syscall(SYS_mmap, address, size, protection, flags, file, place);   \
	}
MAP_CALL(mmap)
#ifndef mmap64 /* musl: another name of the same function */
MAP_CALL(mmap64)
#endif

VISIBLE void *mremap(void *address, size_t old_size, size_t size, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	void *wanted = (flags & MREMAP_FIXED) != 0 ? va_arg(arguments, void *) : NULL;
	va_end(arguments);
	if (FAILS(REMAP)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mremap, address, old_size, size, flags, wanted);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);

VISIBLE int renameat2(
    int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
	if (FAILS(RENAME)) {
		errno = EACCES;
		return -1;
	}
	return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

VISIBLE int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	if (FAILS(RENAME)) {
		errno = EACCES;
		return -1;
	}
	return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}

VISIBLE int rename(const char *from, const char *to)
{
	if (FAILS(RENAME)) {
		errno = EACCES;
		return -1;
	}
	return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/*
 * Which OTF2 calls for an archive: it asks the resolver, which (glibc 2.36) keeps its lock when it
 * finds no memory, and waits for it the next time. What it takes is the C library's.
 */
VISIBLE long gethostid(void)
{
	long (*next)(void);

	NEXT("gethostid");
	bool before = inside;
	inside = true;
	long result = next();
	inside = before;
	return result;
}

VISIBLE int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

	if (FAILS(THREAD))
		return EAGAIN;
	NEXT("pthread_create");
	return next(thread, attributes, start, argument);
}

/* The C library's own names, for dlsym() takes memory itself. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

VISIBLE void *malloc(size_t size)
{
	return FAILS(MEMORY) ? no_memory() : __libc_malloc(size);
}

VISIBLE void *calloc(size_t count, size_t size)
{
	return FAILS(MEMORY) ? no_memory() : __libc_calloc(count, size);
}

VISIBLE void *realloc(void *memory, size_t size)
{
	return FAILS(MEMORY) ? no_memory() : __libc_realloc(memory, size);
}

VISIBLE void *aligned_alloc(size_t alignment, size_t size)
{
	return FAILS(MEMORY) ? no_memory() : __libc_memalign(alignment, size);
}

VISIBLE int posix_memalign(void **memory, size_t alignment, size_t size)
{
	void *taken = FAILS(MEMORY) ? NULL : __libc_memalign(alignment, size);

	if (taken == NULL)
		return ENOMEM;
	*memory = taken;
	return 0;
}
