/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes why a conversion failed. */
#include "failure.h"

#include <stdio.h>

int convert_fail(char **error, const char *place, const char *what)
{
	if (asprintf(error, "%s: %s", place, what) < 0)
		*error = NULL;
	return -1;
}
