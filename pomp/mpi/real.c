/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI's own functions, and who asks for them. Fortran's bindings (mpif.h, `use mpi`, mpi_f08) turn
 * handles, statuses and constants into C's, and then call C: MPI_x in one MPI, where our wrapper is
 * found, and PMPI_x in another. So this library stands before PMPI_x, too: its door is ours for a call
 * from a binding, and leads to MPI's own function for everybody else, who means what is said.
 *
 * That way every function is measured from Fortran as from C, and nothing here knows a Fortran type.
 */
#include "call.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

struct mpi_real mpi_real;

/* Where the bindings' code is; written before main(). */
enum { MOST_RANGES = 8 };
static struct range {
	uintptr_t begin, end;
} ranges[MOST_RANGES];
static size_t range_count;

bool mpi_is_binding(const void *address)
{
	for (size_t i = 0; i < range_count; i++)
		if ((uintptr_t)address - ranges[i].begin < ranges[i].end - ranges[i].begin)
			return true;
	return false;
}

/* Notes the code around the address. */
static int note_range(struct dl_phdr_info *object, size_t size, void *address)
{
	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
		if (segment->p_type != PT_LOAD || (uintptr_t)address - begin >= segment->p_memsz)
			continue;
		ranges[range_count++] = (struct range){begin, begin + segment->p_memsz};
		return 1;
	}
	return 0;
}

/* The bindings are the libraries that have these, in the spellings of compilers. */
static void find_bindings(void)
{
	static const char *const names[] = {"mpi_init_", "mpi_init__", "mpi_init", "MPI_INIT",
	    "mpi_init_f08_", "mpi_init_f08__", "mpi_init_f08", "MPI_INIT_F08"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *address = dlsym(RTLD_DEFAULT, names[i]);
		if (address != NULL && !mpi_is_binding(address) && range_count < MOST_RANGES)
			dl_iterate_phdr(note_range, address);
	}
}

/* Before the other constructors: each of them may call MPI. */
__attribute__((constructor(101))) static void find_real(void)
{
	/* One pointer for each call, in the same order. */
	void **place = (void **)&mpi_real;
	char name[128];

	_Static_assert(sizeof(mpi_real) == CALL_COUNT * sizeof(void *), "a call without its function");
	for (int call = 0; call < CALL_COUNT; call++) {
		snprintf(name, sizeof(name), "P%s", mpi_regions[call].sub_name);
		place[call] = dlsym(RTLD_NEXT, name);
	}
	find_bindings();
}
