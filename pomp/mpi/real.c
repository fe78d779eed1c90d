/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI's own functions, and their callers. Fortran's bindings (mpif.h, `use mpi`, mpi_f08) convert
 * handles, statuses and constants to C's and then call C. In one MPI implementation they call
 * MPI_x, which reaches our wrapper, in another PMPI_x. Therefore this library also defines PMPI_x:
 * it jumps to the wrapper for a call from a binding, and to MPI's own function for any other
 * caller, which really means PMPI_x.
 *
 * Thus every function is measured from Fortran as from C, without any knowledge of Fortran types
 * here.
 *
 * MPI's own functions are looked up by this library's constructor, or earlier, when they are first
 * called. A constructor of a library that does not need this one runs before ours and may call MPI
 * (that of Open MPI's C++ bindings does), even from other threads. All lookups find the same, so no
 * thread has to wait. They must not come later, because dlsym() waits for a dlopen() in another
 * thread.
 */
#include "pomp-atomics.h"
#include "call.h"
#include "loaded-object.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns false when the loaded MPI lacks the function. */
static bool look_up(enum mpi_call call)
{
	/* One pointer for each call, in the same order. */
	// cppcheck-suppress internalAstError ; it does not know _Atomic(void *)
	_Atomic(void *) *place = (_Atomic(void *) *)&mpi_real;
	char name[128];

	_Static_assert(
	    sizeof(mpi_real) == CALL_COUNT * sizeof(void *), "a call without its function");
	snprintf(name, sizeof(name), "P%s", mpi_regions[call].sub_name);
	void *found = dlsym(RTLD_NEXT, name);
	if (found != NULL)
		store_relaxed(place + call, found);
	return found != NULL;
}

void mpi_find_real(enum mpi_call call)
{
	if (look_up(call))
		return;
	fprintf(stderr,
	    "pomp: the MPI library that this program has loaded does not define P%s, which the one "
	    "that ompinst was built with does; the program ends here, where it calls it\n",
	    mpi_regions[call].sub_name);
	abort();
}

/* Runs before the other constructors, each of which may call MPI. */
__attribute__((constructor(101))) static void find_all(void)
{
	for (int call = 0; call < CALL_COUNT; call++)
		look_up((enum mpi_call)call);
	dlerror(); /* clears the error, so that the program's next dlerror() does not return it */
}

/*
 * The bindings are the objects that define these names, in the spellings of various compilers. A
 * binding that was found stays loaded, because its code addresses are remembered.
 */
static bool is_binding(const struct link_map *object, const void *base)
{
	static const char *const names[] = {"mpi_init_", "mpi_init__", "mpi_init", "MPI_INIT",
	    "mpi_init_f08_", "mpi_init_f08__", "mpi_init_f08", "MPI_INIT_F08"};
	const char *path = object->l_name[0] != '\0' ? object->l_name : NULL;
	void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
	bool found = false;

	for (size_t i = 0; handle != NULL && !found && i < sizeof(names) / sizeof(names[0]); i++) {
		Dl_info info;
		const void *address = dlsym(handle, names[i]);
		/* The symbol may belong to an object that this one needs. */
		found = address != NULL && dladdr(address, &info) != 0 && info.dli_fbase == base;
	}
	if (handle != NULL && !found)
		dlclose(handle);
	dlerror();
	return found;
}

/*
 * Returns whether a function in a binding is the binding of this call. Some bindings also call
 * other functions, for instance to find the number of ranks whose counts they must copy. A function
 * without a name is a C function below the binding of a call with a buffer, which makes datatypes
 * for buffers that are array sections.
 */
static bool is_for(const char *function, enum mpi_call call)
{
	const char *name = strchr(mpi_regions[call].sub_name, '_') + 1;
	size_t length = strlen(name);
	char wanted[128];

	if (function == NULL)
		return strncmp(name, "Type_", 5) != 0;
	/* A binding for long counts names them in its own way. */
	if (length > 2 && strcmp(name + length - 2, "_c") == 0)
		length -= 2;
	snprintf(wanted, sizeof(wanted), "%.*s", (int)length, name);
	return strcasestr(function, wanted) != NULL;
}

static bool is_call_of_program(enum mpi_call call, const void *address)
{
	/* The last byte of the call: another function may begin after it. */
	const void *caller = (const char *)address - 1;
	Dl_info info;
	const struct link_map *object = pomp_loaded_object(caller, &info);

	return object != NULL && is_binding(object, info.dli_fbase) && is_for(info.dli_sname, call);
}

bool mpi_is_of_program(enum mpi_call call, const void *address)
{
	/* What is known about addresses, one word each: address * 2 + answer. */
	static _Atomic uint64_t known[1024];
	uint64_t key = (uint64_t)(uintptr_t)address;
	_Atomic uint64_t *place = &known[(key ^ key >> 10) % (sizeof(known) / sizeof(known[0]))];
	uint64_t found = load_relaxed(place);

	if (found >> 1 == key)
		return found & 1;
	bool answer = is_call_of_program(call, address);
	store_relaxed(place, key << 1 | answer);
	return answer;
}
