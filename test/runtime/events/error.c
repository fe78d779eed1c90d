/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of the error directive: a warning with its message and place, one without a message, and
 * an error, after which the tool is still finalised.
 */
#include <omp.h>
#include <sys/wait.h>

#include "check.h"
#include "recorder.h"

static __attribute__((noinline)) void warn(void)
{
#pragma omp error at(execution) severity(warning) message("too hot")
#pragma omp error at(execution) severity(warning)
	RETURNS_HERE;
}

static void check_warnings(void)
{
	const struct record *record;

	CHECK_EQUAL(record_count(), 2);
	record = record_at(0);
	CHECK_EQUAL(record->callback, ompt_callback_error);
	CHECK_EQUAL(record->kind, ompt_warning);
	CHECK_EQUAL(record->length, 7);
	CHECK(strcmp(record->text, "too hot") == 0);
	record = record_at(1);
	CHECK_EQUAL(record->kind, ompt_warning);
	CHECK_EQUAL(record->length, 0);
	record_check("warn");
}

/* The last words of a process that ends by an error: how many records of it there are. */
static void say_at_end(void)
{
	_exit(10 + (int)record_number(ompt_callback_error, ompt_fatal, 0));
}

static void end_in_child(void)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		record_clear();
		atexit(say_at_end);
#pragma omp error at(execution) severity(fatal) message("too cold")
	}
	CHECK_EQUAL(waitpid(child, &status, 0), child);
	CHECK(WIFEXITED(status));
	CHECK_EQUAL(WEXITSTATUS(status), 11);
}

int main(void)
{
	if (!record_is_on())
		return check_result();
	CHECK_EQUAL(record_answer[ompt_callback_error], ompt_set_always);
	record_clear();
	warn();
	check_warnings();
	end_in_child();
	return check_result();
}
