/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each entry point of clang's atomic constructs is sequentially consistent: of two threads that
 * change one object and then read the other's, at least one sees the other's change. The entry
 * point changes (or reads) the object under test, plain C11 the other object. Entry points that
 * take a mutex have no order of their own and are left out. Complete, for each entry point by
 * itself.
 */
#include <complex.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

enum { NAME = 64, WORD_TYPES = 8 };

typedef void integer_fn(void *ident, int32_t gtid, void *place, uint64_t y, int32_t new);
typedef void float_fn(void *ident, int32_t gtid, void *place, float y, int32_t new);
typedef void double_fn(void *ident, int32_t gtid, void *place, double y, int32_t new);
typedef void complex_fn(
    void *ident, int32_t gtid, void *place, float complex y, float complex *captured, int32_t new);
typedef void wide_complex_fn(void *ident, int32_t gtid, void *place, double complex y);
typedef int32_t read32_fn(void *ident, int32_t gtid, void *place);
typedef int64_t read64_fn(void *ident, int32_t gtid, void *place);
typedef float read_float_fn(void *ident, int32_t gtid, void *place);
typedef double read_double_fn(void *ident, int32_t gtid, void *place);
typedef float complex read_complex_fn(void *ident, int32_t gtid, void *place);
typedef bool replace_fn(
    void *ident, int32_t gtid, void *place, uint64_t expected, uint64_t value, uint64_t *found);
typedef void combine_fn(void *result, const void *a, const void *b);
typedef void operation_fn(void *ident, int32_t gtid, void *place, void *y, combine_fn *combine);

enum kind { INTEGER, FLOAT, DOUBLE, COMPLEX };

static const struct type {
	const char *name;
	enum kind kind;
	uint32_t bytes;
} types[] = {
    {"fixed1", INTEGER, 1},
    {"fixed1u", INTEGER, 1},
    {"fixed2", INTEGER, 2},
    {"fixed2u", INTEGER, 2},
    {"fixed4", INTEGER, 4},
    {"fixed4u", INTEGER, 4},
    {"fixed8", INTEGER, 8},
    {"fixed8u", INTEGER, 8},
    {"float4", FLOAT, 4},
    {"float8", DOUBLE, 8},
    {"cmplx4", COMPLEX, 8},
};

/* After each of these comes nothing, "_cpt", "_rev" or "_cpt_rev". */
static const char *const operations[] = {"add", "sub", "mul", "div", "andb", "orb", "xor", "neqv",
    "eqv", "andl", "orl", "max", "min", "shl", "shr", "wr", "swp", "mul_float8", "div_float8",
    "add_float8", "sub_float8", "add_cmplx8", "sub_cmplx8", "mul_cmplx8", "div_cmplx8"};
static const char *const endings[] = {"", "_cpt", "_rev", "_cpt_rev"};

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static _Alignas(8) unsigned char object[8];
static _Atomic uint32_t other;
static uint64_t seen_object;
static uint32_t seen_other;

static uint64_t load_object(uint32_t bytes)
{
	switch (bytes) {
	case 1:
		return atomic_load((_Atomic uint8_t *)(void *)object);
	case 2:
		return atomic_load((_Atomic uint16_t *)(void *)object);
	case 4:
		return atomic_load((_Atomic uint32_t *)(void *)object);
	default:
		return atomic_load((_Atomic uint64_t *)(void *)object);
	}
}

static void *find(const char *type, const char *operation, const char *ending)
{
	char name[NAME];

	snprintf(name, sizeof(name), "__kmpc_atomic_%s_%s%s", type, operation, ending);
	return dlsym(RTLD_DEFAULT, name);
}

/* x, or another value of x with which every operation changes it. */
static void set_object(const struct type *type, int x)
{
	float single = (float)x;
	double twice = x;
	float complex pair = (float)x;
	uint64_t whole = (uint64_t)x;

	switch (type->kind) {
	case INTEGER:
		memcpy(object, &whole, type->bytes);
		break;
	case FLOAT:
		memcpy(object, &single, type->bytes);
		break;
	case DOUBLE:
		memcpy(object, &twice, type->bytes);
		break;
	case COMPLEX:
		memcpy(object, &pair, type->bytes);
		break;
	}
}

static void change(void *entry, const struct type *type, const char *operation, int y)
{
	float complex captured;

	if (strstr(operation, "cmplx8") != NULL)
		((wide_complex_fn *)entry)(NULL, 0, object, (double)y);
	else if (type->kind == DOUBLE || strstr(operation, "float8") != NULL)
		((double_fn *)entry)(NULL, 0, object, (double)y, 0);
	else if (type->kind == INTEGER)
		((integer_fn *)entry)(NULL, 0, object, (uint64_t)y, 0);
	else if (type->kind == FLOAT)
		((float_fn *)entry)(NULL, 0, object, (float)y, 0);
	else
		((complex_fn *)entry)(NULL, 0, object, (float)y, &captured, 0);
}

static void change_other(void *argument)
{
	const struct type *type = argument;

	atomic_store(&other, 1);
	seen_object = load_object(type->bytes);
}

/* With 1 and 3, or 5 and 3, each operation changes x. */
static void run_update(void)
{
	const struct type *type = &types[check_choose(COUNT(types))];
	const char *operation = operations[check_choose(COUNT(operations))];
	void *entry = find(type->name, operation, endings[check_choose(COUNT(endings))]);
	int x = strcmp(operation, "max") == 0 ? 1 : 5;
	uint64_t before = 0;

	if (entry == NULL)
		return;
	if (strcmp(operation, "andl") == 0 || strcmp(operation, "orl") == 0)
		x = 7; /* becomes 1 */
	set_object(type, x);
	memcpy(&before, object, type->bytes);
	check_start(change_other, (void *)(uintptr_t)type);
	change(entry, type, operation, 3);
	seen_other = atomic_load(&other);
	check_join();
	EXPECT(load_object(type->bytes) != before);
	EXPECT(seen_other == 1 || seen_object != before);
}
HARNESS(clang_atomic_update, "each atomic update of clang's code is sequential") = {
    .run = run_update};

static void store_then_load(void *argument)
{
	const struct type *type = argument;

	switch (type->bytes) {
	case 1:
		atomic_store((_Atomic uint8_t *)(void *)object, 1);
		break;
	case 2:
		atomic_store((_Atomic uint16_t *)(void *)object, 1);
		break;
	case 4:
		atomic_store((_Atomic uint32_t *)(void *)object, 1);
		break;
	default:
		atomic_store((_Atomic uint64_t *)(void *)object, 1);
		break;
	}
	seen_other = atomic_load(&other);
}

/* Is what is read not zero? */
static bool read_object(void *entry, const struct type *type)
{
	switch (type->kind) {
	case FLOAT:
		return ((read_float_fn *)entry)(NULL, 0, object) != 0;
	case DOUBLE:
		return ((read_double_fn *)entry)(NULL, 0, object) != 0;
	case COMPLEX:
		return ((read_complex_fn *)entry)(NULL, 0, object) != 0;
	case INTEGER:
		break;
	}
	if (type->bytes == 8)
		return ((read64_fn *)entry)(NULL, 0, object) != 0;
	return ((read32_fn *)entry)(NULL, 0, object) << 8 * (4 - type->bytes) != 0;
}

static void run_read(void)
{
	const struct type *type = &types[check_choose(COUNT(types))];
	void *entry = find(type->name, "rd", "");
	bool is_changed;

	if (entry == NULL)
		return;
	check_start(store_then_load, (void *)(uintptr_t)type);
	atomic_store(&other, 1);
	is_changed = read_object(entry, type);
	check_join();
	EXPECT(is_changed || seen_other == 1);
}
HARNESS(clang_atomic_read, "each atomic read of clang's code is sequential") = {.run = run_read};

static void run_replace(void)
{
	static const char *const bytes[] = {"1", "2", "4", "8"};
	static const char *const forms[] = {"bool", "val"};
	uint32_t size = check_choose(COUNT(bytes));
	const struct type type = {.kind = INTEGER, .bytes = 1u << size};
	uint32_t form = check_choose(COUNT(forms)), ending = check_choose(2);
	uint64_t found = 0;
	char name[NAME];
	replace_fn *entry;

	snprintf(name, sizeof(name), "__kmpc_atomic_%s_%s_cas%s", forms[form], bytes[size],
	    endings[ending]);
	entry = (replace_fn *)dlsym(RTLD_DEFAULT, name);
	EXPECT(entry != NULL);
	check_start(change_other, (void *)(uintptr_t)&type);
	entry(NULL, 0, object, 0, 1, &found);
	seen_other = atomic_load(&other);
	check_join();
	EXPECT(seen_other == 1 || seen_object == 1);
}
HARNESS(clang_atomic_replace, "each compare-and-swap of clang's code is sequential") = {
    .run = run_replace};

static void take_second(void *result, const void *a, const void *b)
{
	(void)a;
	*(unsigned char *)result = *(const unsigned char *)b;
}

static void run_operation(void)
{
	static const char *const bytes[] = {"1", "2", "4", "8"};
	uint32_t size = check_choose(COUNT(bytes));
	const struct type type = {.kind = INTEGER, .bytes = 1u << size};
	unsigned char y[WORD_TYPES] = {1};
	char name[NAME];
	operation_fn *entry;

	snprintf(name, sizeof(name), "__kmpc_atomic_%s", bytes[size]);
	entry = (operation_fn *)dlsym(RTLD_DEFAULT, name);
	EXPECT(entry != NULL);
	check_start(change_other, (void *)(uintptr_t)&type);
	entry(NULL, 0, object, y, take_second);
	seen_other = atomic_load(&other);
	check_join();
	EXPECT(seen_other == 1 || seen_object != 0);
}
HARNESS(clang_atomic_operation, "each update by the program's function is sequential") = {
    .run = run_operation};
