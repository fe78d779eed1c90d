/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors as texts that the caller owns. */
#include "error-text.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(char **error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	if (vasprintf(error, format, arguments) < 0)
		*error = NULL;
	va_end(arguments);
	return false;
}
