/* SPDX-License-Identifier: BSD-3-Clause */
/* For libpomp.a: a static program has no names for addresses. */
#include "code-module.h"

#include <stddef.h>

const struct pomp_module *pomp_module_find(const void *address)
{
	(void)address;
	return NULL;
}

bool pomp_module_is_at(const struct pomp_module *module, const void *address)
{
	(void)module, (void)address;
	return false;
}
