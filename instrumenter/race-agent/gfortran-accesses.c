/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that libgfortran makes for the program: items of READ and WRITE statements, internal
 * files, and the operands of matmul. The library is not compiled with -fsanitize=thread. These
 * functions therefore precede its own, tell ThreadSanitizer which memory is about to be accessed,
 * or which code calls, and then call them.
 *
 * The layout of an array descriptor and the arguments are part of gfortran's interface
 * (`-fdump-tree-original` shows both), and have been the same since GCC 9.
 */
#include "next.h"
#include "tsan-report.h"

#include <stddef.h>

struct dimension {
	ptrdiff_t stride, lower, upper; /* stride: in elements */
};

struct descriptor {
	char *base;
	size_t offset;
	size_t element_bytes;
	int version;
	signed char rank, type;
	signed short attribute;
	ptrdiff_t span;
	struct dimension dimensions[15];
};

typedef void access_fn(void *address, uintptr_t size, void *pc);

/*
 * How many of these functions the thread has entered. Calls that the library makes itself are not
 * the program's: its functions that write an item call those that read one.
 */
static _Thread_local unsigned depth __attribute__((tls_model("initial-exec")));

static void note(access_fn *access, const void *address, size_t bytes, void *pc)
{
	if (depth == 0 && access != NULL && address != NULL && bytes > 0)
		access((void *)(uintptr_t)address, bytes, pc);
}

/* Notes an array row by row if the first dimension is dense. */
static void note_array(
    access_fn *access, const struct descriptor *array, const char *from, int rank, void *pc)
{
	const struct dimension *dimension = &array->dimensions[rank - 1];
	ptrdiff_t count, step;

	if (array->base == NULL || access == NULL)
		return;
	if (rank == 0) {
		note(access, from, array->element_bytes, pc);
		return;
	}
	count = dimension->upper - dimension->lower + 1;
	step = dimension->stride * (ptrdiff_t)array->element_bytes;
	if (count <= 0)
		return;
	if (rank == 1 && dimension->stride == 1) {
		note(access, from, (size_t)count * array->element_bytes, pc);
		return;
	}
	for (ptrdiff_t i = 0; i < count; i++)
		note_array(access, array, from + i * step, rank - 1, pc);
}

/* Until leave(), the sanitizer sees a call from `pc`. */
static void enter(void *pc)
{
	depth++;
	if (__tsan_func_entry != NULL)
		__tsan_func_entry(pc);
}

static void leave(void)
{
	depth--;
	if (__tsan_func_exit != NULL)
		__tsan_func_exit();
}

#define PUBLIC __attribute__((visibility("default")))

/* An item of `bytes`, an expression that may use the function's argument `size`. */
#define ITEM(name, access, bytes)                                                                  \
	PUBLIC void _gfortran_transfer_##name(void *statement, void *item, int size);              \
	PUBLIC void _gfortran_transfer_##name(void *statement, void *item, int size)               \
	{                                                                                          \
		static void (*next)(void *, void *, int);                                          \
		next_find((void **)&next, __func__);                                               \
		note(access, item, (size_t)(bytes), __builtin_return_address(0));                  \
		enter(__builtin_return_address(0));                                                \
		next(statement, item, size);                                                       \
		leave();                                                                           \
	}

#define TEXT(name, access)                                                                         \
	PUBLIC void _gfortran_transfer_##name(void *statement, void *item, size_t size);           \
	PUBLIC void _gfortran_transfer_##name(void *statement, void *item, size_t size)            \
	{                                                                                          \
		static void (*next)(void *, void *, size_t);                                       \
		next_find((void **)&next, __func__);                                               \
		note(access, item, size, __builtin_return_address(0));                             \
		enter(__builtin_return_address(0));                                                \
		next(statement, item, size);                                                       \
		leave();                                                                           \
	}

#define ARRAY(name, access)                                                                        \
	PUBLIC void _gfortran_transfer_##name(                                                     \
	    void *statement, struct descriptor *array, int kind, size_t length);                   \
	PUBLIC void _gfortran_transfer_##name(                                                     \
	    void *statement, struct descriptor *array, int kind, size_t length)                    \
	{                                                                                          \
		static void (*next)(void *, struct descriptor *, int, size_t);                     \
		next_find((void **)&next, __func__);                                               \
		note_array(access, array, array->base, array->rank, __builtin_return_address(0));  \
		enter(__builtin_return_address(0));                                                \
		next(statement, array, kind, length);                                              \
		leave();                                                                           \
	}

/*
 * The begin or end of a statement. Functions that the sanitizer sees read or write an internal file
 * there; it does not see which code called the library.
 */
#define STATEMENT(name)                                                                            \
	PUBLIC void _gfortran_##name(void *statement);                                             \
	PUBLIC void _gfortran_##name(void *statement)                                              \
	{                                                                                          \
		static void (*next)(void *);                                                       \
		next_find((void **)&next, __func__);                                               \
		enter(__builtin_return_address(0));                                                \
		next(statement);                                                                   \
		leave();                                                                           \
	}

STATEMENT(st_read)
STATEMENT(st_read_done)
STATEMENT(st_write)
STATEMENT(st_write_done)

#define BOTH(kind, name, ...)                                                                      \
	kind(name, __tsan_write_range_pc, ##__VA_ARGS__)                                           \
	    kind(name##_write, __tsan_read_range_pc, ##__VA_ARGS__)

BOTH(ITEM, integer, size)
BOTH(ITEM, logical, size)
BOTH(ITEM, real, size)
BOTH(ITEM, complex, 2 * size)
BOTH(ITEM, real128, size)
BOTH(ITEM, complex128, 2 * size)
BOTH(TEXT, character)
BOTH(ARRAY, array)

#define MATMUL(suffix)                                                                             \
	PUBLIC void _gfortran_matmul_##suffix(struct descriptor *result, struct descriptor *left,  \
	    struct descriptor *right, int use_blas, int limit, void *blas);                        \
	PUBLIC void _gfortran_matmul_##suffix(struct descriptor *result, struct descriptor *left,  \
	    struct descriptor *right, int use_blas, int limit, void *blas)                         \
	{                                                                                          \
		static void (*next)(struct descriptor *, struct descriptor *, struct descriptor *, \
		    int, int, void *);                                                             \
		void *pc = __builtin_return_address(0);                                            \
		next_find((void **)&next, __func__);                                               \
		note_array(__tsan_read_range_pc, left, left->base, left->rank, pc);                \
		note_array(__tsan_read_range_pc, right, right->base, right->rank, pc);             \
		note_array(__tsan_write_range_pc, result, result->base, result->rank, pc);         \
		next(result, left, right, use_blas, limit, blas);                                  \
	}

MATMUL(i4)
MATMUL(i8)
MATMUL(r4)
MATMUL(r8)
MATMUL(c4)
MATMUL(c8)
