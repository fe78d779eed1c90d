/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI's own functions, and their callers. Fortran's bindings (mpif.h, `use mpi`, mpi_f08) turn
 * handles, statuses and constants into C's, and then call C: MPI_x in one MPI, where our wrapper is
 * found, and PMPI_x in another. So this library defines PMPI_x, too: it jumps to the
 * wrapper for a call from a binding, and to MPI's own function for every other caller, which
 * means PMPI_x itself.
 *
 * That way every function is measured from Fortran as from C, and nothing here knows a Fortran
 * type.
 *
 * MPI's own functions are looked up by this library's constructor, and before it when they are
 * first called: a constructor of a library that does not need this one runs earlier and may call
 * MPI (that of Open MPI's C++ bindings does), also from threads of its own. All lookups find
 * the same, so there is nothing to wait for. Not later than that, because dlsym() waits for a
 * dlopen() of another thread.
 */
#include "atomics.h"
#include "call.h"
#include "loaded-object.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* False when the MPI that is loaded lacks the function. */
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

/* Before the other constructors: each of them may call MPI. */
__attribute__((constructor(101))) static void find_all(void)
{
	for (int call = 0; call < CALL_COUNT; call++)
		look_up((enum mpi_call)call);
	dlerror(); /* what is missing here is no answer to the program's next question */
}

/*
 * The bindings are the objects that define these, in the spellings of compilers. One that was found
 * stays loaded, for what is known of its code.
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
		/* It may be that of an object that this one needs. */
		found = address != NULL && dladdr(address, &info) != 0 && info.dli_fbase == base;
	}
	if (handle != NULL && !found)
		dlclose(handle);
	dlerror();
	return found;
}

/*
 * Whether a function of a binding is the one for the call: some ask MPI for more, such as how many
 * ranks there are whose counts they have to copy. One without a name is a C function behind the
 * binding of a call with a buffer, and makes datatypes of buffers that are sections of arrays.
 */
static bool is_for(const char *function, enum mpi_call call)
{
	const char *name = strchr(mpi_regions[call].sub_name, '_') + 1;
	size_t length = strlen(name);
	char wanted[128];

	if (function == NULL)
		return strncmp(name, "Type_", 5) != 0;
	/* A binding for long counts has them in its own way. */
	if (length > 2 && strcmp(name + length - 2, "_c") == 0)
		length -= 2;
	snprintf(wanted, sizeof(wanted), "%.*s", (int)length, name);
	return strcasestr(function, wanted) != NULL;
}

static bool is_call_of_program(enum mpi_call call, const void *address)
{
	/* The call's last byte: behind it another function may begin. */
	const void *caller = (const char *)address - 1;
	Dl_info info;
	const struct link_map *object = pomp_loaded_object(caller, &info);

	return object != NULL && is_binding(object, info.dli_fbase) && is_for(info.dli_sname, call);
}

bool mpi_is_of_program(enum mpi_call call, const void *address)
{
	/* What is known of addresses, each by its own value: address * 2 + answer. */
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
