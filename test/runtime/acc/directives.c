/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The directives init, shutdown and set (OpenACC 2.6, 2.14) as gfortran 17 calls for them, with the
 * device number and type of their clauses: what they report to tools, and when they end the
 * program.
 */
#include <acc_prof.h>
#include <dlfcn.h>
#include <openacc.h>
#include <sys/wait.h>

#include "check.h"

/* set without a type is passed acc_device_default, the others 0. */
enum { NO_NUMBER = -1, NO_TYPE = 0, DEFAULT_TYPE = 1 };

typedef void directive_fn(int number, int type);
static directive_fn *initialise, *shut_down, *set;

static int events, last_construct, last_implicit;

static void see(acc_prof_info *prof, acc_event_info *event, acc_api_info *api)
{
	(void)prof;
	(void)api;
	events++;
	last_construct = event->other_event.parent_construct;
	last_implicit = event->other_event.implicit;
}

static void *find(const char *name)
{
	void *routine = dlsym(RTLD_DEFAULT, name);

	if (!CHECK(routine != NULL)) {
		fprintf(stderr, "%s is missing\n", name);
		exit(1);
	}
	return routine;
}

/* What one process does, and whether it gets to its end. */
struct steps {
	const char *name;
	struct {
		directive_fn **directive;
		int number, type;
	} steps[3];
	bool survives;
};

static const struct steps cases[] = {{"init", {{&initialise, NO_NUMBER, NO_TYPE}}, true},
    {"init host", {{&initialise, 0, acc_device_host}}, true},
    {"init twice", {{&initialise, NO_NUMBER, NO_TYPE}, {&initialise, 0, NO_TYPE}}, false},
    {"init 1", {{&initialise, 1, NO_TYPE}}, false},
    {"init nvidia", {{&initialise, NO_NUMBER, acc_device_nvidia}}, false},
    {"shutdown", {{&shut_down, NO_NUMBER, NO_TYPE}}, false},
    {"init, shutdown", {{&initialise, 0, NO_TYPE}, {&shut_down, 0, acc_device_host}}, true},
    {"init, shutdown 1", {{&initialise, 0, NO_TYPE}, {&shut_down, 1, NO_TYPE}}, false},
    {"init, shutdown radeon", {{&initialise, 0, NO_TYPE}, {&shut_down, 0, acc_device_radeon}},
	false},
    {"init, shutdown, init",
	{{&initialise, 0, NO_TYPE}, {&shut_down, 0, NO_TYPE}, {&initialise, 0, NO_TYPE}}, true},
    {"init, shutdown twice",
	{{&initialise, 0, NO_TYPE}, {&shut_down, 0, NO_TYPE}, {&shut_down, 0, NO_TYPE}}, false},
    {"set", {{&set, 0, DEFAULT_TYPE}, {&set, NO_NUMBER, acc_device_host}}, true},
    {"set 1", {{&set, 1, DEFAULT_TYPE}}, false},
    {"set nvidia", {{&set, NO_NUMBER, acc_device_nvidia}}, false},
    {"set, init", {{&set, 0, DEFAULT_TYPE}, {&initialise, 0, NO_TYPE}}, false},
    {"set, shutdown", {{&set, 0, DEFAULT_TYPE}, {&shut_down, 0, NO_TYPE}}, true}};

static void check_case(const struct steps *one)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		fclose(stderr);
		for (int i = 0; i < 3 && one->steps[i].directive; i++)
			(*one->steps[i].directive)(one->steps[i].number, one->steps[i].type);
		_exit(0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	if (!CHECK(WIFEXITED(status) && WEXITSTATUS(status) == (one->survives ? 0 : 1)))
		fprintf(stderr, "(%s: status %#x)\n", one->name, status);
}

int main(void)
{
	initialise = find("GOACC_init");
	shut_down = find("GOACC_shutdown");
	set = find("GOACC_set_device");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&cases[i]);
	acc_prof_register(acc_ev_device_init_start, see, acc_reg);
	acc_prof_register(acc_ev_device_init_end, see, acc_reg);
	initialise(NO_NUMBER, NO_TYPE);
	CHECK_EQUAL(events, 2);
	CHECK_EQUAL(last_construct, acc_construct_init);
	CHECK_EQUAL(last_implicit, 0);
	CHECK_EQUAL(acc_get_device_type(), acc_device_host);
	set(0, acc_device_host);
	CHECK_EQUAL(events, 2);
	shut_down(NO_NUMBER, NO_TYPE);
	set(0, DEFAULT_TYPE);
	CHECK_EQUAL(events, 4);
	CHECK_EQUAL(last_construct, acc_construct_set);
	CHECK_EQUAL(last_implicit, 1);
	return check_result();
}
