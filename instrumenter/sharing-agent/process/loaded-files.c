/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The list is read when accesses begin to be noted, and again when the program ends, which needs
 * the loader's lock. In a signal handler the older list holds.
 */
#include "loaded-files.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 256, PATH_BYTES = 4096 };

struct loaded_file {
	uintptr_t bias, start, end;
	char path[PATH_BYTES];
};

static struct loaded_file files[MOST_FILES];
static unsigned file_count;

/* The program, which has no name in the list; read at the first time, before a chroot(). */
static char program[PATH_BYTES];

static void set_path(struct loaded_file *file, const char *name)
{
	if (name[0] == '\0' && program[0] == '\0' &&
	    readlink("/proc/self/exe", program, sizeof program - 1) < 0)
		program[0] = '\0';
	snprintf(file->path, sizeof file->path, "%s", name[0] != '\0' ? name : program);
}

static int add(struct dl_phdr_info *info, size_t size, void *context)
{
	struct loaded_file *file = &files[file_count];

	(void)size;
	(void)context;
	if (file_count == MOST_FILES)
		return 1;
	*file = (struct loaded_file){.bias = info->dlpi_addr, .start = UINTPTR_MAX};
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const uintptr_t start = info->dlpi_addr + part->p_vaddr;
		if (part->p_type != PT_LOAD)
			continue;
		file->start = start < file->start ? start : file->start;
		file->end = start + part->p_memsz > file->end ? start + part->p_memsz : file->end;
	}
	set_path(file, info->dlpi_name);
	file_count++;
	return 0;
}

void loaded_files_read(void)
{
	file_count = 0;
	dl_iterate_phdr(add, NULL);
}

void loaded_files_each(void (*found)(const char *path, uintptr_t bias))
{
	for (unsigned i = 0; i < file_count; i++)
		found(files[i].path, files[i].bias);
}

uintptr_t loaded_file_offset(uintptr_t address, const char **path)
{
	for (unsigned i = 0; i < file_count; i++)
		if (address >= files[i].start && address < files[i].end) {
			*path = files[i].path;
			return address - files[i].bias;
		}
	*path = NULL;
	return address;
}
