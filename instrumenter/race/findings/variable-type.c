/* SPDX-License-Identifier: BSD-3-Clause */
/* Descends a variable's type: arrays to their elements, structs to their members. */
#include "variable-type.h"

#include <dwarf.h>
#include <string.h>

enum { DEEPEST = 8 };

/* The type without typedefs and qualifiers; false if there is none. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	Dwarf_Die given;

	return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &given) !=
		   NULL &&
	       dwarf_peel_type(&given, type) == 0;
}

/*
 * The number of elements in each dimension of an array. Returns the number of dimensions, 0 if a
 * size is not constant.
 */
static unsigned dimensions_of(Dwarf_Die *array, Dwarf_Word counts[DEEPEST])
{
	Dwarf_Die child;
	Dwarf_Attribute attribute;
	unsigned count = 0;

	if (dwarf_child(array, &child) != 0)
		return 0;
	do {
		Dwarf_Word value;
		if (dwarf_tag(&child) != DW_TAG_subrange_type)
			continue;
		if (count == DEEPEST)
			return 0;
		if (dwarf_formudata(dwarf_attr(&child, DW_AT_count, &attribute), &value) == 0)
			counts[count++] = value;
		else if (dwarf_formudata(
			     dwarf_attr(&child, DW_AT_upper_bound, &attribute), &value) == 0)
			counts[count++] = value + 1;
		else
			return 0;
	} while (dwarf_siblingof(&child, &child) == 0);
	return count;
}

/* Adds the subscripts of the element; *offset is then relative to the element. */
static bool add_element(
    struct inst_buffer *text, Dwarf_Die *array, Dwarf_Die *element, uint64_t *offset)
{
	Dwarf_Word counts[DEEPEST], size, stride;
	unsigned dimensions = dimensions_of(array, counts);

	if (dimensions == 0 || !type_of(array, element) ||
	    dwarf_aggregate_size(element, &size) != 0 || size == 0)
		return false;
	stride = size;
	for (unsigned i = 1; i < dimensions; i++)
		stride *= counts[i];
	for (unsigned i = 0; i < dimensions; i++) {
		if (stride == 0)
			return false;
		buffer_format(text, "[%llu]", (unsigned long long)(*offset / stride));
		*offset %= stride;
		stride = i + 1 < dimensions && counts[i + 1] != 0 ? stride / counts[i + 1] : size;
	}
	return true;
}

/*
 * Adds the member that contains the byte; false for a union, and if no member has a constant
 * offset.
 */
static bool add_member(
    struct inst_buffer *text, Dwarf_Die *whole, Dwarf_Die *type, uint64_t *offset)
{
	Dwarf_Die child;
	Dwarf_Attribute attribute;
	Dwarf_Word at, size;

	if (dwarf_child(whole, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) != DW_TAG_member || !type_of(&child, type) ||
		    dwarf_formudata(
			dwarf_attr(&child, DW_AT_data_member_location, &attribute), &at) != 0 ||
		    dwarf_aggregate_size(type, &size) != 0 || *offset < at || *offset >= at + size)
			continue;
		if (dwarf_diename(&child) != NULL)
			buffer_format(text, ".%s", dwarf_diename(&child));
		*offset -= at;
		return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

/*
 * In Fortran, indices start at any number and the first subscript varies fastest: only the name is
 * used.
 */
static bool is_fortran(Dwarf_Die *die)
{
	Dwarf_Die unit;
	int language = dwarf_diecu(die, &unit, NULL, NULL) != NULL ? dwarf_srclang(&unit) : -1;

	return language == DW_LANG_Fortran77 || language == DW_LANG_Fortran90 ||
	       language == DW_LANG_Fortran95 || language == DW_LANG_Fortran03 ||
	       language == DW_LANG_Fortran08;
}

const char *race_variable_part(
    struct inst_arena *arena, Dwarf_Die *variable, const char *name, uint64_t offset)
{
	struct inst_buffer text = {.arena = arena};
	Dwarf_Die type, next;

	buffer_add_string(&text, name);
	if (is_fortran(variable) || !type_of(variable, &type))
		return text.data;
	for (unsigned depth = 0; depth < DEEPEST; depth++) {
		int tag = dwarf_tag(&type);
		bool inside = false;
		if (tag == DW_TAG_array_type)
			inside = add_element(&text, &type, &next, &offset);
		else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
			inside = add_member(&text, &type, &next, &offset);
		if (!inside)
			break;
		if (dwarf_peel_type(&next, &type) != 0)
			break;
	}
	return text.data;
}
