/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for addresses of samples, each looked up once. */
#ifndef ADDRESS_NAMES_H
#define ADDRESS_NAMES_H

#include "common/blocked-rows.h"
#include "shared/code-names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The function and the line at an address. Without a line, file is the module's name, with the
 * offset if the function is not known either; NULL: the address is in no file.
 */
struct address_name {
	const char *function; /* NULL: unknown */
	const char *file;
	int line;                          /* 0: unknown */
	const struct code_caller *callers; /* if it is inlined: as in struct code_name */
	size_t caller_count;
	bool is_wrapper;      /* a short function of a header */
	bool is_runtime;      /* of OpenMP's or of the measurement, or it only passes a call on */
	bool is_start;        /* calls main() or a thread's function in every program */
	bool is_in_no_module; /* announced, and its file is not known: in a static program */
};

/*
 * Announces an address, before any is looked up. It finds the file, which needs the loader's locks:
 * the caller does not hold the process lock. is_return: the code is the call before the address.
 * samples: how many more were there. Beyond some thousand addresses further ones stay without
 * names.
 */
void pomp_address_announce(uint64_t address, bool is_return, uint64_t samples);

/*
 * Called before the first name: for how many ns debug information may be read that is not worth
 * it by its samples. UINT64_MAX: all may be.
 */
void pomp_address_allow(uint64_t nanoseconds);

/*
 * Returns the name of an announced address. Process lock held. The texts are valid until
 * pomp_address_names_free().
 */
struct address_name pomp_address_name(uint64_t address, bool is_return);

/*
 * Returns the same without function, file and line, which takes no time: looking these up may read
 * a file's debug information.
 */
struct address_name pomp_address_kind(uint64_t address, bool is_return);

/* Fills in the function and those around it, innermost first; returns how many, at most `room`. */
size_t pomp_address_frames(
    const struct address_name *name, struct blocked_frame *frames, size_t room);

void pomp_address_names_free(void);

#endif
