/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the variables whose address never changes, and follows the type of one of them down to the
 * element or member at an offset. It stops at OpenMP's lock types, whose members belong to the
 * runtime, and if more than one member is possible.
 */
#include "variable-name.h"

#include "debug-tree.h"
#include "shared/array.h"

#include <dwarf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS_MOST = 16 };

/* What the listing needs in addition to the current entry. */
struct listing {
	struct variables *variables;
	bool is_inner; /* within functions */
	bool (*patience)(void *context);
	void *context;
};

static bool read_number(Dwarf_Die *die, unsigned name, uint64_t *number)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word;

	if (dwarf_attr_integrate(die, name, &attribute) == NULL ||
	    dwarf_formudata(&attribute, &word) != 0)
		return false;
	*number = word;
	return true;
}

static bool read_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;

	return dwarf_attr_integrate(die, DW_AT_type, &attribute) != NULL &&
	       dwarf_formref_die(&attribute, type) != NULL;
}

/* Returns the address of a variable whose address never changes; false: it has none. */
static bool read_address(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attribute, indexed;
	Dwarf_Op *operation;
	size_t count;

	if (dwarf_attr(die, DW_AT_location, &attribute) == NULL ||
	    dwarf_getlocation(&attribute, &operation, &count) != 0 || count == 0)
		return false;
	if (operation[0].atom == DW_OP_addr) {
		*address = operation[0].number;
	} else if (operation[0].atom == DW_OP_addrx) {
		Dwarf_Addr value;
		if (dwarf_getlocation_attr(&attribute, operation, &indexed) != 0 ||
		    dwarf_formaddr(&indexed, &value) != 0)
			return false;
		*address = value;
	} else {
		return false;
	}
	/* A member of a Fortran common block is at this offset in the block. */
	if (count == 2 && operation[1].atom == DW_OP_plus_uconst)
		*address += operation[1].number;
	return count == 1 || (count == 2 && operation[1].atom == DW_OP_plus_uconst);
}

static void add_variable(struct variables *variables, Dwarf_Die *die)
{
	struct variable item = {.die = *die};
	Dwarf_Die type;
	Dwarf_Word size;

	if (read_address(die, &item.start) && read_type(die, &type) &&
	    dwarf_aggregate_size(&type, &size) == 0) {
		item.size = size;
		(void)ARRAY_PUSH(variables->variable, variables->count, variables->room, item);
	}
}

static bool holds_variables(int tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_common_block:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
		return true;
	default:
		return false;
	}
}

static void list_below(const struct listing *listing, Dwarf_Die *of, bool is_in_function, int depth)
{
	Dwarf_Die die;

	if (depth > NAMES_DEPTH_MOST || !listing->patience(listing->context) ||
	    dwarf_child(of, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);
		bool is_function = is_in_function || tag == DW_TAG_subprogram;
		if (tag == DW_TAG_variable && is_in_function == listing->is_inner)
			add_variable(listing->variables, &die);
		else if (holds_variables(tag) && (!is_function || listing->is_inner))
			list_below(listing, &die, is_function, depth + 1);
	} while (names_next_sibling(&die));
}

static void list_units(const struct listing *listing, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Half version;
	uint8_t type;
	Dwarf_Die die, split;

	while (listing->patience(listing->context) &&
	       dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, &split) == 0)
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			list_below(listing, names_unit_entry(&die, &split, type), false, 0);
}

static struct variable *find(const struct variables *variables, uint64_t address)
{
	for (size_t i = 0; i < variables->count; i++)
		if (address - variables->variable[i].start < variables->variable[i].size)
			return &variables->variable[i];
	return NULL;
}

/* The path while it is composed. */
struct path {
	char text[512];
	size_t length;
	bool is_fortran;
	bool is_too_long;
};

__attribute__((format(printf, 2, 3))) static void append(struct path *path, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	int length = vsnprintf(
	    path->text + path->length, sizeof(path->text) - path->length, format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= sizeof(path->text) - path->length)
		path->is_too_long = true;
	else
		path->length += (size_t)length;
}

/* Removes typedefs; false at one of OpenMP's lock types, which must not be inspected. */
static bool peel(Dwarf_Die *type)
{
	for (int depth = 0; depth < NAMES_DEPTH_MOST; depth++) {
		int tag = dwarf_tag(type);
		const char *name = dwarf_diename(type);
		if (name != NULL &&
		    (strcmp(name, "omp_lock_t") == 0 || strcmp(name, "omp_nest_lock_t") == 0))
			return false;
		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type &&
		    tag != DW_TAG_volatile_type && tag != DW_TAG_atomic_type)
			return true;
		Dwarf_Die below;
		if (!read_type(type, &below))
			return false;
		*type = below;
	}
	return false;
}

struct dimension {
	uint64_t first, count;
};

static uint64_t first_index(Dwarf_Die *range, bool is_fortran)
{
	uint64_t first;

	return read_number(range, DW_AT_lower_bound, &first) ? first : is_fortran;
}

/* Returns the number of dimensions of an array; 0: not all are known. */
static size_t read_dimensions(
    Dwarf_Die *array, struct dimension dimensions[DIMENSIONS_MOST], bool is_fortran)
{
	size_t count = 0;
	uint64_t last;
	Dwarf_Die range;

	if (dwarf_child(array, &range) != 0)
		return 0;
	do {
		if (dwarf_tag(&range) != DW_TAG_subrange_type)
			continue;
		if (count == DIMENSIONS_MOST)
			return 0;
		struct dimension *dimension = &dimensions[count++];
		dimension->first = first_index(&range, is_fortran);
		if (!read_number(&range, DW_AT_count, &dimension->count)) {
			if (!read_number(&range, DW_AT_upper_bound, &last))
				return 0;
			dimension->count = last - dimension->first + 1;
		}
		if (dimension->count == 0)
			return 0;
	} while (names_next_sibling(&range));
	return count;
}

/* Neighbouring elements differ in the last index in C, in the first in Fortran. */
static void append_indices(
    struct path *path, const struct dimension *dimensions, size_t count, uint64_t place)
{
	uint64_t index[DIMENSIONS_MOST];

	for (size_t i = 0; i < count; i++) {
		size_t own = path->is_fortran ? i : count - 1 - i;
		index[own] = dimensions[own].first + place % dimensions[own].count;
		place /= dimensions[own].count;
	}
	for (size_t i = 0; i < count; i++)
		if (path->is_fortran)
			append(path, "%s%lld%s", i == 0 ? "(" : ",", (long long)index[i],
			    i + 1 == count ? ")" : "");
		else
			append(path, "[%lld]", (long long)index[i]);
}

/* Continues with the element's type and the offset within it; false: the element is unknown. */
static bool enter_element(struct path *path, Dwarf_Die *type, uint64_t *offset)
{
	struct dimension dimensions[DIMENSIONS_MOST];
	Dwarf_Die element;
	Dwarf_Word size;
	size_t count = read_dimensions(type, dimensions, path->is_fortran);

	if (count == 0 || !read_type(type, &element) ||
	    dwarf_aggregate_size(&element, &size) != 0 || size == 0)
		return false;
	append_indices(path, dimensions, count, *offset / size);
	*offset %= size;
	*type = element;
	return true;
}

/* The same for the member that contains the offset. */
static bool enter_member(struct path *path, Dwarf_Die *type, uint64_t *offset)
{
	Dwarf_Die member, own;
	Dwarf_Word size;
	uint64_t start;

	if (dwarf_child(type, &member) != 0)
		return false;
	do {
		int tag = dwarf_tag(&member);
		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    !read_number(&member, DW_AT_data_member_location, &start) ||
		    !read_type(&member, &own) || dwarf_aggregate_size(&own, &size) != 0 ||
		    *offset - start >= size)
			continue;
		const char *name = dwarf_diename(&member);
		if (tag == DW_TAG_member && name != NULL)
			append(path, "%s%s", path->is_fortran ? "%" : ".", name);
		*offset -= start;
		*type = own;
		return true;
	} while (names_next_sibling(&member));
	return false;
}

static void append_part(struct path *path, Dwarf_Die *type, uint64_t offset)
{
	bool is_known = true;

	for (int depth = 0; is_known && depth < NAMES_DEPTH_MOST && peel(type); depth++)
		switch (dwarf_tag(type)) {
		case DW_TAG_array_type:
			is_known = enter_element(path, type, &offset);
			break;
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			is_known = enter_member(path, type, &offset);
			break;
		default:
			is_known = false;
		}
	if (offset != 0)
		append(path, " + %llu bytes", (unsigned long long)offset);
}

static bool is_of_fortran(Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (dwarf_diecu(die, &unit, NULL, NULL) == NULL)
		return false;
	switch (dwarf_srclang(&unit)) {
	case DW_LANG_Fortran77:
	case DW_LANG_Fortran90:
	case DW_LANG_Fortran95:
	case DW_LANG_Fortran03:
	case DW_LANG_Fortran08:
		return true;
	default:
		return false;
	}
}

char *names_variable_at(struct variables *variables, Dwarf *dwarf, uint64_t address,
    const char *base, bool (*patience)(void *context), void *context)
{
	struct listing listing = {.variables = variables, .patience = patience, .context = context};
	struct path path = {.length = 0};
	Dwarf_Attribute attribute;
	Dwarf_Die type;

	if (!variables->has_outer)
		list_units(&listing, dwarf);
	variables->has_outer = true;
	struct variable *variable = find(variables, address);
	if (variable == NULL && !variables->has_inner) {
		listing.is_inner = variables->has_inner = true;
		list_units(&listing, dwarf);
		variable = find(variables, address);
	}
	if (variable == NULL || !read_type(&variable->die, &type))
		return NULL;
	if (base == NULL)
		base =
		    dwarf_formstring(dwarf_attr_integrate(&variable->die, DW_AT_name, &attribute));
	if (base == NULL)
		return NULL;
	path.is_fortran = is_of_fortran(&variable->die);
	append(&path, "%s", base);
	append_part(&path, &type, address - variable->start);
	return path.is_too_long ? NULL : strdup(path.text);
}

void names_variables_free(struct variables *variables)
{
	free(variables->variable);
	*variables = (struct variables){0};
}
