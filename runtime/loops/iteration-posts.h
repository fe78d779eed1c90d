/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Doacross loops whose dependences are described apart from the loop: by ranges of values for each
 * dimension, before its schedule is known. Each iteration has its own post, in a slot that the loop
 * does not use. In a team of one, and for iterations outside of the ranges, there is no wait.
 */
#ifndef RT_ITERATION_POSTS_H
#define RT_ITERATION_POSTS_H
#include "workshare.h"

struct rt_thread;

/* Values of one dimension: from lower to upper, both included, by steps that are not 0. */
struct rt_range {
	int64_t lower, upper, step;
};

/*
 * The calling member begins the loop; `ranges` are copied. Ends the program if there is no memory.
 */
void rt_iteration_posts_begin(
    struct rt_thread *self, uint32_t dimensions, const struct rt_range *ranges);

/*
 * Tells how many iterations the loop has that the member begins then. Some compilers give upper
 * bounds that are one step too far; if `count` shows that, the iterations of the last step do not
 * count.
 */
void rt_iteration_posts_count(struct rt_thread *self, uint64_t count);

/* Post: the iteration with these values is done. Wait: waits for another one. */
void rt_iteration_posts_post(struct rt_thread *self, const int64_t *iteration);
void rt_iteration_posts_wait(struct rt_thread *self, const int64_t *iteration);

/* The member no longer needs the posts. */
void rt_iteration_posts_end(struct rt_thread *self);

#endif
