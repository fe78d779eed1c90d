/* SPDX-License-Identifier: BSD-3-Clause */
/* By the personality of the process, which its children inherit. */
#include "fixed-addresses.h"

#include <sys/personality.h>

/* Where it is not allowed, what ThreadSanitizer cannot do with is in the program's own words. */
void fixed_addresses_set(void)
{
	int old = personality(0xffffffff);

	if (old >= 0)
		(void)personality((unsigned long)old | ADDR_NO_RANDOMIZE);
}
