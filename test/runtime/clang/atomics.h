/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests of atomic entry points, with one macro for each form; atomics.py writes the list of calls.
 * All members of a team repeat the same update. If no update is lost, the final value is that of as
 * many sequential updates, in any order; and the captured values are the intermediate values, in
 * any order. The memory next to the object must not change.
 */
#ifndef ATOMICS_H
#define ATOMICS_H
#include <omp.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"

#define TURNS 40

typedef float _Complex complex_4;
typedef double _Complex complex_8;
typedef long double _Complex complex_10;

int __kmpc_global_thread_num(void *place);

/* ident_t: the place of the call. */
static struct {
	int reserved, flags, others[2];
	const char *source;
} here = {.flags = 2, .source = ";atomics.h;test;1;1;;"};

/*
 * The bytes of a type that hold its value: `parts` parts of `bytes` bytes, one every `apart` bytes.
 */
struct layout {
	size_t parts, bytes, apart;
};

/*
 * Equal values have equal hashes; the sum of hashes of the same values does not depend on their
 * order.
 */
static uint64_t hash(const void *value, struct layout layout)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (size_t part = 0; part < layout.parts; part++) {
		const unsigned char *byte = (const unsigned char *)value + part * layout.apart;

		for (size_t i = 0; i < layout.bytes; i++)
			sum = (sum ^ byte[i]) * UINT64_C(0x100000001b3);
	}
	return sum ^ sum >> 29;
}

/* `place` and `guard` of every test: the object, with bytes around it that must not change. */
#define OBJECT(T, first)                                                                           \
	struct {                                                                                   \
		uint64_t before[2];                                                                \
		T value;                                                                           \
		_Alignas(1) unsigned char after[16];                                               \
	} object = {{1, 2}, (first), {3, 4, 5, 6}};                                                \
	T *const place = &object.value
#define CHECK_GUARDS()                                                                             \
	CHECK(object.before[0] == 1 && object.before[1] == 2 && object.after[0] == 3 &&            \
	      object.after[1] == 4 && object.after[2] == 5 && object.after[3] == 6)

static void check_hashes(uint64_t found, uint64_t expected, const char *name, const char *what)
{
	if (found != expected && check_failed())
		fprintf(stderr, "%s: %s: differs from as many updates in a row\n", name, what);
}

/* Updates by each member; formula: the new value as an expression of x and y. */
#define UPDATE(name, T, Y, ...) UPDATE_(name, T, Y, __VA_ARGS__)
#define UPDATE_(name, T, Y, first, other, turns, formula, ...)                                     \
	void __kmpc_atomic_##name(void *ident, int gtid, T *place, Y y);                           \
	static void test_##name(int threads)                                                       \
	{                                                                                          \
		const struct layout layout = {__VA_ARGS__};                                        \
		OBJECT(T, first);                                                                  \
		T x = (first);                                                                     \
		const Y y = (other);                                                               \
                                                                                                   \
		for (int i = 0; i < ((turns) > 0 ? threads * (turns) : 1); i++)                    \
			x = (T)(formula);                                                          \
		_Pragma("omp parallel") for (int i = 0; i < (turns); i++)                          \
		    __kmpc_atomic_##name(&here, __kmpc_global_thread_num(&here), place, y);        \
		if ((turns) == 0)                                                                  \
			__kmpc_atomic_##name(&here, __kmpc_global_thread_num(&here), place, y);    \
		check_hashes(hash(place, layout), hash(&x, layout), #name, "the value");           \
		CHECK_GUARDS();                                                                    \
	}

/* The same for a value that is returned, or stored through an argument. */
#define RETURNED(T, name)                                                                          \
	T __kmpc_atomic_##name(void *ident, int gtid, T *place, T y, int new);                     \
	static T capture_##name(T *place, T y, int new)                                            \
	{                                                                                          \
		return __kmpc_atomic_##name(                                                       \
		    &here, __kmpc_global_thread_num(&here), place, y, new);                        \
	}
#define STORED(T, name)                                                                            \
	void __kmpc_atomic_##name(void *ident, int gtid, T *place, T y, T *captured, int new);     \
	static T capture_##name(T *place, T y, int new)                                            \
	{                                                                                          \
		T captured = 77;                                                                   \
                                                                                                   \
		__kmpc_atomic_##name(                                                              \
		    &here, __kmpc_global_thread_num(&here), place, y, &captured, new);             \
		return captured;                                                                   \
	}

#define CAPTURE(name, T, HOW, first, other, turns, formula, ...)                                   \
	HOW(T, name)                                                                               \
	static void test_##name##_of(int threads, int new)                                         \
	{                                                                                          \
		const struct layout layout = {__VA_ARGS__};                                        \
		OBJECT(T, first);                                                                  \
		T x = (first), y = (other), captured;                                              \
		uint64_t expected = 0, found = 0;                                                  \
                                                                                                   \
		for (int i = 0; i < ((turns) > 0 ? threads * (turns) : 1); i++) {                  \
			expected += new ? 0 : hash(&x, layout);                                    \
			x = (T)(formula);                                                          \
			expected += new ? hash(&x, layout) : 0;                                    \
		}                                                                                  \
		_Pragma("omp parallel private(captured)") for (int i = 0; i < (turns); i++)        \
		{                                                                                  \
			captured = capture_##name(place, y, new);                                  \
			__atomic_fetch_add(&found, hash(&captured, layout), __ATOMIC_RELAXED);     \
		}                                                                                  \
		if ((turns) == 0) {                                                                \
			captured = capture_##name(place, y, new);                                  \
			found += hash(&captured, layout);                                          \
		}                                                                                  \
		check_hashes(hash(place, layout), hash(&x, layout), #name, "the value");           \
		check_hashes(found, expected, #name, new ? "values after" : "values before");      \
		CHECK_GUARDS();                                                                    \
	}                                                                                          \
	static void test_##name(int threads)                                                       \
	{                                                                                          \
		test_##name##_of(threads, 0);                                                      \
		test_##name##_of(threads, 1);                                                      \
	}

/*
 * Members write values whose parts are equal, and read values that some member has written. The
 * value of the last write remains.
 */
#define ACCESS(type, T, value_of, ...)                                                             \
	T __kmpc_atomic_##type##_rd(void *ident, int gtid, T *place);                              \
	void __kmpc_atomic_##type##_wr(void *ident, int gtid, T *place, T y);                      \
	static void test_##type##_rd(int threads)                                                  \
	{                                                                                          \
		const struct layout layout = {__VA_ARGS__};                                        \
		OBJECT(T, value_of(0));                                                            \
		uint64_t written[4];                                                               \
		T last = value_of(9);                                                              \
                                                                                                   \
		for (int k = 0; k < 4; k++) {                                                      \
			T value = value_of(k);                                                     \
			written[k] = hash(&value, layout);                                         \
		}                                                                                  \
		_Pragma("omp parallel") for (int i = 0; i < TURNS; i++)                            \
		{                                                                                  \
			int gtid = __kmpc_global_thread_num(&here);                                \
			__kmpc_atomic_##type##_wr(                                                 \
			    &here, gtid, place, value_of((i + omp_get_thread_num()) % 4));         \
			T found = __kmpc_atomic_##type##_rd(&here, gtid, place);                   \
			uint64_t sum = hash(&found, layout);                                       \
			CHECK(sum == written[0] || sum == written[1] || sum == written[2] ||       \
			      sum == written[3]);                                                  \
		}                                                                                  \
		__kmpc_atomic_##type##_wr(&here, __kmpc_global_thread_num(&here), place, last);    \
		check_hashes(hash(place, layout), hash(&last, layout), #type "_wr", "the value");  \
		CHECK_GUARDS();                                                                    \
		(void)threads;                                                                     \
	}

#define SWAP_RETURNED(T, type)                                                                     \
	T __kmpc_atomic_##type##_swp(void *ident, int gtid, T *place, T y);                        \
	static T swap_##type(T *place, T y)                                                        \
	{                                                                                          \
		return __kmpc_atomic_##type##_swp(                                                 \
		    &here, __kmpc_global_thread_num(&here), place, y);                             \
	}
#define SWAP_STORED(T, type)                                                                       \
	void __kmpc_atomic_##type##_swp(void *ident, int gtid, T *place, T y, T *captured);        \
	static T swap_##type(T *place, T y)                                                        \
	{                                                                                          \
		T captured = 77;                                                                   \
                                                                                                   \
		__kmpc_atomic_##type##_swp(                                                        \
		    &here, __kmpc_global_thread_num(&here), place, y, &captured);                  \
		return captured;                                                                   \
	}

/* Every value that goes in comes out once, or remains. */
#define SWAP(type, T, HOW, value_of, ...)                                                          \
	HOW(T, type)                                                                               \
	static void test_##type##_swp(int threads)                                                 \
	{                                                                                          \
		const struct layout layout = {__VA_ARGS__};                                        \
		OBJECT(T, value_of(0));                                                            \
		uint64_t in = hash(place, layout), out = 0;                                        \
                                                                                                   \
		_Pragma("omp parallel") for (int i = 0; i < TURNS; i++)                            \
		{                                                                                  \
			T given = value_of(omp_get_thread_num() + i), got;                         \
			__atomic_fetch_add(&in, hash(&given, layout), __ATOMIC_RELAXED);           \
			got = swap_##type(place, given);                                           \
			__atomic_fetch_add(&out, hash(&got, layout), __ATOMIC_RELAXED);            \
		}                                                                                  \
		check_hashes(out + hash(place, layout), in, #type "_swp", "what was exchanged");   \
		CHECK_GUARDS();                                                                    \
		(void)threads;                                                                     \
	}

/* An operation that the program passes; on objects of some words, each by itself. */
#define OPERATION(size, W, words)                                                                  \
	struct words_##size {                                                                      \
		W word[words];                                                                     \
	};                                                                                         \
	void __kmpc_atomic_##size(void *ident, int gtid, void *place, void *y,                     \
	    void (*operation)(void *result, void *x, void *y));                                    \
	static void subtract_##size(void *result, void *x, void *y)                                \
	{                                                                                          \
		struct words_##size *r = result, *a = x, *b = y;                                   \
                                                                                                   \
		for (int i = 0; i < (words); i++)                                                  \
			r->word[i] = (W)(a->word[i] - b->word[i]);                                 \
	}                                                                                          \
	static void test_##size(int threads)                                                       \
	{                                                                                          \
		struct words_##size first = {{100}}, y;                                            \
		OBJECT(struct words_##size, first);                                                \
                                                                                                   \
		for (int i = 0; i < (words); i++)                                                  \
			y.word[i] = (W)(i + 3);                                                    \
		_Pragma("omp parallel") for (int i = 0; i < TURNS; i++) __kmpc_atomic_##size(      \
		    &here, __kmpc_global_thread_num(&here), place, &y, subtract_##size);           \
		for (int i = 0; i < (words); i++)                                                  \
			CHECK(place->word[i] ==                                                    \
			      (W)(first.word[i] - (W)(threads * TURNS * (i + 3))));                \
		CHECK_GUARDS();                                                                    \
	}

/* Members count by replacing a number by the next one. */
#define COMPARE(size, T)                                                                           \
	_Bool __kmpc_atomic_bool_##size##_cas(void *ident, int gtid, T *x, T expected, T desired); \
	T __kmpc_atomic_val_##size##_cas(void *ident, int gtid, T *x, T expected, T desired);      \
	_Bool __kmpc_atomic_bool_##size##_cas_cpt(                                                 \
	    void *ident, int gtid, T *x, T expected, T desired, T *captured);                      \
	T __kmpc_atomic_val_##size##_cas_cpt(                                                      \
	    void *ident, int gtid, T *x, T expected, T desired, T *captured);                      \
	static void add_##size(T *place, int which)                                                \
	{                                                                                          \
		int gtid = __kmpc_global_thread_num(&here);                                        \
		bool done = false;                                                                 \
                                                                                                   \
		while (!done) {                                                                    \
			T old = __atomic_load_n(place, __ATOMIC_RELAXED), next = (T)(old + 1);     \
			T captured = old;                                                          \
                                                                                                   \
			if (which == 0) {                                                          \
				done = __kmpc_atomic_bool_##size##_cas(                            \
				    &here, gtid, place, old, next);                                \
			} else if (which == 1) {                                                   \
				done = __kmpc_atomic_val_##size##_cas(                             \
					   &here, gtid, place, old, next) == old;                  \
			} else if (which == 2) {                                                   \
				done = __kmpc_atomic_bool_##size##_cas_cpt(                        \
				    &here, gtid, place, old, next, &captured);                     \
				CHECK((captured == old) == done);                                  \
			} else {                                                                   \
				done = __kmpc_atomic_val_##size##_cas_cpt(                         \
					   &here, gtid, place, old, next, &captured) == old;       \
				CHECK(!done || captured == next);                                  \
			}                                                                          \
		}                                                                                  \
	}                                                                                          \
	static void test_cas_##size(int threads)                                                   \
	{                                                                                          \
		OBJECT(T, 5);                                                                      \
		T captured = 0;                                                                    \
                                                                                                   \
		_Pragma("omp parallel") for (int i = 0; i < 4 * TURNS; i++)                        \
		    add_##size(place, i % 4);                                                      \
		CHECK(*place == (T)(5 + threads * 4 * TURNS));                                     \
		*place = 7;                                                                        \
		CHECK(!__kmpc_atomic_bool_##size##_cas(&here, 0, place, 6, 9) && *place == 7);     \
		CHECK_EQUAL(__kmpc_atomic_val_##size##_cas(&here, 0, place, 6, 9), 7);             \
		CHECK(!__kmpc_atomic_bool_##size##_cas_cpt(&here, 0, place, 6, 9, &captured));     \
		CHECK(captured == 7);                                                              \
		captured = 0;                                                                      \
		CHECK_EQUAL(                                                                       \
		    __kmpc_atomic_val_##size##_cas_cpt(&here, 0, place, 6, 9, &captured), 7);      \
		CHECK(captured == 7 && *place == 7);                                               \
		CHECK_GUARDS();                                                                    \
	}

void __kmpc_atomic_start(void);
void __kmpc_atomic_end(void);

static void test_start_end(int threads)
{
	long plain = 0;

#pragma omp parallel
	for (int i = 0; i < TURNS; i++) {
		__kmpc_atomic_start();
		plain++;
		__kmpc_atomic_end();
	}
	CHECK_EQUAL(plain, (long)TURNS * threads);
}

#endif
