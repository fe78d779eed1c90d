/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Initialisation of the library, and its versions. The debugger calls ompd_initialize() once,
 * before everything except the versions, whose text is constant data and needs no memory.
 */
#include "library.h"

#include <string.h>

#include "build-id.h"
#include "shared/debug-fields.h"

#define STRING_OF(x) #x
#define TEXT_OF(x)   STRING_OF(x)

/* In the form of _OPENMP (OpenMP 5.2, 20.5.1.2). What 5.2 adds to 5.1 is supported as well. */
#define API_VERSION RT_DEBUG_OPENMP

static const ompd_word_t supported_versions[] = {201811, API_VERSION, 202111};

static const char version_string[] = "ompinst libompd " OMPINST_VERSION ", OMPD " TEXT_OF(
    API_VERSION) ", field table " TEXT_OF(RT_DEBUG_VERSION) ", build " OMPD_BUILD_ID;

static ompd_callbacks_t callbacks;
static int is_initialized;

const ompd_callbacks_t *library_callbacks(void)
{
	return is_initialized ? &callbacks : NULL;
}

ompd_rc_t library_alloc(ompd_size_t bytes, void **memory)
{
	void *block = NULL;
	ompd_rc_t rc;

	if (!is_initialized)
		return ompd_rc_error;
	rc = callbacks.alloc_memory(bytes, &block);
	if (rc != ompd_rc_ok)
		return rc;
	if (block == NULL)
		return ompd_rc_nomem;
	memset(block, 0, bytes);
	*memory = block;
	return ompd_rc_ok;
}

ompd_rc_t library_free(void *memory)
{
	return is_initialized ? callbacks.free_memory(memory) : ompd_rc_error;
}

ompd_rc_t ompd_get_api_version(ompd_word_t *version)
{
	if (version == NULL)
		return ompd_rc_bad_input;
	*version = API_VERSION;
	return ompd_rc_ok;
}

ompd_rc_t ompd_get_version_string(const char **string)
{
	if (string == NULL)
		return ompd_rc_bad_input;
	*string = version_string;
	return ompd_rc_ok;
}

/*
 * Callbacks that this library never calls (print_string, write_memory, host_to_device, the thread
 * context) may be missing; all others are required.
 *   ompd_rc_bad_input    callbacks or a required one is NULL
 *   ompd_rc_unsupported  the library does not implement the version
 *   ompd_rc_error        the library is already initialised
 */
ompd_rc_t ompd_initialize(ompd_word_t api_version, const ompd_callbacks_t *given)
{
	int is_known = 0;

	if (given == NULL || given->alloc_memory == NULL || given->free_memory == NULL ||
	    given->sizeof_type == NULL || given->symbol_addr_lookup == NULL ||
	    given->read_memory == NULL || given->read_string == NULL ||
	    given->device_to_host == NULL)
		return ompd_rc_bad_input;
	for (size_t i = 0; i < sizeof(supported_versions) / sizeof(supported_versions[0]); i++)
		is_known |= supported_versions[i] == api_version;
	if (!is_known)
		return ompd_rc_unsupported;
	if (is_initialized)
		return ompd_rc_error;
	callbacks = *given;
	is_initialized = 1;
	return ompd_rc_ok;
}

/*
 * Handles that the debugger still has are in its memory, and can no longer be freed without the
 * callbacks.
 */
ompd_rc_t ompd_finalize(void)
{
	if (!is_initialized)
		return ompd_rc_unsupported;
	is_initialized = 0;
	memset(&callbacks, 0, sizeof(callbacks));
	return ompd_rc_ok;
}
