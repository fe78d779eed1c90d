/* SPDX-License-Identifier: BSD-3-Clause */
/* A static program that has an interpreter in it is not looked at. */
#include "python-symbol.h"

#include <stddef.h>

void *pomp_python_symbol(const char *name)
{
	(void)name;
	return NULL;
}
