/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded: files are mapped as on a machine with pages of 64 KiB, where an offset that is no
 * multiple of that is refused.
 */
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE_BYTES = 64 << 10 };

/* Of the name that the library's code calls: where files may be large that is mmap64(). */
__attribute__((visibility("default"))) void *mmap(
    void *place, size_t bytes, int protection, int flags, int file, off_t offset)
{
	if (file >= 0 && offset % PAGE_BYTES != 0) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, place, bytes, protection, flags, file, offset);
}
