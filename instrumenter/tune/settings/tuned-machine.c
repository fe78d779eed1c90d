/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out about the machine what decides which settings make sense on it. */
#include "tuned-settings.h"

#include "shared/read-text.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first number of the list of a processor's siblings: one for each core. */
static long first_sibling(unsigned processor)
{
	char path[96], text[64];

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list",
	    processor);
	return read_text(path, text, sizeof text) ? strtol(text, NULL, 10) : (long)processor;
}

static void count_processors(struct tuned_machine *machine)
{
	cpu_set_t allowed, seen;

	machine->processors = machine->cores = 1;
	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
		return;
	CPU_ZERO(&seen);
	for (unsigned i = 0; i < CPU_SETSIZE; i++) {
		if (!CPU_ISSET(i, &allowed))
			continue;
		long core = first_sibling(i);
		if (core >= 0 && core < CPU_SETSIZE)
			CPU_SET((size_t)core, &seen);
	}
	machine->processors = (unsigned)CPU_COUNT(&allowed);
	machine->cores = (unsigned)CPU_COUNT(&seen);
}

/* Is the C library glibc of at least version 2.MINOR? */
static bool is_glibc_since(int minor)
{
#ifdef _CS_GNU_LIBC_VERSION
	char version[64] = "";
	int major_found = 0, minor_found = 0;

	if (confstr(_CS_GNU_LIBC_VERSION, version, sizeof version) == 0 ||
	    sscanf(version, "glibc %d.%d", &major_found, &minor_found) != 2)
		return false;
	return major_found > 2 || minor_found >= minor;
#else
	(void)minor;
	return false;
#endif
}

void tuned_machine_find(struct tuned_machine *machine)
{
	char text[128];

	count_processors(machine);
	machine->has_glibc = is_glibc_since(0);
	machine->has_advice =
	    is_glibc_since(35) &&
	    read_text("/sys/kernel/mm/transparent_hugepage/enabled", text, sizeof text) &&
	    strstr(text, "[madvise]") != NULL;
	machine->has_huge_pages = is_glibc_since(35) &&
				  read_text("/proc/sys/vm/nr_hugepages", text, sizeof text) &&
				  strtol(text, NULL, 10) > 0;
}
