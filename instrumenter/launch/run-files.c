/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and opens them before the program runs, so that nothing is run in vain. */
#include "run-files.h"

#include "construct-report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool run_folder_make(struct scratch *scratch, const char *unwanted, const char *expected)
{
	if (scratch_init(scratch) != 0) {
		report_error(NULL, "no folder for temporary files: %s; TMPDIR can name one",
		    strerror(errno));
		return false;
	}
	char *path = realpath(scratch->folder, NULL);
	if (path == NULL || strpbrk(path, unwanted) != NULL) {
		report_error(NULL,
		    "the folder for temporary files is '%s': expected one %s; TMPDIR can name one",
		    scratch->folder, expected);
		free(path);
		return false;
	}
	free(scratch->folder);
	scratch->folder = path;
	return true;
}

bool run_report_open(FILE **out, const char *path, bool is_text, const char *others)
{
	*out = NULL;
	if (path == NULL && !is_text) {
		report_error(NULL,
		    "%s --output=FILE: standard output and error are the program's own; nothing "
		    "is run",
		    others);
		return false;
	}
	if (path == NULL)
		return true;
	*out = fopen(path, "we");
	if (*out != NULL)
		return true;
	report_error(
	    NULL, "cannot write the report to '%s': %s; nothing is run", path, strerror(errno));
	return false;
}
