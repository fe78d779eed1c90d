/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions in which tasks take part. The compiler describes them by an array of words:
 *   [0] number of variables   [1] bytes of one thread's block   [2] alignment of a block
 *   [3] (compiler's)   [4] next array of the same group   [5], [6] the runtime's
 *   [7 + 3 i] address of variable i   [8 + 3 i] its offset in a block   [9 + 3 i] the runtime's
 * Registration replaces [2] by the address of zeroed blocks, one for each member of the team.
 */
#ifndef RT_REDUCTION_H
#define RT_REDUCTION_H
#include "team.h"

/* Makes the copy of variable `item` in the block of member `number`, if it is not there yet. */
typedef void rt_reduction_make_fn(uintptr_t *reductions, uint32_t number, size_t item);

/* taskgroup and taskloop: belongs to the innermost group of the calling task. */
void rt_reduction_register(struct rt_thread *self, uintptr_t *reductions);
void rt_reduction_unregister(uintptr_t *reductions);

/* The same, but a copy is made when a task first asks for it; [5] is then RT_REDUCTION_MAKES. */
enum { RT_REDUCTION_MAKES = 2 };

void rt_reduction_register_made(
    struct rt_thread *self, uintptr_t *reductions, rt_reduction_make_fn *make);

/* parallel: the forking thread makes the blocks, then each implicit task opens a group. */
void rt_reduction_begin_team(struct rt_team *team);
void rt_reduction_enter_team(struct rt_thread *self);

/*
 * loop, sections, scope. `first` is true for the member that prepares the construct's slot (see
 * rt_workshare_prepare()). rt_reduction_leave() waits for the member's tasks and returns the array;
 * the member then passes a barrier, unless the construct was cancelled, and gives the array to
 * rt_reduction_unshare().
 */
void rt_reduction_share(struct rt_thread *self, uintptr_t *reductions, bool first);
uintptr_t *rt_reduction_leave(struct rt_thread *self);
void rt_reduction_unshare(struct rt_thread *self, uintptr_t *reductions, bool cancelled);

/*
 * in_reduction: replaces the first `count` addresses by those of the calling thread's copies.
 * Stores the addresses of the originals of the first `originals` of them after these.
 */
void rt_reduction_remap(struct rt_thread *self, size_t count, size_t originals, void **addresses);

#endif
