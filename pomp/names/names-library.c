/* SPDX-License-Identifier: BSD-3-Clause */
/* For libpomp.so: loads libpomp_names.so, which needs libdw; libpomp itself does not. */
#include "names-library.h"

#include "load-library.h"

#include <stddef.h>

const struct code_names_table *pomp_names_load(const char **reason)
{
	const struct code_names_table *table =
	    pomp_library_load(CODE_NAMES_LIBRARY, CODE_NAMES_SYMBOL, reason);

	if (table != NULL && table->version != CODE_NAMES_VERSION) {
		*reason = CODE_NAMES_LIBRARY ": of another version";
		return NULL;
	}
	return table;
}
