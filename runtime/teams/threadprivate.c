/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threadprivate variables of code that is compiled without thread-local storage. A variable is
 * identified by its address; its record is made once and stays until the process ends. Threads keep
 * lists of their copies. Functions of the program are called without the mutex, which guards the
 * map and what is made once.
 */
#include "threadprivate.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "mutex.h"
#include "shared/hash-map.h"
#include "shared/precondition.h"
#include "thread.h"

struct variable {
	struct variable *older;
	void *original;
	size_t size;
	void *image;   /* initial bytes of copies; NULL: zeros, or not known yet */
	void **places; /* RT_GLOBAL_NUMBERS entries; NULL: no thread asked yet */
	struct rt_threadprivate_functions functions;
};

/* A thread's copy, or the variable itself if the thread uses that. */
struct rt_copy {
	struct rt_copy *older;
	struct variable *variable;
	void *memory;
};

enum { ALIGNMENT = 64 }; /* of copies: suffices for vectors, and threads share no line */

static struct {
	struct rt_mutex mutex;
	struct map by_address;
	struct variable *newest;
	bool follows_forks;
} variables;

static void lock(void)
{
	rt_mutex_lock(&variables.mutex);
}

static void unlock(void)
{
	rt_mutex_unlock(&variables.mutex);
}

/* A thread beyond the last number has no entry of its own. */
static void set_place(const struct rt_thread *self, const struct variable *variable, void *memory)
{
	if (self->global_number < RT_GLOBAL_NUMBERS)
		variable->places[self->global_number] = memory;
}

/* The child has only the calling thread, which has another number there. */
static void after_fork(void)
{
	struct rt_thread *self = rt_current;

	for (struct variable *variable = variables.newest; variable; variable = variable->older)
		for (uint32_t i = 0; variable->places && i < RT_GLOBAL_NUMBERS; i++)
			if (variable->places[i])
				variable->places[i] = NULL;
	for (struct rt_copy *copy = self ? self->copies : NULL; copy; copy = copy->older)
		set_place(self, copy->variable, copy->memory);
	unlock();
}

static _Noreturn void die(size_t size)
{
	rt_fatal("no memory for a threadprivate variable (%zu bytes); the program ends here", size);
}

/* Returns the variable's record, and makes it if there is none. */
static struct variable *find(void *original)
{
	CHECK(rt_mutex_is_held(&variables.mutex), "the mutex is held");

	uint64_t found = map_find(&variables.by_address, (uintptr_t)original);
	struct variable *variable;

	if (found != MAP_NONE)
		return (struct variable *)(uintptr_t)found;
	if (!variables.follows_forks)
		pthread_atfork(lock, unlock, after_fork);
	variables.follows_forks = true;
	variable = calloc(1, sizeof(*variable));
	if (!variable || !map_set(&variables.by_address, (uintptr_t)original, (uintptr_t)variable))
		die(sizeof(*variable));
	variable->original = original;
	variable->older = variables.newest;
	variables.newest = variable;
	return variable;
}

void rt_threadprivate_describe(void *original, const struct rt_threadprivate_functions *functions)
{
	lock();
	find(original)->functions = *functions;
	unlock();
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
	return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* The first thread asks: no thread has changed the variable yet. */
static void begin(struct variable *variable, size_t size)
{
	CHECK(rt_mutex_is_held(&variables.mutex), "the mutex is held");
	variable->size = size;
	variable->places = calloc(RT_GLOBAL_NUMBERS, sizeof(*variable->places));
	if (!variable->places)
		die(RT_GLOBAL_NUMBERS * sizeof(*variable->places));
	if (variable->functions.construct || variable->functions.copy ||
	    is_zero(variable->original, size))
		return;
	variable->image = malloc(size);
	if (!variable->image)
		die(size);
	memcpy(variable->image, variable->original, size);
}

/* The initial thread uses the variable itself, because its code outside of regions does. */
static bool has_original(const struct rt_thread *self)
{
	return !self->is_worker && self->system_id == (uint32_t)getpid();
}

static void construct(const struct variable *variable, void *memory)
{
	const struct rt_threadprivate_functions *functions = &variable->functions;

	if (functions->construct && functions->count > 0)
		functions->construct_array(memory, functions->count);
	else if (functions->construct)
		functions->construct(memory);
	else if (functions->copy && functions->count > 0)
		functions->copy_array(memory, variable->original, functions->count);
	else if (functions->copy)
		functions->copy(memory, variable->original);
	else if (variable->image)
		memcpy(memory, variable->image, variable->size);
	else
		memset(memory, 0, variable->size);
}

static void *add_copy(struct rt_thread *self, struct variable *variable)
{
	struct rt_copy *copy = malloc(sizeof(*copy));
	size_t size = (variable->size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);

	if (!copy)
		die(sizeof(*copy));
	*copy = (struct rt_copy){self->copies, variable, variable->original};
	if (!has_original(self))
		copy->memory = aligned_alloc(ALIGNMENT, size > 0 ? size : ALIGNMENT);
	if (!copy->memory)
		die(size);
	self->copies = copy;
	/* Before the call: the constructor may ask for the variable, too. */
	set_place(self, variable, copy->memory);
	if (copy->memory != variable->original)
		construct(variable, copy->memory);
	return copy->memory;
}

void *rt_threadprivate_get(
    struct rt_thread *self, void *original, size_t size, rt_threadprivate_cache *cache)
{
	CHECK(self == rt_current, "the calling thread asks");

	struct variable *variable;

	lock();
	variable = find(original);
	if (!variable->places)
		begin(variable, size);
	unlock();
	if (cache)
		store_release(cache, variable->places);
	for (struct rt_copy *copy = self->copies; copy; copy = copy->older)
		if (copy->variable == variable)
			return copy->memory;
	return add_copy(self, variable);
}

/* Does nothing if the library of the destructor has been unloaded. */
static void destroy(const struct variable *variable, void *memory)
{
	const struct rt_threadprivate_functions *functions = &variable->functions;
	Dl_info place;

	if (!functions->destroy || dladdr((void *)(uintptr_t)functions->destroy, &place) == 0)
		return;
	if (functions->count > 0)
		functions->destroy_array(memory, functions->count);
	else
		functions->destroy(memory);
}

void rt_threadprivate_end(struct rt_thread *self)
{
	struct rt_copy *copy;

	while ((copy = self->copies) != NULL) {
		if (copy->memory != copy->variable->original) {
			destroy(copy->variable, copy->memory);
			free(copy->memory);
		}
		set_place(self, copy->variable, NULL);
		/* The destructor may have asked for another variable. */
		if (copy == self->copies) {
			self->copies = copy->older;
		} else {
			struct rt_copy *newer = self->copies;

			while (newer->older != copy)
				newer = newer->older;
			newer->older = copy->older;
		}
		free(copy);
	}
}
