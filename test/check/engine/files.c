/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files and mappings of a run. A run may be abandoned at any step, so nothing real is opened. A
 * file is a number without contents; names belong to an empty file system in which everything can
 * be created. A mapping is memory of the run, initially zero, at an address that is used only once.
 * A thread that accesses it after munmap() fails the run.
 */
#include "engine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FIRST_FILE = 1 << 20, FILES = 64, UNMAPPED = 64, PAGE = 4096 };
#define ARENA_AT    ((char *)0x610000000000)
#define ARENA_BYTES ((size_t)1 << 30)

static bool is_open[FILES];
static char *arena;
static size_t top;
static struct {
	uintptr_t begin, end;
} unmapped[UNMAPPED];
static uint32_t unmapped_count;

void files_reset(void)
{
	for (int i = 0; i < FILES; i++)
		is_open[i] = false;
	if (arena == NULL) {
		arena = mmap(ARENA_AT, ARENA_BYTES, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
		if (arena == MAP_FAILED)
			abort();
	}
	if (top > 0)
		madvise(arena, top, MADV_DONTNEED);
	top = 0;
	unmapped_count = 0;
}

static bool is_mapping(uintptr_t address)
{
	return arena != NULL && address - (uintptr_t)arena < ARENA_BYTES;
}

void files_access(uintptr_t address, size_t size, const void *place)
{
	if (!is_mapping(address))
		return;
	for (uint32_t i = 0; i < unmapped_count; i++)
		if (address < unmapped[i].end && address + size > unmapped[i].begin)
			report_failure(
			    place, "use of memory after munmap(), at %#lx", (unsigned long)address);
}

void *__wrap_mmap64(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap64(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	char *block;

	if (check_self == NULL)
		return mmap(at, bytes, protection, flags, file, offset);
	bytes = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
	if (top + bytes + PAGE > ARENA_BYTES) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	block = arena + top;
	top += bytes + PAGE;
	return block;
}

/* An access that is not ordered before this call races with it. */
int __wrap_munmap(void *block, size_t bytes);
int __wrap_munmap(void *block, size_t bytes)
{
	uintptr_t begin = (uintptr_t)block;

	if (check_self == NULL || !is_mapping(begin))
		return munmap(block, bytes);
	files_access(begin, bytes, __builtin_return_address(0));
	if (unmapped_count == UNMAPPED)
		report_failure(NULL, "more than %d mappings given back in one run", UNMAPPED);
	shadow_give_back(begin, bytes, __builtin_return_address(0));
	unmapped[unmapped_count].begin = begin;
	unmapped[unmapped_count++].end = begin + bytes;
	return 0;
}

int __wrap_madvise(void *block, size_t bytes, int advice);
int __wrap_madvise(void *block, size_t bytes, int advice)
{
	return check_self == NULL ? madvise(block, bytes, advice) : 0;
}

int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list list;

	va_start(list, flags);
	if (flags & O_CREAT)
		mode = va_arg(list, mode_t);
	va_end(list);
	if (check_self == NULL)
		return open(path, flags, mode);
	for (int i = 0; (flags & O_CREAT) != 0 && i < FILES; i++)
		if (!is_open[i]) {
			is_open[i] = true;
			return FIRST_FILE + i;
		}
	errno = flags & O_CREAT ? EMFILE : ENOENT;
	return -1;
}

static bool is_file(int file)
{
	if (file >= FIRST_FILE && file < FIRST_FILE + FILES && is_open[file - FIRST_FILE])
		return true;
	errno = EBADF;
	return false;
}

int __wrap_close(int file);
int __wrap_close(int file)
{
	if (check_self == NULL)
		return close(file);
	if (!is_file(file))
		return -1;
	is_open[file - FIRST_FILE] = false;
	return 0;
}

int __wrap_fstat64(int file, struct stat *status);
int __wrap_fstat64(int file, struct stat *status)
{
	if (check_self == NULL)
		return fstat(file, status);
	if (!is_file(file))
		return -1;
	*status = (struct stat){.st_dev = 1, .st_ino = (ino_t)file};
	return 0;
}

int __wrap_ftruncate64(int file, off_t size);
int __wrap_ftruncate64(int file, off_t size)
{
	if (check_self == NULL)
		return ftruncate(file, size);
	return is_file(file) ? 0 : -1;
}

int __wrap_posix_fallocate64(int file, off_t offset, off_t size);
int __wrap_posix_fallocate64(int file, off_t offset, off_t size)
{
	if (check_self == NULL)
		return posix_fallocate(file, offset, size);
	return is_file(file) ? 0 : EBADF;
}

ssize_t __wrap_pwrite64(int file, const void *data, size_t size, off_t offset);
ssize_t __wrap_pwrite64(int file, const void *data, size_t size, off_t offset)
{
	if (check_self == NULL)
		return pwrite(file, data, size, offset);
	return is_file(file) ? (ssize_t)size : -1;
}

ssize_t __wrap_pwritev64(int file, const struct iovec *parts, int count, off_t offset);
ssize_t __wrap_pwritev64(int file, const struct iovec *parts, int count, off_t offset)
{
	size_t size = 0;

	if (check_self == NULL)
		return pwritev(file, parts, count, offset);
	for (int i = 0; i < count; i++)
		size += parts[i].iov_len;
	return is_file(file) ? (ssize_t)size : -1;
}

int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode)
{
	return check_self == NULL ? mkdir(path, mode) : 0;
}

int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
	return check_self == NULL ? rename(from, to) : 0;
}
