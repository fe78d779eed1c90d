/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of regions in a trace: for the converter, and for filters, which match them. */
#include "shared/trace-name.h"

#include <stdio.h>
#include <string.h>

char *trace_name(const char *before, const char *construct, const char *sub_name, const char *after,
    const char *file, int line)
{
	const char *slash = strrchr(file, '/');
	int named = sub_name[0] != '\0';
	char *name;

	if (line <= 0) /* the text in place of the file has no lines */
		return asprintf(&name, "!$omp %s%s%s%s%s%s @%s", before, construct,
			   named ? "(" : "", sub_name, named ? ")" : "", after,
			   slash != NULL ? slash + 1 : file) < 0
			   ? NULL
			   : name;
	if (asprintf(&name, "!$omp %s%s%s%s%s%s @%s:%d", before, construct, named ? "(" : "",
		sub_name, named ? ")" : "", after, slash != NULL ? slash + 1 : file, line) < 0)
		return NULL;
	return name;
}
