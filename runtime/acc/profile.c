/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Registration of OpenACC's profiling callbacks (OpenACC 2.6, 5.3), and tools in libraries. Each
 * event has a list of callbacks in the order in which they were registered; a callback stays until
 * it was unregistered as often as it was registered. Events can be switched off and on for one
 * callback, for all callbacks of an event, for all events, and in one thread.
 */
#include "profile.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "message.h"
#include "mutex.h"
#include "shared/array.h"

enum { REGISTER = 0, TOGGLE = 1, TOGGLE_PER_THREAD = 2 };

/* Number of callbacks for which a thread that delivers an event has room on its stack. */
enum { FEW = 8 };

struct entry {
	acc_prof_callback callback;
	unsigned registrations; /* > 0 */
	bool disabled;
};

struct list {
	struct entry *entries;
	size_t count, capacity;
	bool disabled;
};

/*
 * Guards the lists and `disabled`. Nothing else is locked, and no callback called, while it is
 * held.
 */
static struct rt_mutex tools_lock;
static struct list lists[RT_ACC_EVENTS];
static bool disabled;

/*
 * Entries of all lists, written under the lock. Read relaxed: a thread that has to see a
 * registration is synchronised with it by the program, and so sees the count, too.
 */
static atomic_uint entries;

static _Thread_local bool disabled_in_thread PROCESSOR_THREAD_LOCAL;

bool rt_acc_has_tools(void)
{
	return load_relaxed(&entries) > 0;
}

static struct entry *find(struct list *list, acc_prof_callback callback)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->entries[i].callback == callback)
			return &list->entries[i];
	return NULL;
}

static void append(struct list *list, acc_prof_callback callback)
{
	struct entry entry = {callback, 1, false};

	if (ARRAY_PUSH(list->entries, list->count, list->capacity, entry))
		add_relaxed(&entries, 1);
	else
		rt_message("out of memory: a profiling callback is not registered");
}

static void drop(struct list *list, struct entry *entry)
{
	size_t behind = (size_t)(list->entries + list->count - entry - 1);

	memmove(entry, entry + 1, behind * sizeof(*entry));
	list->count--;
	sub_relaxed(&entries, 1);
}

static void change_registrations(struct list *list, acc_prof_callback callback, bool add)
{
	struct entry *entry = find(list, callback);

	if (add && entry)
		entry->registrations++;
	else if (add)
		append(list, callback);
	else if (entry && --entry->registrations == 0)
		drop(list, entry);
}

/* Without a callback all those of the event are meant, without an event all events. */
static void toggle(acc_event_t event, acc_prof_callback callback, bool off)
{
	struct entry *entry = callback ? find(&lists[event], callback) : NULL;

	if (entry)
		entry->disabled = off;
	else if (!callback && event != RT_ACC_NONE)
		lists[event].disabled = off;
	else if (!callback)
		disabled = off;
}

/* Combinations that the specification does not mention have no effect. */
static void change(acc_event_t event, acc_prof_callback callback, acc_register_t how, bool on)
{
	if (event >= RT_ACC_EVENTS)
		return;
	rt_mutex_lock(&tools_lock);
	if (how == REGISTER && event != RT_ACC_NONE && callback)
		change_registrations(&lists[event], callback, on);
	else if (how == TOGGLE)
		toggle(event, callback, !on);
	else if (how == TOGGLE_PER_THREAD && event == RT_ACC_NONE && !callback)
		disabled_in_thread = !on;
	rt_mutex_unlock(&tools_lock);
}

void acc_prof_register(acc_event_t event, acc_prof_callback callback, acc_register_t how)
{
	change(event, callback, how, true);
}

void acc_prof_unregister(acc_event_t event, acc_prof_callback callback, acc_register_t how)
{
	change(event, callback, how, false);
}

/* There are no functions for tools besides those that they are linked with. */
acc_query_fn acc_prof_lookup(const char *name)
{
	(void)name;
	return NULL;
}

/* For tools to define; this definition is used if there is no other. */
void acc_register_library(acc_prof_reg add, acc_prof_reg remove, acc_prof_lookup_func lookup)
{
	(void)add;
	(void)remove;
	(void)lookup;
}

/*
 * The callbacks to call for an event, in `few` or, if there are more, in memory from malloc(),
 * which the caller frees. It is a copy, because they are called without the lock and may change the
 * list.
 */
static acc_prof_callback *copy_enabled(
    acc_event_t event, acc_prof_callback few[FEW], unsigned *count)
{
	const struct list *list = &lists[event];
	acc_prof_callback *callbacks = few;

	*count = 0;
	rt_mutex_lock(&tools_lock);
	if (list->count > FEW)
		callbacks = malloc(list->count * sizeof(*callbacks));
	for (unsigned i = 0; callbacks && !disabled && !list->disabled && i < list->count; i++)
		if (!list->entries[i].disabled)
			callbacks[(*count)++] = list->entries[i].callback;
	rt_mutex_unlock(&tools_lock);
	return callbacks;
}

/* End events go to the callbacks in reverse order of registration (OpenACC 2.6, 5.3). */
static bool is_end(acc_event_t event)
{
	return event == RT_ACC_DEVICE_INIT_START + 1 || event == RT_ACC_ENTER_DATA_START + 1 ||
	       event == RT_ACC_EXIT_DATA_START + 1 || event == RT_ACC_UPDATE_START + 1 ||
	       event == RT_ACC_COMPUTE_START + 1;
}

void rt_acc_call_tools(
    struct acc_prof_info *prof, struct acc_event_info *event, struct acc_api_info *api)
{
	acc_prof_callback few[FEW];
	unsigned count;
	bool backwards = is_end(prof->event_type);

	if (disabled_in_thread)
		return;
	acc_prof_callback *callbacks = copy_enabled(prof->event_type, few, &count);
	for (unsigned i = 0; i < count; i++)
		callbacks[backwards ? count - 1 - i : i](prof, event, api);
	if (callbacks != few)
		free(callbacks);
}

static void load(const char *library)
{
	void (*enter)(acc_prof_reg, acc_prof_reg, acc_prof_lookup_func) = NULL;
	void *handle = dlopen(library, RTLD_LAZY);

	if (handle)
		enter = dlsym(handle, "acc_register_library");
	if (!enter) {
		const char *reason = dlerror();
		rt_message(
		    "ACC_PROFLIB: '%s': expected a library with acc_register_library; going on "
		    "without it: %s",
		    library, reason ? reason : "it has none");
		if (handle)
			dlclose(handle);
		return;
	}
	enter(acc_prof_register, acc_prof_unregister, acc_prof_lookup);
}

/* A program with more rights than its user must not load libraries that the user names. */
void rt_acc_load_tools(const char *libraries)
{
	if (*libraries == '\0' || getauxval(AT_SECURE) != 0)
		return;
	char *copy = strdup(libraries), *rest = copy, *library;
	while (copy && (library = strsep(&rest, ";")))
		if (*library != '\0')
			load(library);
	free(copy);
}
