/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For the entry points that gcc's code calls. They only translate arguments, as gcc passes them
 * (seen with -fdump-tree-optimized), into the constructs' own terms. The version script gives each
 * its version.
 */
#ifndef RT_ABI_H
#define RT_ABI_H
#include "initial-thread.h"
#include "versions.h"

typedef unsigned long long gomp_ull;

/*
 * gcc makes one of two equal functions call the other. If that call is no jump, as in builds with a
 * sanitizer, the runtime would seem to be the caller.
 */
#if __has_attribute(no_icf)
#define NOT_FOLDED __attribute__((no_icf))
#else
#define NOT_FOLDED
#endif

/*
 * Opens the definition of an exported function that has one version; only compilers declare these
 * functions.
 */
#define LONE_ENTRY(result, name, ...)                                                              \
	NOT_FOLDED __attribute__((visibility("default"))) result name(__VA_ARGS__);                \
	result name(__VA_ARGS__)

/* An entry point with the same arguments and behaviour as `target`, which precedes it. */
#define LONE_SAME_ENTRY(result, name, target, ...)                                                 \
	__attribute__((visibility("default"), alias(#target))) result name(__VA_ARGS__)

/* The same for functions that have libomp's version, too. */
#define ENTRY(result, name, ...)                                                                   \
	ALSO_IN_LIBOMP(name);                                                                      \
	LONE_ENTRY(result, name, __VA_ARGS__)
#define SAME_ENTRY(result, name, target, ...)                                                      \
	ALSO_IN_LIBOMP(name);                                                                      \
	LONE_SAME_ENTRY(result, name, target, __VA_ARGS__)

/*
 * Where the program called the entry point; only for use in the entry point or what is inlined
 * there.
 */
#define CALLER RT_RETURN_ADDRESS

#endif
