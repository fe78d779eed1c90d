/* SPDX-License-Identifier: BSD-3-Clause */
/* By the personality of the process, which its children inherit. */
#include "fixed-addresses.h"

#include <stdio.h>
#include <sys/personality.h>

enum { MOST_MAPPING_BITS = 28 }; /* of vm.mmap_rnd_bits that ThreadSanitizer can do with */

bool fixed_addresses_set(void)
{
	int old = personality(0xffffffff);

	return old >= 0 && personality((unsigned long)old | ADDR_NO_RANDOMIZE) >= 0;
}

void fixed_addresses_set_if_needed(void)
{
	FILE *file = fopen("/proc/sys/vm/mmap_rnd_bits", "re");
	int bits = 0;

	if (file == NULL)
		return;
	/* Where it is not allowed, the program's own words say so. */
	if (fscanf(file, "%d", &bits) == 1 && bits > MOST_MAPPING_BITS)
		fixed_addresses_set();
	fclose(file);
}
