/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads libompd.so and answers its callbacks. Only processes of this machine's own kind are read.
 */
#include "debugger-library.h"

#include "error-text.h"
#include "shared/debug-fields.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { API_VERSION = 202011 };

static ompd_rc_t allocate(ompd_size_t bytes, void **memory)
{
	*memory = malloc(bytes);
	return *memory != NULL ? ompd_rc_ok : ompd_rc_nomem;
}

static ompd_rc_t release(void *memory)
{
	free(memory);
	return ompd_rc_ok;
}

static ompd_rc_t give_sizes(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
	(void)context;
	*sizes = (ompd_device_type_sizes_t){sizeof(char), sizeof(short), sizeof(int), sizeof(long),
	    sizeof(long long), sizeof(void *)};
	return ompd_rc_ok;
}

static ompd_rc_t look_up(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
    const char *name, ompd_address_t *address, const char *file)
{
	const struct debugger_target *target = (const void *)context;

	(void)thread;
	(void)file;
	if (strcmp(name, RT_DEBUG_TABLE_SYMBOL) != 0 || target->table == 0)
		return ompd_rc_error;
	*address = (ompd_address_t){OMPD_SEGMENT_UNSPECIFIED, target->table};
	return ompd_rc_ok;
}

static ompd_rc_t read_bytes(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
    const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
	struct debugger_target *target = (void *)context;

	(void)thread;
	return target_memory_read(&target->memory, address->address, buffer, bytes)
		   ? ompd_rc_ok
		   : ompd_rc_device_read_error;
}

static ompd_rc_t convert(ompd_address_space_context_t *context, const void *input, ompd_size_t unit,
    ompd_size_t count, void *output)
{
	(void)context;
	memcpy(output, input, unit * count);
	return ompd_rc_ok;
}

static ompd_rc_t find_thread(ompd_address_space_context_t *context, ompd_thread_id_t kind,
    ompd_size_t bytes, const void *id, ompd_thread_context_t **thread)
{
	const struct debugger_target *target = (const void *)context;
	char path[96];
	uint32_t number;

	if (kind != OMPD_THREAD_ID_LWP || bytes != sizeof number)
		return ompd_rc_unsupported;
	memcpy(&number, id, sizeof number);
	snprintf(path, sizeof path, "/proc/%ld/task/%u", (long)target->memory.process, number);
	if (access(path, F_OK) != 0)
		return ompd_rc_unavailable;
	*thread = (ompd_thread_context_t *)context;
	return ompd_rc_ok;
}

static const ompd_callbacks_t callbacks = {
    .alloc_memory = allocate,
    .free_memory = release,
    .sizeof_type = give_sizes,
    .symbol_addr_lookup = look_up,
    .read_memory = read_bytes,
    .read_string = read_bytes,
    .device_to_host = convert,
    .get_thread_context_for_thread_id = find_thread,
};

/* dlsym()'s result is no pointer to a function in ISO C, so its bytes are copied. */
static bool find(void *handle, const char *name, void *function)
{
	void *symbol = dlsym(handle, name);

	memcpy(function, &symbol, sizeof symbol);
	return symbol != NULL;
}

bool debugger_library_open(struct debugger_library *library, const char *path, char **error)
{
	*library = (struct debugger_library){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
	if (library->handle == NULL)
		return error_set(
		    error, "cannot load the runtime's debugger library: %s", dlerror());
#define DEBUGGER_FIND(name)                                                                        \
	if (!find(library->handle, #name, &library->name)) {                                       \
		dlclose(library->handle);                                                          \
		library->handle = NULL;                                                            \
		return error_set(                                                                  \
		    error, "'%s' has no %s; expected the one of this version", path, #name);       \
	}
	DEBUGGER_FUNCTIONS(DEBUGGER_FIND)
#undef DEBUGGER_FIND
	if (library->ompd_initialize(API_VERSION, &callbacks) == ompd_rc_ok)
		return true;
	dlclose(library->handle);
	library->handle = NULL;
	return error_set(error, "'%s' cannot be initialised", path);
}

void debugger_library_close(struct debugger_library *library)
{
	if (library->handle == NULL)
		return;
	library->ompd_finalize();
	dlclose(library->handle);
	library->handle = NULL;
}
