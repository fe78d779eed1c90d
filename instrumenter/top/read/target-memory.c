/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads by process_vm_readv(2), through a small cache of pages. */
#include "target-memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

static int fetch_from_process(
    const struct target_memory *memory, uint64_t address, void *buffer, size_t bytes)
{
	struct iovec here = {buffer, bytes};
	struct iovec there = {(void *)(uintptr_t)address, bytes};
	ssize_t got = process_vm_readv(memory->process, &here, 1, &there, 1, 0);

	if (got < 0)
		return errno;
	return (size_t)got == bytes ? 0 : EFAULT;
}

bool target_memory_init(struct target_memory *memory, pid_t process)
{
	*memory = (struct target_memory){.process = process, .fetch = fetch_from_process};
	memory->pages = calloc(TARGET_PAGES, sizeof *memory->pages);
	memory->left = TARGET_MOST_BYTES;
	return memory->pages != NULL;
}

void target_memory_begin(struct target_memory *memory)
{
	for (size_t i = 0; i < TARGET_PAGES; i++)
		memory->pages[i].start = 0;
	memory->left = TARGET_MOST_BYTES;
	memory->problem = 0;
}

static bool fetch(struct target_memory *memory, uint64_t address, void *buffer, size_t bytes)
{
	int problem = bytes > memory->left ? E2BIG : 0;

	if (problem == 0) {
		memory->left -= bytes;
		problem = memory->fetch(memory, address, buffer, bytes);
	}
	if (problem != 0)
		memory->problem = problem;
	return problem == 0;
}

/* The page that begins there, or NULL. Page 0 never exists. */
static const struct target_page *find_page(struct target_memory *memory, uint64_t start)
{
	struct target_page *page = &memory->pages[start / TARGET_PAGE_BYTES % TARGET_PAGES];

	if (start == 0)
		return NULL;
	if (page->start == start)
		return page;
	page->start = 0;
	if (!fetch(memory, start, page->bytes, TARGET_PAGE_BYTES))
		return NULL;
	page->start = start;
	return page;
}

bool target_memory_read_now(
    struct target_memory *memory, const struct live_part *parts, size_t count)
{
	struct iovec here[LIVE_MOST_PARTS], there[LIVE_MOST_PARTS];
	size_t bytes = 0;
	ssize_t got = -1;

	for (size_t i = 0; i < count; i++) {
		here[i] = (struct iovec){parts[i].buffer, parts[i].bytes};
		there[i] = (struct iovec){(void *)(uintptr_t)parts[i].address, parts[i].bytes};
		bytes += parts[i].bytes;
	}
	if (memory->fetch == fetch_from_process && bytes <= memory->left) {
		memory->left -= bytes;
		got = process_vm_readv(memory->process, here, count, there, count, 0);
		memory->problem = got < 0 ? errno : (size_t)got == bytes ? 0 : EFAULT;
		return memory->problem == 0;
	}
	for (size_t i = 0; i < count; i++)
		if (!fetch(memory, parts[i].address, parts[i].buffer, parts[i].bytes))
			return false;
	return true;
}

bool target_memory_read(struct target_memory *memory, uint64_t address, void *buffer, size_t bytes)
{
	unsigned char *to = buffer;

	if (bytes > UINT64_MAX - address) {
		memory->problem = EFAULT;
		return false;
	}
	if (bytes > TARGET_PAGE_BYTES)
		return fetch(memory, address, buffer, bytes);
	while (bytes > 0) {
		uint64_t start = address - address % TARGET_PAGE_BYTES;
		size_t part = TARGET_PAGE_BYTES - (size_t)(address - start);
		const struct target_page *page = find_page(memory, start);
		if (page == NULL) {
			if (memory->problem == 0)
				memory->problem = EFAULT;
			return false;
		}
		part = part < bytes ? part : bytes;
		memcpy(to, page->bytes + (address - start), part);
		to += part;
		address += part;
		bytes -= part;
	}
	return true;
}

void target_memory_finish(struct target_memory *memory)
{
	free(memory->pages);
	memory->pages = NULL;
}
