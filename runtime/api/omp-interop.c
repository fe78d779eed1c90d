/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of OpenMP 6.0, chapter 26, about interoperability objects, in C and in Fortran. The
 * only object is omp_interop_none, which has no properties. The names of properties are known
 * nevertheless; an object that this runtime never made is a separate error.
 */
#include <string.h>

#include "abi.h"
#include "omp-api.h"
#include "versions.h"

/*
 * By the number of the property; the runtime's own properties would begin at 0, but there are none.
 */
static const char *const property_names[] = {[-omp_ipr_fr_id] = "fr_id",
    [-omp_ipr_fr_name] = "fr_name",
    [-omp_ipr_vendor] = "vendor",
    [-omp_ipr_vendor_name] = "vendor_name",
    [-omp_ipr_device_num] = "device_num",
    [-omp_ipr_platform] = "platform",
    [-omp_ipr_device] = "device",
    [-omp_ipr_device_context] = "device_context",
    [-omp_ipr_targetsync] = "targetsync"};

/* By the number of the result, counting down from omp_irc_no_value. */
static const char *const result_texts[] = {
    [omp_irc_no_value - omp_irc_no_value] = "the property has no value for this object",
    [omp_irc_no_value - omp_irc_success] = "success",
    [omp_irc_no_value - omp_irc_empty] = "the object is omp_interop_none",
    [omp_irc_no_value - omp_irc_out_of_range] = "there is no such property",
    [omp_irc_no_value - omp_irc_type_int] = "the property is an integer, for omp_get_interop_int()",
    [omp_irc_no_value - omp_irc_type_ptr] = "the property is a pointer, for omp_get_interop_ptr()",
    [omp_irc_no_value - omp_irc_type_str] = "the property is a string, for omp_get_interop_str()",
    [omp_irc_no_value - omp_irc_other] = "the object was not made by an interop construct"};

static bool is_property(omp_interop_property_t property)
{
	return property >= omp_ipr_first && property <= omp_ipr_fr_id;
}

/* The result for any object and any property. */
static void refuse(omp_interop_t interop, omp_interop_property_t property, omp_interop_rc_t *result)
{
	if (!result)
		return;
	if (!is_property(property))
		*result = omp_irc_out_of_range;
	else
		*result = interop == omp_interop_none ? omp_irc_empty : omp_irc_other;
}

ROUTINE(int, omp_get_num_interop_properties, (omp_interop_t interop))
{
	(void)interop;
	return 0;
}

ROUTINE(omp_intptr_t, omp_get_interop_int,
    (omp_interop_t interop, omp_interop_property_t property, omp_interop_rc_t *result))
{
	refuse(interop, property, result);
	return 0;
}

ROUTINE(void *, omp_get_interop_ptr,
    (omp_interop_t interop, omp_interop_property_t property, omp_interop_rc_t *result))
{
	refuse(interop, property, result);
	return NULL;
}

ROUTINE(const char *, omp_get_interop_str,
    (omp_interop_t interop, omp_interop_property_t property, omp_interop_rc_t *result))
{
	refuse(interop, property, result);
	return NULL;
}

ROUTINE(
    const char *, omp_get_interop_name, (omp_interop_t interop, omp_interop_property_t property))
{
	(void)interop;
	return is_property(property) ? property_names[-property] : NULL;
}

/* The type depends on the object's runtime; without a runtime there is none. */
ROUTINE(const char *, omp_get_interop_type_desc,
    (omp_interop_t interop, omp_interop_property_t property))
{
	(void)interop;
	(void)property;
	return NULL;
}

/*
 * NULL for values that are no result, and for the one that omp_interop_none never gives: see
 * refuse().
 */
ROUTINE(const char *, omp_get_interop_rc_desc, (omp_interop_t interop, omp_interop_rc_t result))
{
	if (result > omp_irc_no_value || result < omp_irc_other ||
	    (result == omp_irc_other && interop == omp_interop_none))
		return NULL;
	return result_texts[omp_irc_no_value - result];
}

/*
 * In Fortran the result is a pointer to characters: its address and length come first, and the
 * routine sets both; an absent ret_code is NULL. The other arguments come by value.
 */
static void give(const char *text, const char **address, size_t *length)
{
	*address = text;
	*length = text ? strlen(text) : 0;
}

ENTRY(void, omp_get_interop_str_, const char **text, size_t *length, omp_interop_t interop,
    omp_interop_property_t property, omp_interop_rc_t *result)
{
	give(omp_get_interop_str(interop, property, result), text, length);
}

ENTRY(void, omp_get_interop_name_, const char **text, size_t *length, omp_interop_t interop,
    omp_interop_property_t property)
{
	give(omp_get_interop_name(interop, property), text, length);
}

ENTRY(void, omp_get_interop_type_desc_, const char **text, size_t *length, omp_interop_t interop,
    omp_interop_property_t property)
{
	give(omp_get_interop_type_desc(interop, property), text, length);
}

ENTRY(void, omp_get_interop_rc_desc_, const char **text, size_t *length, omp_interop_t interop,
    omp_interop_rc_t result)
{
	give(omp_get_interop_rc_desc(interop, result), text, length);
}

/* In libomp only: with the arguments of C. */
SAME_ENTRY(
    int, omp_get_num_interop_properties_, omp_get_num_interop_properties, omp_interop_t interop);
SAME_ENTRY(omp_intptr_t, omp_get_interop_int_, omp_get_interop_int, omp_interop_t interop,
    omp_interop_property_t property, omp_interop_rc_t *result);
SAME_ENTRY(void *, omp_get_interop_ptr_, omp_get_interop_ptr, omp_interop_t interop,
    omp_interop_property_t property, omp_interop_rc_t *result);
