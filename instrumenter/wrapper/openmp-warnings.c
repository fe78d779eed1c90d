/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Prints the findings of `ompinst lint` among the compiler's warnings of the file. The compilation
 * continues.
 */
#include "openmp-warnings.h"

#include "construct-report.h"
#include "print-findings.h"

#include <stdlib.h>

void openmp_warnings_print(struct process_watch *watch, const struct inst_input *input,
    lint_set checks, const char *record_path)
{
	struct findings findings = {0};
	struct lint_report report;
	char *error = NULL;

	if (lint_process_run(watch, input, checks, record_path, &report, &error) != 0) {
		report_warning(
		    input->file_name, "cannot check it: %s", error ? error : "out of memory");
		free(error);
		return;
	}
	findings_add(&findings, &report);
	findings_print(stderr, &findings, NULL, LINT_FORMAT_TEXT);
	findings_finish(&findings);
	lint_report_finish(&report);
}
