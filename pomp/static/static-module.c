/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For libpomp.a: a static program has no names for addresses. It has no dlsym(), and the C library
 * that it was linked with.
 */
#include "code-module.h"

#include "find-object.h"

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

find_object *pomp_find_object(void)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE /* from glibc 2.35 on */
	return (find_object *)_dl_find_object;
#else
	return NULL;
#endif
}
