/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For libpomp.so: looks routines up by name at run time, so that the program's version of a routine
 * is found. A library that is not linked with the runtime can only have a reference without a
 * version. Such a reference is bound to the oldest version, whose nestable locks have another
 * layout. The bundled runtime also has LLVM's layout, in the version that all names in LLVM's
 * runtime have. (libpomp.a has another pomp_runtime_routine().)
 *
 * The search covers the program's libraries and those loaded together with this one. A plugin that
 * is loaded later may bring a private runtime, which is found by asking each library.
 */
#include "runtime-routine.h"

#include "shared/array.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The names of all libraries, concatenated; an empty one at the end. */
struct names {
	char *text;
	size_t size, capacity;
};

/* The linker's locks are held here, so libraries are opened later. */
static int add_name(struct dl_phdr_info *library, size_t info_size, void *context)
{
	struct names *names = context;
	size_t size = strlen(library->dlpi_name) + 1;

	(void)info_size;
	if (size == 1) /* the program */
		return 0;
	if (!ARRAY_ROOM(names->text, names->size, names->capacity, size + 1))
		return 1;
	memcpy(names->text + names->size, library->dlpi_name, size);
	names->size += size;
	names->text[names->size] = '\0';
	return 0;
}

static void *find_in_library(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
	void *found = handle != NULL ? dlsym(handle, name) : NULL;

	if (handle != NULL)
		dlclose(handle); /* the caller will call the routine and needs the library loaded */
	return found;
}

#ifdef __GLIBC__ /* other C libraries have no versions */
/* Returns whether the module at this address was linked with LLVM's or Intel's runtime. */
static bool is_linked_with_llvm(const void *address)
{
	const char *strings = NULL;
	struct link_map *module;
	Dl_info info;
	bool found = false;

	if (dladdr1(address, &info, (void **)&module, RTLD_DL_LINKMAP) == 0)
		return false;
	for (const ElfW(Dyn) *entry = module->l_ld; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_STRTAB)
			strings = (const char *)entry->d_un.d_ptr;
	/* Some loaders leave the offset unrelocated in the table. */
	if (strings != NULL && (uintptr_t)strings < module->l_addr)
		strings += module->l_addr;
	for (const ElfW(Dyn) *entry = module->l_ld; strings != NULL && entry->d_tag != DT_NULL;
	     entry++)
		found |= entry->d_tag == DT_NEEDED &&
			 (strncmp(strings + entry->d_un.d_val, "libomp", 6) == 0 ||
			     strncmp(strings + entry->d_un.d_val, "libiomp5", 8) == 0);
	return found;
}
#endif

static void *find_for(const char *name, const void *caller)
{
	void *found = NULL;

#ifdef __GLIBC__
	if (is_linked_with_llvm(caller))
		found = dlvsym(RTLD_DEFAULT, name, "VERSION");
#else
	(void)caller;
#endif
	return found != NULL ? found : dlsym(RTLD_DEFAULT, name);
}

runtime_routine *pomp_runtime_routine(const char *name, const void *caller)
{
	struct names names = {0};
	runtime_routine *routine;
	void *found = find_for(name, caller);

	if (found == NULL)
		dl_iterate_phdr(add_name, &names);
	for (const char *library = names.text; found == NULL && library != NULL && *library != '\0';
	     library += strlen(library) + 1)
		found = find_in_library(library, name);
	free(names.text);
	*(void **)&routine = found;
	return routine;
}
