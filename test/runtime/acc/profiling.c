/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenACC 2.6's profiling interface may be used and changes nothing about the program. This runtime
 * says that it delivers no event: one that came all the same would be half a feature.
 */
#include <acc_prof.h>

#include "check.h"

static int events;

static void count_event(acc_prof_info *info, acc_event_info *event, acc_api_info *api)
{
	(void)info;
	(void)event;
	(void)api;
	events++;
}

int main(void)
{
	int sum = 0;

	for (acc_event_t event = acc_ev_none; event < acc_ev_last; event++)
		acc_prof_register(event, count_event, acc_reg);
	acc_prof_register(acc_ev_none, NULL, acc_toggle);
#pragma acc parallel loop reduction(+ : sum) async(1)
	for (int i = 0; i < 10; i++)
		sum += i;
#pragma acc wait(1)
	CHECK_EQUAL(sum, 45);
	acc_prof_register(acc_ev_none, NULL, acc_toggle_per_thread);
	for (acc_event_t event = acc_ev_none; event < acc_ev_last; event++)
		acc_prof_unregister(event, count_event, acc_reg);
	CHECK(acc_prof_lookup("acc_no_such_function") == NULL);
	acc_register_library(acc_prof_register, acc_prof_unregister, acc_prof_lookup);
	CHECK_EQUAL(events, 0);
	return check_result();
}
