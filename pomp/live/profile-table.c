/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table by which a debugger finds the sums of a running process, or of a core file. The
 * compiler makes it from the list in profile-fields.h; no code runs to maintain it.
 */
#include "profile-table.h"

#include "event.h"
#include "path-tree.h"
#include "process-usage.h"
#include "rank-state.h"

#include <assert.h>
#include <stddef.h>

static_assert((int)POMP_DEBUG_CHUNK_SHIFT == (int)POMP_CHUNK_SHIFT, "what the list says of chunks");

/* Nothing here depends on OpenMP's version: 0. */
const struct pomp_debug_table pomp_debug_table = {
    RT_DEBUG_MAKE_HEADER(PROFILE_ROOTS, PROFILE_ENTRIES, 0), {POMP_DEBUG_ROOTS(RT_DEBUG_MAKE_ROOT)},
    {POMP_DEBUG_STRUCTS(RT_DEBUG_MAKE_STRUCT) POMP_DEBUG_FIELDS(RT_DEBUG_MAKE_FIELD)}};
