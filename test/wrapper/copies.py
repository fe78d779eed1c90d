#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One process with several libraries, each with a copy of GNU's runtime under a name of its own, as Python's wheels have.

The copies are the compiler's libgomp, whose name of twelve letters is replaced in the file by another one of twelve. Each
test runs a program on them as it is, where they multiply threads, then under `ompinst run` and with the bundled runtime
preloaded, where one runtime serves all.
"""
import json
import os
import shutil

import bench
from bench import CLANG, check_equal, check_in

RUNTIME = os.path.join(bench.BIN, '..', 'runtime', 'libgomp.so.1')
NAMES = 'abc'

# Loaded three times; each library has an own pair of these functions.
LIBRARY = r'''/* The sum of what `inner` returns to each thread of a region, without one the number of the threads. */
int count(int (*inner)(void))
{
	int sum = 0;
#pragma omp parallel reduction(+ : sum)
	sum += inner != 0 ? inner() : 1;
	return sum;
}
'''

# How many the process has.
THREADS = r'''static int threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int found = -2;

	while (tasks != NULL && readdir(tasks) != NULL)
		found++;
	closedir(tasks);
	return found;
}
'''

# As Python loads extension modules: each alone, its symbols for itself.
LOADS = r'''#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIBRARIES = 3 };
static int (*count[LIBRARIES])(int (*inner)(void));
static int sizes[LIBRARIES];
static atomic_flag is_begun[LIBRARIES];
static int deepest;


''' + THREADS + r'''
/* Without the program's first one: an emulator has some of its own. */
static int threads_at_start;

static int last(void)
{
	return count[2](NULL);
}

static int middle(void)
{
	return count[1](last);
}

/* The thread of each region that comes first begins the next region, in a thread of its own. */
static int (*const inner_roots[LIBRARIES])(void);

static void *own_root(void *number)
{
	int i = (int)(long)number;

	sizes[i] = count[i](inner_roots[i]);
	return NULL;
}

static int begin_root(int i)
{
	pthread_t thread;

	if (i == LIBRARIES) {
		deepest = threads() - threads_at_start;
		return 1;
	}
	if (pthread_create(&thread, NULL, own_root, (void *)(long)i) != 0 || pthread_join(thread, NULL) != 0)
		abort();
	return 1;
}

static int inner_of(int i)
{
	return atomic_flag_test_and_set(&is_begun[i]) ? 1 : begin_root(i + 1);
}

static int inner_0(void)
{
	return inner_of(0);
}

static int inner_1(void)
{
	return inner_of(1);
}

static int inner_2(void)
{
	return inner_of(2);
}

static int (*const inner_roots[LIBRARIES])(void) = {inner_0, inner_1, inner_2};

/* As threadpoolctl does: in every library of the process that is called like an OpenMP runtime. */
static int limit(struct dl_phdr_info *library, size_t size, void *threads)
{
	const char *slash = strrchr(library->dlpi_name, '/');
	void *runtime;
	void (*set)(int);

	(void)size;
	if (slash == NULL || strncmp(slash + 1, "libgomp", 7) != 0)
		return 0;
	runtime = dlopen(library->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
	set = (void (*)(int))dlsym(runtime, "omp_set_num_threads");
	set(*(int *)threads);
	return dlclose(runtime);
}

int main(int words, char **word)
{
	static const char names[LIBRARIES][sizeof("./library-a.so")] = {"./library-a.so", "./library-b.so",
	    "./library-c.so"};
	int wanted = 2;

	threads_at_start = threads() - 1;
	for (int i = 0; i < LIBRARIES; i++) {
		void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);

		if (library == NULL)
			return fprintf(stderr, "%s\n", dlerror()), 1;
		count[i] = (int (*)(int (*)(void)))dlsym(library, "count");
	}
	if (words != 2)
		return 2;
	if (strcmp(word[1], "limited") == 0)
		dl_iterate_phdr(limit, &wanted);
	if (strcmp(word[1], "nested") == 0) {
		sizes[0] = count[0](middle);
	} else if (strcmp(word[1], "roots") == 0) {
		begin_root(0);
	} else {
		for (int turn = 0; turn < 3; turn++)
			for (int i = 0; i < LIBRARIES; i++)
				sizes[i] = count[i](NULL);
	}
	printf("%d %d %d, %d threads\n", sizes[0], sizes[1], sizes[2], deepest != 0 ? deepest : threads() - threads_at_start);
	return 0;
}
'''


def prepare(place):
    place.environment.pop('LD_PRELOAD', None)
    place.write('library.c', LIBRARY)
    place.write('loads.c', LOADS)
    place.run('gcc', '-fopenmp', '-fPIC', '-O1', '-g', '-c', 'library.c')
    with open(place.run('gcc', '-print-file-name=libgomp.so.1').stdout.strip(), 'rb') as file:
        runtime = file.read()
    for name in NAMES:
        with open(place.path(f'libgomp-{name}.so'), 'wb') as file:
            file.write(runtime.replace(b'libgomp.so.1\0', f'libgomp-{name}.so\0'.encode()))
        place.run('gcc', '-shared', 'library.o', '-o', f'library-{name}.so', '-L.', f'-l:libgomp-{name}.so', '-Wl,-rpath,$ORIGIN')
        assert f'libgomp-{name}.so' in place.libraries(f'library-{name}.so'), 'the library needs its own copy'
    place.run('gcc', '-O1', '-Wall', '-Werror', 'loads.c', '-o', 'loads', '-ldl', '-pthread')


def outputs(place, mode, **settings):
    """What the program prints on the copies, and what on the bundled runtime, which must be the same both ways."""
    alone = place.run('./loads', mode, env=settings).stdout
    return alone, output(place, mode, **settings)


def output(place, mode, **settings):
    preloaded = place.run('./loads', mode, env={'LD_PRELOAD': RUNTIME, **settings}).stdout
    run = place.run('ompinst', 'run', './loads', mode, env=settings).stdout
    check_equal(run, preloaded, "'ompinst run' and LD_PRELOAD")
    return run


def test_one_pool_serves_all(place):
    prepare(place)
    check_equal(outputs(place, 'turns', OMP_NUM_THREADS='3'), ('3 3 3, 7 threads\n', '3 3 3, 3 threads\n'))


def test_a_region_in_a_region_of_another_library_is_nested(place):
    """The copies do not know of each other, and each starts a team for each thread of the other's."""
    prepare(place)
    check_equal(outputs(place, 'nested', OMP_NUM_THREADS='2'), ('8 0 0, 8 threads\n', '2 0 0, 2 threads\n'))
    check_equal(outputs(place, 'nested', OMP_NUM_THREADS='2', OMP_MAX_ACTIVE_LEVELS='2'), ('8 0 0, 8 threads\n', '4 0 0, 4 threads\n'))


def test_threads_of_the_program_share_processors_through_all(place):
    """With OMP_DYNAMIC=true alone; the default is the specification's. The main thread waits beside the three."""
    prepare(place)
    check_equal(outputs(place, 'roots', OMP_NUM_THREADS='3'), ('3 3 3, 10 threads\n',) * 2)
    _, run = outputs(place, 'roots', OMP_DYNAMIC='true')
    most = int(run.split()[0])
    shares = [most, max(most // 2, 1), max(most // 3, 1)]
    check_equal(run, '{} {} {}, {} threads\n'.format(*shares, 1 + sum(shares)))


def test_who_limits_all_runtimes_limits_the_bundled_one(place):
    prepare(place)
    check_equal(outputs(place, 'limited', OMP_NUM_THREADS='4'), ('2 2 2, 4 threads\n', '2 2 2, 2 threads\n'))


def test_all_are_in_one_summary(place):
    """Two threads' visits of three turns in three libraries; of one line of text, which makes them one region."""
    prepare(place)
    del place.environment['POMP_SUMMARY']
    place.run('ompinst', 'run', '--summary=s.json', './loads', 'turns',
              env={'OMP_NUM_THREADS': '2', 'POMP_SUMMARY_FORMAT': 'json'})
    regions = [region for region in json.loads(place.read('s.json'))['regions'] if region['name'] == 'parallel']
    check_equal([(region['file'], region['visits']) for region in regions], [(place.path('library.c'), 2 * 3 * 3)])


# The same library with the usual name of its runtime, called by a program of the other compiler.
OF_CLANG = r'''#include <dirent.h>
#include <stdio.h>
#include <string.h>
int count(int (*inner)(void));
static int none(void)
{
	return count(NULL);
}
''' + THREADS + r'''int main(int words, char **word)
{
	int before = threads(), own = 0, other = 0;
	if (words == 2 && strcmp(word[1], "nested") == 0) {
#pragma omp parallel reduction(+ : own, other)
		own++, other += none();
	} else {
#pragma omp parallel reduction(+ : own)
		own++;
		other = none();
	}
	printf("%d %d, %d threads\n", own, other, threads() - before + 1);
	return 0;
}
'''


def test_program_of_clang_with_a_library_of_gcc(place):
    """LLVM's runtime has GNU's names too, and is loaded first; the bundled one takes the places of both."""
    bench.need(CLANG)
    prepare(place)
    del place.environment['POMP_SUMMARY']
    place.write('of-clang.c', OF_CLANG)
    place.run('gcc', '-shared', '-fopenmp', 'library.o', '-o', 'library.so')
    place.run(CLANG, '-fopenmp', '-g', 'of-clang.c', 'library.so', '-o', 'loads', '-Wl,-rpath,$ORIGIN')
    check_equal(outputs(place, 'turns', OMP_NUM_THREADS='3'), ('3 3, 3 threads\n',) * 2)
    check_equal(outputs(place, 'nested', OMP_NUM_THREADS='2'), ('2 2, 2 threads\n',) * 2)
    for runtime in ('system', 'bundled'):
        done = place.run('ompinst', 'run', '--runtime=' + runtime, '--summary=s.json', './loads', 'turns',
                         env={'OMP_NUM_THREADS': '3', 'POMP_SUMMARY_FORMAT': 'json'})
        check_equal(done.stdout, '3 3, 3 threads\n')
        regions = [region for region in json.loads(place.read('s.json'))['regions'] if region['name'] == 'parallel']
        check_equal(sorted((os.path.basename(region['file']), region['visits']) for region in regions),
                    [('library.c', 3), ('of-clang.c', 3)])


def test_program_of_gcc_with_a_library_of_clang(place):
    bench.need(CLANG)
    prepare(place)
    place.write('of-gcc.c', OF_CLANG)
    place.run(CLANG, '-shared', '-fPIC', '-fopenmp', 'library.c', '-o', 'library.so')
    place.run('gcc', '-fopenmp', 'of-gcc.c', 'library.so', '-o', 'loads', '-Wl,-rpath,$ORIGIN')
    check_equal(outputs(place, 'turns', OMP_NUM_THREADS='3'), ('3 3, 5 threads\n', '3 3, 3 threads\n'))
    check_equal(outputs(place, 'nested', OMP_NUM_THREADS='2'), ('2 4, 4 threads\n', '2 2, 2 threads\n'))


def test_copies_of_llvm_s_runtime(place):
    """Two libraries of clang, one with a copy of its own as in a wheel, one that finds libomp.so.5 by an old run path."""
    bench.need(CLANG)
    prepare(place)
    usual = place.run(CLANG, '-print-file-name=libomp.so.5').stdout.strip()
    with open(usual, 'rb') as file:
        runtime = file.read()
    with open(place.path('libomp-a.so'), 'wb') as file:
        file.write(runtime.replace(b'libomp.so.5\0', b'libomp-a.so\0'))
    place.run(CLANG, '-fopenmp', '-fPIC', '-g', '-c', 'library.c')
    place.run(CLANG, '-shared', 'library.o', '-o', 'library-a.so', '-L.', '-l:libomp-a.so', '-Wl,-rpath,$ORIGIN')
    os.mkdir(place.path('own'))
    shutil.copy(usual, place.path('own/libomp.so.5'))
    place.run(CLANG, '-fopenmp', '-shared', 'library.o', '-o', 'library-b.so',
              '-Wl,--disable-new-dtags,-rpath,$ORIGIN/own')
    for name, library in (('a', 'libomp-a.so'), ('b', 'libomp.so.5')):
        check_equal(place.libraries(f'library-{name}.so')[library], place.path(('own/' if name == 'b' else '') + library))
    # LLVM's runtime ends a process that has two of it.
    check_in('already initialized', place.run('./loads', 'turns', code=None).stderr)
    check_equal(output(place, 'turns', OMP_NUM_THREADS='3'), '3 3 3, 3 threads\n')
    check_equal(output(place, 'nested', OMP_NUM_THREADS='2', OMP_MAX_ACTIVE_LEVELS='2'), '4 0 0, 4 threads\n')


bench.main(globals())
