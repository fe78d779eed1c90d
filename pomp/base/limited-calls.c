/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks for the mode of seccomp. In a container there is a filter from the start, and another one
 * does not change the mode; but a process without privileges must give up new ones before it may
 * install a filter.
 */
#include "limited-calls.h"

#include <sys/prctl.h>

static int mode, privileges; /* at the start; -1: not known, as from a filter that refuses this */

static int no_new_privileges(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
}

void pomp_limits_note(void)
{
	mode = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
	privileges = no_new_privileges();
}

bool pomp_calls_are_limited(void)
{
	int now = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);

	return now != mode || (now > 0 && no_new_privileges() != privileges);
}
