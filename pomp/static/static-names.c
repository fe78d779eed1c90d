/* SPDX-License-Identifier: BSD-3-Clause */
/* For libpomp.a: static programs cannot load libraries, and have no regions without names. */
#include "names-library.h"

#include <stddef.h>

const struct code_names_table *pomp_names_load(const char **reason)
{
	*reason = "the program is linked statically";
	return NULL;
}
