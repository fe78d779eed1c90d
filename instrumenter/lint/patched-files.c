/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the changes of a patch to the user's files. */
#include "patched-files.h"

#include "construct-report.h"

bool patched_files_write(const struct patch *patch)
{
	bool written = true;

	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_file *file = &patch->files[i];
		const char *reason;

		if (file->count == 0)
			continue;
		if (patch_write(file, &reason) == 0) {
			fprintf(stderr, "%s: changed\n", file->name);
		} else {
			report_error(file->name, "is left as it is: %s", reason);
			written = false;
		}
	}
	return written;
}
