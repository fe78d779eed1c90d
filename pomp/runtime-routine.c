/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For libpomp.so: by name at run time, so that the program's version of a routine is found. A
 * reference without a version, which is all that a library not linked with the runtime can have,
 * would be bound to the oldest one, and that one takes nestable locks of another layout.
 * (static/runtime.c: for libpomp.a.)
 */
#include "runtime-routine.h"

#include <dlfcn.h>

runtime_routine *pomp_runtime_routine(const char *name)
{
	runtime_routine *found;

	*(void **)&found = dlsym(RTLD_DEFAULT, name);
	return found;
}
