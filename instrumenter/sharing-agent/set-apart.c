/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls are known by the offset of their return address in their file, whichever file it is: where
 * files are loaded changes from run to run.
 */
#include "set-apart.h"

#include "loaded-files.h"

#include "sharing-format.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 16 };

/* Constant after the begin. */
static uintptr_t calls[MOST_CALLS];
static unsigned call_count;

void set_apart_begin(const char *words)
{
	for (const char *at = words; (at = strstr(at, SHARING_APART "=")) != NULL;) {
		at += strlen(SHARING_APART "=");
		if (call_count < MOST_CALLS)
			calls[call_count++] = strtoull(at, NULL, 16);
	}
}

bool set_apart_has(uintptr_t caller)
{
	const char *file;

	if (call_count == 0)
		return false;
	const uintptr_t offset = loaded_file_offset(caller, &file);
	for (unsigned i = 0; i < call_count; i++)
		if (calls[i] == offset)
			return true;
	return false;
}
