/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places in the library under test, identified by the return address of the call of an atomic
 * operation. In a run some may have a weaker order than the code (mutants). A line of the given
 * file contains an address, its new order, and for a failed compare-and-swap the order of the
 * failure; or `left-out` for an operation that is not executed.
 */
#include "engine.h"

#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SITES = 1 << 13 };

struct site {
	const void *place;
	memory_order success, failure; /* as in the code */
	bool is_mutant;
	struct site_orders mutant;
	bool was_executed;
};

static struct site sites[SITES];

static struct site *site_at(const void *place)
{
	size_t i = (size_t)((uintptr_t)place * 0x9e3779b97f4a7c15u >> 45) % SITES;

	while (sites[i].place != NULL && sites[i].place != place)
		i = (i + 1) % SITES;
	sites[i].place = place;
	return &sites[i];
}

static uintptr_t subject_base(void)
{
	Dl_info info;

	return dladdr(check_harnesses_begin, &info) != 0 ? (uintptr_t)info.dli_fbase : 0;
}

static const char *const order_names[] = {
    [memory_order_relaxed] = "relaxed",
    [memory_order_consume] = "consume",
    [memory_order_acquire] = "acquire",
    [memory_order_release] = "release",
    [memory_order_acq_rel] = "acq_rel",
    [memory_order_seq_cst] = "seq_cst",
};

static memory_order order_of(const char *name)
{
	for (size_t i = 0; i < sizeof(order_names) / sizeof(order_names[0]); i++)
		if (strcmp(order_names[i], name) == 0)
			return (memory_order)i;
	fprintf(stderr, "check: '%s': expected a memory order\n", name);
	exit(2);
}

void sites_prepare(const char *mutants)
{
	FILE *in = mutants != NULL ? fopen(mutants, "r") : NULL;
	char success[16], failure[16];
	unsigned long offset;

	if (mutants != NULL && in == NULL) {
		perror(mutants);
		exit(2);
	}
	while (in != NULL && fscanf(in, "%lx %15s %15s", &offset, success, failure) == 3) {
		struct site *site = site_at((const void *)(subject_base() + offset));

		site->is_mutant = true;
		site->mutant.is_lost = strcmp(success, "left-out") == 0;
		if (site->mutant.is_lost)
			continue;
		site->mutant.success = order_of(success);
		site->mutant.failure = order_of(failure);
	}
	if (in != NULL)
		fclose(in);
}

struct site_orders site_orders(const void *place, memory_order success, memory_order failure)
{
	struct site *site = site_at(place);

	site->was_executed = true;
	site->success = success;
	site->failure = failure;
	if (!site->is_mutant)
		return (struct site_orders){success, failure, false};
	if (site->mutant.is_lost)
		return (struct site_orders){success, failure, true};
	return site->mutant;
}

static Dwfl *open_debug_information(void)
{
	static const Dwfl_Callbacks callbacks = {
	    .find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = dwfl_standard_find_debuginfo};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (dwfl != NULL && (dwfl_linux_proc_report(dwfl, getpid()) != 0 ||
				dwfl_report_end(dwfl, NULL, NULL) != 0)) {
		dwfl_end(dwfl);
		return NULL;
	}
	return dwfl;
}

void site_print(FILE *out, const void *place)
{
	static Dwfl *dwfl;
	uintptr_t address = (uintptr_t)place - 1; /* inside the call instruction */
	Dwfl_Module *module;
	const char *function, *file;
	Dwfl_Line *line;
	int number;

	if (dwfl == NULL)
		dwfl = open_debug_information();
	module = dwfl != NULL ? dwfl_addrmodule(dwfl, address) : NULL;
	function = module != NULL ? dwfl_module_addrname(module, address) : NULL;
	line = module != NULL ? dwfl_module_getsrc(module, address) : NULL;
	file = line != NULL ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
	if (file == NULL)
		fprintf(out, "%s [%p]", function != NULL ? function : "?", place);
	else
		fprintf(out, "%s %s:%d", function != NULL ? function : "?", strrchr(file, '/') + 1,
		    number);
}

void sites_print_all(FILE *out)
{
	for (size_t i = 0; i < SITES; i++)
		if (sites[i].was_executed)
			fprintf(out, "%#lx %s %s\n",
			    (unsigned long)((uintptr_t)sites[i].place - subject_base()),
			    order_names[sites[i].success], order_names[sites[i].failure]);
}
