#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst sharing run` with programs that end in unusual ways, lose their files, or have no room: what was noted is
reported, and if it cannot be, the report says so."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'wrapper'))
import bench  # noqa: E402
from bench import check_equal, check_in  # noqa: E402
from command import build, document, run  # noqa: E402

PROGRAM = r'''#define _GNU_SOURCE
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static struct { long n; } c[2];
static volatile char *volatile nowhere;

static int overflow(volatile char *outer)
{
	volatile char buffer[4096];
	buffer[0] = *outer;
	return overflow(buffer) + buffer[0];
}

static void end(const char *how)
{
	volatile char begin = 0;
	int ends[2];

	if (strcmp(how, "_exit") == 0)
		_exit(3);
	if (strcmp(how, "_Exit") == 0)
		_Exit(3);
	if (strcmp(how, "quick_exit") == 0)
		quick_exit(3);
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "fault") == 0)
		*nowhere = 1;
	if (strcmp(how, "overflow") == 0) {
#pragma omp parallel num_threads(2)
		overflow(&begin);
	}
	if (strcmp(how, "pipe") == 0 && pipe(ends) == 0 && close(ends[0]) == 0)
		write(ends[1], "", 1);
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "closed") == 0)
		for (int i = 3; i < 2000; i++)
			close(i);
	if (strcmp(how, "replaced") == 0)
		for (int i = 3; i < 2000; i++)
			if (close(i) == 0)
				dup2(1, i);
	if (strcmp(how, "user") == 0 && setuid(65534) != 0)
		exit(77);
	if (strcmp(how, "root") == 0 && (chroot("/proc") != 0 || chdir("/") != 0))
		exit(77);
}

int main(int argc, char **argv)
{
#pragma omp parallel num_threads(2)
	{
		int t = omp_get_thread_num();
		for (long i = 0; i < 300000; i++)
			if (((i ^ argc) & 3) != 3)
				c[t].n++;
	}
	printf("%ld\n", c[0].n + c[1].n);
	fflush(stdout);
	end(argv[1]);
	return 3;
}
'''


def check_found(place, how, end, *status):
    found = document(place, './prog', how, code=1)
    check_equal((found['run']['end'], found['run']['status'] in status, found['findings'][0]['variable']), (end, True, 'c'), how)


def test_ends_without_destructors(place):
    build(place, PROGRAM)
    for how in ('_exit', '_Exit', 'quick_exit'):
        check_found(place, how, 'exited', 3)


def test_ends_by_its_own_fault(place):
    build(place, PROGRAM)
    check_found(place, 'abort', 'signal', 6)
    check_found(place, 'fault', 'signal', 11)
    check_found(place, 'pipe', 'signal', 13)


def test_ends_by_an_overflow_of_a_stack(place):
    build(place, PROGRAM)
    check_found(place, 'overflow', 'signal', 11)


def test_closed_descriptors(place):
    build(place, PROGRAM)
    check_found(place, 'closed', 'exited', 3)
    check_found(place, 'replaced', 'exited', 3)


def test_another_root_and_user(place):
    build(place, PROGRAM)
    if os.geteuid() != 0:
        bench.skip('only root can change them')
    check_found(place, 'user', 'exited', 3)
    check_found(place, 'root', 'exited', 3)


def test_a_program_that_is_killed(place):
    build(place, PROGRAM)
    check_in("'./prog' was ended by signal 9 (Killed) before it had written what it had noted", run(place, './prog', 'kill', code=2).stderr)


def test_a_limited_address_space(place):
    build(place, PROGRAM)
    limited = ['sh', '-c', 'ulimit -v 4000000; exec "$@"', 'sh']
    done = place.run(*limited, 'ompinst', 'sharing', 'run', '--transfer=10', './prog', '-', code=2)
    check_equal(done.stdout, '450000\n')
    check_in('nothing could be noted in 1 process, because the address space is limited', done.stderr)


def test_a_full_disk(place):
    """A limit of a file's size stands for it: the log's first lines fit, the program's output is no file."""
    build(place, PROGRAM)
    limited = ['sh', '-c', 'trap "" XFSZ; ulimit -f 1; exec "$@"', 'sh']
    text = PROGRAM.replace('c[2]', 'c[2000]').replace('c[t].n++;', 'c[t + i % 1900].n++;').replace('c[0].n + c[1].n', 'c[0].n * 0L')
    build(place, text, name='large')
    done = place.run(*limited, 'ompinst', 'sharing', 'run', '--transfer=10', './large', '-', code=None)
    check_in('1 process did not write all that it had noted: killed meanwhile, or no room in', done.stderr)
    check_in(done.returncode, (1, 2))


def test_a_report_without_room(place):
    build(place, PROGRAM)
    for form in ('text', 'json'):
        done = run(place, f'--format={form}', '--output=/dev/full', './prog', '-', code=2)
        check_in("cannot write the report to '/dev/full': No space left on device", done.stderr)


if __name__ == '__main__':
    bench.main(globals())
