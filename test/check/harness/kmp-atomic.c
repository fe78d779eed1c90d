/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic constructs of clang's code: each is sequentially consistent. Two threads execute the same
 * operation on an object each and then read the other's: one of them sees that it has changed. Each
 * of the operations that are one step of the processor, in every order.
 *
 * The tables are lists of expanders: BOTH is an update and the same with a capture, REVERSED these
 * with operands exchanged, WIDER an update with an operand of another type. Each operand is one
 * with which the operation changes the object.
 */
#include <stdbool.h>
#include <stdint.h>

#include "check.h"

typedef float _Complex complex_4;
typedef double _Complex complex_8;

enum { BEFORE = 5, OPERAND = 12, SMALLER = 3 };

typedef void operation_fn(void *result, void *x, void *y);

#define DIVISIONS(type, T, BOTH, REVERSED)                                                         \
	BOTH(type, div, T, OPERAND)                                                                \
	REVERSED(type, div, T, OPERAND)                                                            \
	BOTH(type, shr, T, OPERAND)                                                                \
	REVERSED(type, shr, T, OPERAND)

#define INTEGERS(type, T, BOTH, REVERSED, WIDER)                                                   \
	BOTH(type, add, T, OPERAND)                                                                \
	BOTH(type, sub, T, OPERAND)                                                                \
	REVERSED(type, sub, T, OPERAND)                                                            \
	BOTH(type, mul, T, OPERAND)                                                                \
	BOTH(type, andb, T, OPERAND)                                                               \
	BOTH(type, orb, T, OPERAND)                                                                \
	BOTH(type, xor, T, OPERAND)                                                                \
	BOTH(type, eqv, T, OPERAND)                                                                \
	BOTH(type, neqv, T, OPERAND)                                                               \
	BOTH(type, andl, T, OPERAND)                                                               \
	BOTH(type, orl, T, OPERAND)                                                                \
	BOTH(type, max, T, OPERAND)                                                                \
	BOTH(type, min, T, SMALLER)                                                                \
	BOTH(type, shl, T, OPERAND)                                                                \
	REVERSED(type, shl, T, OPERAND)                                                            \
	DIVISIONS(type, T, BOTH, REVERSED)                                                         \
	WIDER(type, mul_float8, T, double)                                                         \
	WIDER(type, div_float8, T, double)                                                         \
	WIDER(type, wr, T, T)

#define ARITHMETIC(type, T, BOTH, REVERSED, WIDER)                                                 \
	BOTH(type, add, T, OPERAND)                                                                \
	BOTH(type, sub, T, OPERAND)                                                                \
	REVERSED(type, sub, T, OPERAND)                                                            \
	BOTH(type, mul, T, OPERAND)                                                                \
	BOTH(type, div, T, OPERAND)                                                                \
	REVERSED(type, div, T, OPERAND)                                                            \
	WIDER(type, wr, T, T)

#define EXTREMES(type, T, BOTH)                                                                    \
	BOTH(type, max, T, OPERAND)                                                                \
	BOTH(type, min, T, SMALLER)

#define WITH_WIDER(type, T, suffix, Y, WIDER)                                                      \
	WIDER(type, add_##suffix, T, Y)                                                            \
	WIDER(type, sub_##suffix, T, Y)                                                            \
	WIDER(type, mul_##suffix, T, Y)                                                            \
	WIDER(type, div_##suffix, T, Y)

/* ------------------------------------------------------------------ a function for each operation
 */

#define UPDATE(type, operation, T, Y, y)                                                           \
	void __kmpc_atomic_##type##_##operation(const void *where, int32_t gtid, T *x, Y by);      \
	static void type##_##operation(void *place)                                                \
	{                                                                                          \
		__kmpc_atomic_##type##_##operation(NULL, 0, place, y);                             \
	}
#define CAPTURE(type, operation, T, y)                                                             \
	T __kmpc_atomic_##type##_##operation(                                                      \
	    const void *where, int32_t gtid, T *x, T by, int32_t after);                           \
	static void type##_##operation(void *place)                                                \
	{                                                                                          \
		CHECK(__kmpc_atomic_##type##_##operation(NULL, 0, place, y, 0) == BEFORE);         \
	}
/* Complex ones are captured by a pointer. */
#define CAPTURE_COMPLEX(type, operation, T, y)                                                     \
	void __kmpc_atomic_##type##_##operation(                                                   \
	    const void *where, int32_t gtid, T *x, T by, T *captured, int32_t after);              \
	static void type##_##operation(void *place)                                                \
	{                                                                                          \
		T captured;                                                                        \
                                                                                                   \
		__kmpc_atomic_##type##_##operation(NULL, 0, place, y, &captured, 0);               \
		CHECK(captured == BEFORE);                                                         \
	}
#define FUNCTION_BOTH(type, operation, T, y)                                                       \
	UPDATE(type, operation, T, T, y)                                                           \
	CAPTURE(type, operation##_cpt, T, y)
#define FUNCTION_REVERSED(type, operation, T, y)                                                   \
	UPDATE(type, operation##_rev, T, T, y)                                                     \
	CAPTURE(type, operation##_cpt_rev, T, y)
#define FUNCTION_BOTH_COMPLEX(type, operation, T, y)                                               \
	UPDATE(type, operation, T, T, y)                                                           \
	CAPTURE_COMPLEX(type, operation##_cpt, T, y)
#define FUNCTION_REVERSED_COMPLEX(type, operation, T, y)                                           \
	UPDATE(type, operation##_rev, T, T, y)                                                     \
	CAPTURE_COMPLEX(type, operation##_cpt_rev, T, y)
#define FUNCTION_WIDER(type, operation, T, Y) UPDATE(type, operation, T, Y, OPERAND)

/* What an object holds before, and whether that has changed. */
#define ACCESS(type, T)                                                                            \
	T __kmpc_atomic_##type##_rd(const void *where, int32_t gtid, T *x);                        \
	static void type##_begin(void *place)                                                      \
	{                                                                                          \
		*(T *)place = BEFORE;                                                              \
	}                                                                                          \
	static bool type##_has_changed(void *place)                                                \
	{                                                                                          \
		return __kmpc_atomic_##type##_rd(NULL, 0, place) != BEFORE;                        \
	}
#define EXCHANGE(type, T)                                                                          \
	T __kmpc_atomic_##type##_swp(const void *where, int32_t gtid, T *x, T by);                 \
	static void type##_swp(void *place)                                                        \
	{                                                                                          \
		CHECK(__kmpc_atomic_##type##_swp(NULL, 0, place, OPERAND) == BEFORE);              \
	}

/* An operation that the program passes as a function, and the four that compare. */
#define COMPARE(bytes, T)                                                                          \
	void __kmpc_atomic_##bytes(                                                                \
	    const void *where, int32_t gtid, T *x, void *y, operation_fn *operation);              \
	bool __kmpc_atomic_bool_##bytes##_cas(                                                     \
	    const void *where, int32_t gtid, T *x, T expected, T desired);                         \
	T __kmpc_atomic_val_##bytes##_cas(                                                         \
	    const void *where, int32_t gtid, T *x, T expected, T desired);                         \
	bool __kmpc_atomic_bool_##bytes##_cas_cpt(                                                 \
	    const void *where, int32_t gtid, T *x, T expected, T desired, T *captured);            \
	T __kmpc_atomic_val_##bytes##_cas_cpt(                                                     \
	    const void *where, int32_t gtid, T *x, T expected, T desired, T *captured);            \
	static void add_##bytes(void *result, void *x, void *y)                                    \
	{                                                                                          \
		*(T *)result = (T)(*(T *)x + *(T *)y);                                             \
	}                                                                                          \
	static void by_function_##bytes(void *place)                                               \
	{                                                                                          \
		T y = OPERAND;                                                                     \
                                                                                                   \
		__kmpc_atomic_##bytes(NULL, 0, place, &y, add_##bytes);                            \
	}                                                                                          \
	static void bool_##bytes(void *place)                                                      \
	{                                                                                          \
		CHECK(__kmpc_atomic_bool_##bytes##_cas(NULL, 0, place, BEFORE, OPERAND));          \
	}                                                                                          \
	static void val_##bytes(void *place)                                                       \
	{                                                                                          \
		CHECK(__kmpc_atomic_val_##bytes##_cas(NULL, 0, place, BEFORE, OPERAND) == BEFORE); \
	}                                                                                          \
	static void bool_cpt_##bytes(void *place)                                                  \
	{                                                                                          \
		T captured = 0;                                                                    \
                                                                                                   \
		CHECK(__kmpc_atomic_bool_##bytes##_cas_cpt(                                        \
		    NULL, 0, place, BEFORE, OPERAND, &captured));                                  \
	}                                                                                          \
	static void val_cpt_##bytes(void *place)                                                   \
	{                                                                                          \
		T captured = 0;                                                                    \
                                                                                                   \
		CHECK(__kmpc_atomic_val_##bytes##_cas_cpt(                                         \
			  NULL, 0, place, BEFORE, OPERAND, &captured) == BEFORE);                  \
		CHECK(captured == OPERAND);                                                        \
	}

#define INTEGER_FUNCTIONS(type, T)                                                                 \
	INTEGERS(type, T, FUNCTION_BOTH, FUNCTION_REVERSED, FUNCTION_WIDER)                        \
	ACCESS(type, T)                                                                            \
	EXCHANGE(type, T)

INTEGER_FUNCTIONS(fixed1, int8_t)
INTEGER_FUNCTIONS(fixed2, int16_t)
INTEGER_FUNCTIONS(fixed4, int32_t)
INTEGER_FUNCTIONS(fixed8, int64_t)
DIVISIONS(fixed1u, uint8_t, FUNCTION_BOTH, FUNCTION_REVERSED)
DIVISIONS(fixed2u, uint16_t, FUNCTION_BOTH, FUNCTION_REVERSED)
DIVISIONS(fixed4u, uint32_t, FUNCTION_BOTH, FUNCTION_REVERSED)
DIVISIONS(fixed8u, uint64_t, FUNCTION_BOTH, FUNCTION_REVERSED)
COMPARE(1, int8_t)
COMPARE(2, int16_t)
COMPARE(4, int32_t)
COMPARE(8, int64_t)
ARITHMETIC(float4, float, FUNCTION_BOTH, FUNCTION_REVERSED, FUNCTION_WIDER)
EXTREMES(float4, float, FUNCTION_BOTH)
WITH_WIDER(float4, float, float8, double, FUNCTION_WIDER)
ACCESS(float4, float)
EXCHANGE(float4, float)
ARITHMETIC(float8, double, FUNCTION_BOTH, FUNCTION_REVERSED, FUNCTION_WIDER)
EXTREMES(float8, double, FUNCTION_BOTH)
ACCESS(float8, double)
EXCHANGE(float8, double)
ARITHMETIC(cmplx4, complex_4, FUNCTION_BOTH_COMPLEX, FUNCTION_REVERSED_COMPLEX, FUNCTION_WIDER)
WITH_WIDER(cmplx4, complex_4, cmplx8, complex_8, FUNCTION_WIDER)
ACCESS(cmplx4, complex_4)

void __kmpc_atomic_cmplx4_swp(
    const void *where, int32_t gtid, complex_4 *x, complex_4 by, complex_4 *captured);

static void cmplx4_swp(void *place)
{
	complex_4 captured;

	__kmpc_atomic_cmplx4_swp(NULL, 0, place, OPERAND, &captured);
	CHECK(captured == BEFORE);
}

/* ---------------------------------------------------------------------------- the same as tables
 */

#define ROW_BOTH(type, operation, T, y)     type##_##operation, type##_##operation##_cpt,
#define ROW_REVERSED(type, operation, T, y) type##_##operation##_rev, type##_##operation##_cpt_rev,
#define ROW_WIDER(type, operation, T, Y)    type##_##operation,
#define ROW_COMPARE(bytes)                                                                         \
	by_function_##bytes, bool_##bytes, val_##bytes, bool_cpt_##bytes, val_cpt_##bytes,

typedef void apply_fn(void *place);

#define INTEGER_ROWS(type, bytes)                                                                  \
	static apply_fn *const of_##type[] = {INTEGERS(type, T, ROW_BOTH, ROW_REVERSED, ROW_WIDER) \
		DIVISIONS(type##u, T, ROW_BOTH, ROW_REVERSED) ROW_COMPARE(bytes) type##_swp};
INTEGER_ROWS(fixed1, 1)
INTEGER_ROWS(fixed2, 2)
INTEGER_ROWS(fixed4, 4)
INTEGER_ROWS(fixed8, 8)
static apply_fn *const of_float4[] = {ARITHMETIC(float4, T, ROW_BOTH, ROW_REVERSED, ROW_WIDER)
	EXTREMES(float4, T, ROW_BOTH) WITH_WIDER(float4, T, float8, Y, ROW_WIDER) float4_swp};
static apply_fn *const of_float8[] = {ARITHMETIC(float8, T, ROW_BOTH, ROW_REVERSED, ROW_WIDER)
	EXTREMES(float8, T, ROW_BOTH) float8_swp};
static apply_fn *const of_cmplx4[] = {ARITHMETIC(cmplx4, T, ROW_BOTH, ROW_REVERSED, ROW_WIDER)
	WITH_WIDER(cmplx4, T, cmplx8, Y, ROW_WIDER) cmplx4_swp};

#define TYPE(type)                                                                                 \
	{                                                                                          \
		of_##type, sizeof(of_##type) / sizeof(of_##type[0]), type##_begin,                 \
		    type##_has_changed                                                             \
	}
static const struct {
	apply_fn *const *operations;
	uint32_t count;
	void (*begin)(void *place);
	bool (*has_changed)(void *place);
} types[] = {TYPE(fixed1), TYPE(fixed2), TYPE(fixed4), TYPE(fixed8), TYPE(float4), TYPE(float8),
    TYPE(cmplx4)};

static struct {
	_Alignas(8) char bytes[8];
} objects[2];
static uint32_t type, operation;
static bool has_seen[2];

static void update_and_read(void *argument)
{
	uint32_t number = check_thread();

	(void)argument;
	types[type].operations[operation](&objects[number]);
	has_seen[number] = types[type].has_changed(&objects[1 - number]);
}

static void each(void)
{
	type = check_choose(sizeof(types) / sizeof(types[0]));
	operation = check_choose(types[type].count);
	types[type].begin(&objects[0]);
	types[type].begin(&objects[1]);
	check_start(update_and_read, NULL);
	update_and_read(NULL);
	check_join();
	CHECK(has_seen[0] || has_seen[1]);
}
HARNESS(kmp_atomic_each, "each atomic operation of clang's code, by two threads") = {.run = each};
