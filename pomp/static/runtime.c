/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libpomp names the OpenMP runtime's functions weakly, so that it can be loaded without a runtime.
 * A static link takes no archive member for a weak name, and the program may call a function only
 * through us (its locks are ours to measure): here they are named so that the members come in. Not
 * the two that take a hint: gcc's runtime has none.
 */
extern void omp_get_thread_num(void), omp_get_num_threads(void), omp_get_level(void),
    omp_get_ancestor_thread_num(void), omp_init_lock(void), omp_destroy_lock(void),
    omp_set_lock(void), omp_unset_lock(void), omp_test_lock(void), omp_init_nest_lock(void),
    omp_destroy_nest_lock(void), omp_set_nest_lock(void), omp_unset_nest_lock(void),
    omp_test_nest_lock(void);

/* Only the references count; nobody calls through this table. */
static void (*const runtime[])(void) __attribute__((used)) = {
    omp_get_thread_num,
    omp_get_num_threads,
    omp_get_level,
    omp_get_ancestor_thread_num,
    omp_init_lock,
    omp_destroy_lock,
    omp_set_lock,
    omp_unset_lock,
    omp_test_lock,
    omp_init_nest_lock,
    omp_destroy_nest_lock,
    omp_set_nest_lock,
    omp_unset_nest_lock,
    omp_test_nest_lock,
};
