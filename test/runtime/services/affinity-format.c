/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The affinity format (OpenMP 5.1, 6.14): each field under its letter and its name, widths,
 * justification and zeros, and lengths of cut results.
 */
#include <omp.h>

#include "check.h"

static void expect(const char *format, const char *wanted)
{
	char found[256];
	size_t length = omp_capture_affinity(found, sizeof(found), format);

	if (strcmp(found, wanted) == 0 && length == strlen(wanted))
		return;
	fprintf(stderr, "format '%s': expected '%s', found '%s' (length %zu)\n", format, wanted,
	    found, length);
	check_failed();
}

static void test_fields(void)
{
	char pid[32], host[300], wanted[700];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	gethostname(host, sizeof(host));
	expect("plain text", "plain text");
	expect("%%|%n|%{thread_num}|%N|%{num_threads}", "%|0|0|1|1");
	expect("%L|%{nesting_level}|%a|%{ancestor_tnum}", "0|0|-1|-1");
	expect("%t|%{team_num}|%T|%{num_teams}", "0|0|1|1");
	snprintf(wanted, sizeof(wanted), "%s|%s", pid, pid);
	expect("%P|%{process_id}", wanted);
	snprintf(wanted, sizeof(wanted), "%s|%s", host, host);
	expect("%H|%{host}", wanted);
	expect("%x|%.12x|%{thread}|%{}|%n", "undefined|   undefined|undefined|undefined|0");
	expect("%{thread_num", "undefined"); /* the name does not end */
	expect("%", "undefined");
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		expect("%n of %N at %L below %a", "1 of 2 at 1 below 0");
}

static void test_widths(void)
{
	expect("%5n|%.5n|%0.5n|", "0    |    0|00000|");
	expect("%5{num_threads}|%.5{num_threads}|%0.5{num_threads}|", "1    |    1|00001|");
	expect("%.4a|%4a|%0.4a|", "  -1|-1  |-001|");
	expect("%1n%.1n%0.1n", "000");
	char native[64], filled[64];
	size_t length = omp_capture_affinity(native, sizeof(native), "%i");
	CHECK(length > 0 && strtoull(native, NULL, 0) != 0);
	CHECK_EQUAL(omp_capture_affinity(filled, sizeof(filled), "%0.40i"), 40);
	CHECK_EQUAL(strtoull(filled, NULL, 0), strtoull(native, NULL, 0));
	CHECK_EQUAL(omp_capture_affinity(filled, sizeof(filled), "%.40i"), 40);
	CHECK(filled[0] == ' ' && strcmp(filled + 40 - length, native) == 0);
}

/* %A lists the processors in which the thread may run. */
static void test_affinity(void)
{
	char list[4096];
	cpu_set_t found, mask;
	int first, last;

	CPU_ZERO(&found);
	CHECK(omp_capture_affinity(list, sizeof(list), "%A") < sizeof(list));
	for (char *part = strtok(list, ","); part; part = strtok(NULL, ",")) {
		int numbers = sscanf(part, "%d-%d", &first, &last);
		CHECK(numbers >= 1);
		for (int i = first; i <= (numbers == 2 ? last : first); i++)
			CPU_SET(i, &found);
	}
	sched_getaffinity(0, sizeof(mask), &mask);
	CHECK(CPU_EQUAL(&found, &mask));
}

static void test_lengths(void)
{
	char buffer[8];

	memset(buffer, '#', sizeof(buffer));
	CHECK_EQUAL(omp_capture_affinity(buffer, 5, "0123456789"), 10);
	CHECK(strcmp(buffer, "0123") == 0 && buffer[5] == '#');
	CHECK_EQUAL(omp_capture_affinity(NULL, 0, "0123456789"), 10);
	memset(buffer, '#', sizeof(buffer));
	CHECK_EQUAL(omp_capture_affinity(buffer, 4, "%.6n"), 6);
	CHECK(strcmp(buffer, "   ") == 0 && buffer[4] == '#');
	omp_set_affinity_format("<%N>");
	CHECK_EQUAL(omp_get_affinity_format(buffer, 3), 4);
	CHECK(strcmp(buffer, "<%") == 0);
	expect(NULL, "<1>");
	expect("", "<1>");
}

int main(void)
{
	test_fields();
	test_widths();
	test_affinity();
	test_lengths();
	return check_result();
}
