/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into a program: the k-th request for memory that the runtime makes has no memory, k
 * from FAIL_AT; from then on all others have. Requests of the program and of libc are left alone:
 * the return address shows whose a request is. Says on stderr that it happened.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

#define REPLACES __attribute__((visibility("default")))

static bool fails_now(const void *caller)
{
	static _Atomic long requests;
	static const char happened[] = "memory-fails: no memory\n";
	const char *at = getenv("FAIL_AT");
	Dl_info place;

	if (at == NULL || dladdr(caller, &place) == 0)
		return false;
	/* The name that the program is linked with: GNU's or LLVM's. */
	if (!strstr(place.dli_fname, "libgomp.so") && !strstr(place.dli_fname, "libomp.so"))
		return false;
	if (++requests != atol(at))
		return false;
	(void)!write(STDERR_FILENO, happened, sizeof(happened) - 1);
	errno = ENOMEM;
	return true;
}

REPLACES void *malloc(size_t size)
{
	return fails_now(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

REPLACES void *calloc(size_t count, size_t size)
{
	return fails_now(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

REPLACES void *realloc(void *memory, size_t size)
{
	return fails_now(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

REPLACES void *aligned_alloc(size_t alignment, size_t size)
{
	return fails_now(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}
