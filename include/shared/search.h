/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary search in what is sorted, wherever it is kept. */
#ifndef SHARED_SEARCH_H
#define SHARED_SEARCH_H

/*
 * Sets `place`, a variable of an unsigned type, to the first number from `from` on and before `end`
 * for which the condition, an expression about `place`, is false. Where it is false it must be
 * false from there on. If there is none, `place` becomes the larger of `from` and `end`.
 */
#define SEARCH_BETWEEN(place, from, end, condition)                                                \
	for (__typeof__(place) search_low = (from), search_high = (end);                           \
	     (place) = search_low, search_low < search_high;)                                      \
	(place) += (search_high - search_low) / 2,                                                 \
	    (condition) ? (search_low = (place) + 1) : (search_high = (place))

#define SEARCH(place, count, condition) SEARCH_BETWEEN(place, 0, count, condition)

#endif
