/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a line of a cold and of a hot subject, and says whether errno and the arguments survive.
 */
#include "shared/debug-log.h"

#include <errno.h>
#include <stdio.h>

static int evaluated;

static int evaluate(void)
{
	return ++evaluated;
}

int main(void)
{
	errno = 42;
	DEBUG_LOG(experiment, "folder '%s' is number %d", "abc", evaluate());
	DEBUG_LOG(experiment, "%0700d", evaluate());
	DEBUG_LOG(event, "enter %d", evaluate());
	DEBUG_LOG(team, "of another room %d", evaluate());
	printf("evaluated %d, errno %d, hot %d\n", evaluated, errno, DEBUG_LOG_HAS_HOT);
	return 0;
}
