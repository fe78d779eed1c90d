/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table by which a debugger finds the sums of a running process, or of a core file. It is made
 * by the compiler from the list in profile-fields.h; nothing runs to keep it.
 */
#include "shared/profile-fields.h"

#include "process.h"

#include <assert.h>
#include <stddef.h>

#define COUNT_ROOT(root)         +1
#define COUNT_STRUCT(type)       +1
#define COUNT_FIELD(type, field) +1
#define MAKE_ROOT(root)          &root,
#define MAKE_STRUCT(type)        {#type, 0, sizeof(struct type)},
#define MAKE_FIELD(type, field)                                                                    \
	{#type "." #field, offsetof(struct type, field), sizeof(((struct type *)0)->field)},

enum {
	ROOTS = 0 POMP_DEBUG_ROOTS(COUNT_ROOT),
	ENTRIES = 0 POMP_DEBUG_STRUCTS(COUNT_STRUCT) POMP_DEBUG_FIELDS(COUNT_FIELD)
};

static_assert((int)POMP_DEBUG_CHUNK_SHIFT == (int)POMP_CHUNK_SHIFT, "what the list says of chunks");

struct pomp_debug_table {
	struct rt_debug_header header;
	const void *roots[ROOTS];
	struct rt_debug_entry entries[ENTRIES];
};

extern const struct pomp_debug_table pomp_debug_table __attribute__((visibility("default")));

/* Of OpenMP's version nothing depends here: 0. */
const struct pomp_debug_table pomp_debug_table = {
    {RT_DEBUG_MAGIC, RT_DEBUG_BYTE_ORDER, RT_DEBUG_VERSION, sizeof(struct rt_debug_header),
	sizeof(void *), ROOTS, sizeof(struct rt_debug_entry), ENTRIES, 0},
    {POMP_DEBUG_ROOTS(MAKE_ROOT)}, {POMP_DEBUG_STRUCTS(MAKE_STRUCT) POMP_DEBUG_FIELDS(MAKE_FIELD)}};
