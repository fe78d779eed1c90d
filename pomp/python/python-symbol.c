/* SPDX-License-Identifier: BSD-3-Clause */
/* By the loader: the interpreter is the program, or one of its libraries. */
#include "python-symbol.h"

#include <dlfcn.h>

void *pomp_python_symbol(const char *name)
{
	return dlsym(RTLD_DEFAULT, name);
}
