/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each kind of value that an environment variable can have: what it accepts, what it refuses, how
 * what it accepted is shown. A refused value must leave its field alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "values.h"

struct value_case {
	const struct rt_value_kind *kind;
	const char *text;
	const char *shown; /* NULL: refused */
};

static const struct value_case cases[] = {
    {&rt_kind_bool, "true", "TRUE"},
    {&rt_kind_bool, "  FaLsE\t", "FALSE"},
    {&rt_kind_bool, "1", NULL},
    {&rt_kind_bool, "truely", NULL},
    {&rt_kind_bool, "", NULL},
    {&rt_kind_bool, "true false", NULL},
    {&rt_kind_enabled, "disabled", "DISABLED"},
    {&rt_kind_enabled, "true", NULL},
    {&rt_kind_debug, "on", "ENABLED"},
    {&rt_kind_debug, "disabled", "DISABLED"},
    {&rt_kind_natural, "0", "0"},
    {&rt_kind_natural, " 17 ", "17"},
    {&rt_kind_natural, "-1", NULL},
    {&rt_kind_natural, "+1", "1"},
    {&rt_kind_natural, "+", NULL},
    {&rt_kind_natural, "+ 1", NULL},
    {&rt_kind_natural, "++1", NULL},
    {&rt_kind_natural, "+-1", NULL},
    {&rt_kind_thread_list, "+3", "3"},
    {&rt_kind_thread_list, "+3, +2", "3,2"},
    {&rt_kind_thread_list, "3,+", NULL},
    {&rt_kind_thread_list, "-3", NULL},
    {&rt_kind_schedule, "dynamic,+7", "DYNAMIC,7"},
    {&rt_kind_stack_size, "+64", "65536"},
    {&rt_kind_natural, "3.0", NULL},
    {&rt_kind_natural, "99999999999", "2147483647"},
    {&rt_kind_natural, "99999999999999999999999", NULL},
    {&rt_kind_thread_limit, "0", NULL},
    {&rt_kind_thread_limit, "5", "5"},
    {&rt_kind_thread_limit, "5000000000", "4294967295"},
    {&rt_kind_positive, "0", NULL},
    {&rt_kind_positive, "3", "3"},
    {&rt_kind_thread_list, "4", "4"},
    {&rt_kind_thread_list, " 4 , 2,1 ", "4,2,1"},
    {&rt_kind_thread_list, "4,0", NULL},
    {&rt_kind_thread_list, "4,", NULL},
    {&rt_kind_thread_list, ",4", NULL},
    {&rt_kind_thread_list, "4 2", NULL},
    {&rt_kind_thread_list, "abc", NULL},
    {&rt_kind_thread_list, "", NULL},
    {&rt_kind_thread_list, "2147483648", NULL},
    {&rt_kind_bind_list, "true", "TRUE"},
    {&rt_kind_bind_list, "primary", "MASTER"},
    {&rt_kind_bind_list, "master,close, Spread", "MASTER,CLOSE,SPREAD"},
    {&rt_kind_bind_list, "true,close", NULL},
    {&rt_kind_bind_list, "close,false", NULL},
    {&rt_kind_bind_list, "closer", NULL},
    {&rt_kind_schedule, "static", "STATIC"},
    {&rt_kind_schedule, "static,0", "STATIC"},
    {&rt_kind_schedule, "static,1", "STATIC,1"},
    {&rt_kind_schedule, "dynamic", "DYNAMIC"},
    {&rt_kind_schedule, "dynamic,1", "DYNAMIC"},
    {&rt_kind_schedule, " Dynamic , 7 ", "DYNAMIC,7"},
    {&rt_kind_schedule, "guided,9", "GUIDED,9"},
    {&rt_kind_schedule, "auto,4", "AUTO"},
    {&rt_kind_schedule, "monotonic:dynamic,3", "MONOTONIC:DYNAMIC,3"},
    {&rt_kind_schedule, "nonmonotonic : static", "NONMONOTONIC:STATIC"},
    {&rt_kind_schedule, "monotonic:static", "STATIC"},
    {&rt_kind_schedule, "monotonic", NULL},
    {&rt_kind_schedule, "monotonic dynamic", NULL},
    {&rt_kind_schedule, "dynamic,-1", NULL},
    {&rt_kind_schedule, "dynamic,", NULL},
    {&rt_kind_schedule, "dynamic 3", NULL},
    {&rt_kind_schedule, "dynamic,99999999999", NULL},
    {&rt_kind_stack_size, "64", "65536"},
    {&rt_kind_stack_size, "32768B", "32768"},
    {&rt_kind_stack_size, "4 m", "4194304"},
    {&rt_kind_stack_size, "1G", "1073741824"},
    {&rt_kind_stack_size, "100B", NULL},
    {&rt_kind_stack_size, "4MM", NULL},
    {&rt_kind_stack_size, "M", NULL},
    {&rt_kind_stack_size, "18446744073709551615G", NULL},
    {&rt_kind_spin_count, "0", "0"},
    {&rt_kind_spin_count, "2k", "2000"},
    {&rt_kind_spin_count, "3 M", "3000000"},
    {&rt_kind_spin_count, "4G", "4000000000"},
    {&rt_kind_spin_count, "1t", "1000000000000"},
    {&rt_kind_spin_count, "infinite", "18446744073709551615"},
    {&rt_kind_spin_count, "INFINITY", "18446744073709551615"},
    {&rt_kind_spin_count, "99999999999T", "18446744073709551615"},
    {&rt_kind_spin_count, "1x", NULL},
    {&rt_kind_spin_count, "infinitely", NULL},
    {&rt_kind_wait_policy, "aCTIVE", "ACTIVE"},
    {&rt_kind_wait_policy, "passive", "PASSIVE"},
    {&rt_kind_wait_policy, "lazy", NULL},
    {&rt_kind_offload, "mandatory", "MANDATORY"},
    {&rt_kind_offload, "required", NULL},
    {&rt_kind_display_env, "verbose", "VERBOSE"},
    {&rt_kind_nested, "true", "TRUE"},
    {&rt_kind_nested, "2", NULL},
    {&rt_kind_levels, "0", "0"},
    {&rt_kind_levels, "1000", "255"},
    {&rt_kind_levels, "-2", NULL},
};

static void show(const struct rt_value_kind *kind, const void *field, char *buffer, size_t size)
{
	struct rt_text text;

	rt_text_init(&text, buffer, size);
	kind->print(kind, field, &text);
}

/* Large enough and aligned for every field; structures that own memory are freed by the caller. */
union any_field {
	struct rt_process process;
	struct rt_value_list list;
};

int main(void)
{
	int failures = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct value_case *test = &cases[i];
		union any_field *field = calloc(1, sizeof(*field));
		union any_field *before = calloc(1, sizeof(*before));
		char shown[256];

		if (!field || !before)
			return 1;
		bool good = test->kind->parse(test->kind, test->text, field);
		if (good)
			show(test->kind, field, shown, sizeof(shown));
		if (good != (test->shown != NULL) || (good && strcmp(shown, test->shown) != 0)) {
			fprintf(stderr, "'%s' (%s): expected %s, found %s\n", test->text,
			    test->kind->expected, test->shown ? test->shown : "a refusal",
			    good ? shown : "a refusal");
			failures++;
		}
		if (!good && memcmp(field, before, sizeof(*field)) != 0) {
			fprintf(stderr, "'%s' was refused, but changed its field\n", test->text);
			failures++;
		}
		if (test->kind == &rt_kind_thread_list || test->kind == &rt_kind_bind_list)
			free(field->list.values);
		free(field);
		free(before);
	}
	return failures != 0;
}
