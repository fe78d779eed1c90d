/* SPDX-License-Identifier: BSD-3-Clause */
/* The program and the shared libraries that a process has mapped. */
#ifndef LOADED_MODULES_H
#define LOADED_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct loaded_module {
	char *path;          /* as the kernel says it, perhaps of another root or removed */
	uint64_t begin, end; /* the file's first page is at `begin` */
};

struct loaded_modules {
	struct loaded_module *items;
	size_t count, capacity;
};

/*
 * Reads /proc/PID/maps. 0, or an errno: EACCES of another user's process, ENOENT or ESRCH of one
 * that has ended. Empty for a process that has no memory, such as a zombie.
 */
int modules_read(pid_t process, struct loaded_modules *modules);

/* The module with the address, or NULL. */
const struct loaded_module *modules_find(const struct loaded_modules *modules, uint64_t address);

void modules_finish(struct loaded_modules *modules);

#endif
