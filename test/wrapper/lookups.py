#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How programs find out which OpenMP runtimes they have, under `ompinst run`: one, and whoever asks for another gets it.

threadpoolctl, and with it scikit-learn, goes through the loaded files by the beginnings of their names; numexpr and others
read /proc/self/maps; MKL opens libiomp5.so by its name when it first needs threads; torch and other libraries need one by its
soname.
"""
import os
import re
import subprocess

import bench
from bench import CLANG, check_equal, check_in, need

RUNTIME = os.path.realpath(os.path.join(bench.BIN, '..', 'runtime', 'libgomp.so.1'))

# The files that look like runtimes, as threadpoolctl sees it, then as in the table of mappings; then whose each name's routine is.
LOOKS = r'''#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int look(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *slash = strrchr(info->dlpi_name, '/'), *name = slash != NULL ? slash + 1 : info->dlpi_name;

	(void)size, (void)data;
	if (strncmp(name, "libgomp", 7) == 0 || strncmp(name, "libomp", 6) == 0 || strncmp(name, "libiomp", 7) == 0)
		printf("loaded %s\n", name);
	return 0;
}

static void look_at_mappings(void)
{
	static const char *const names[] = {"libomp", "libiomp", "libgomp"};
	FILE *file = fopen("/proc/self/maps", "r");
	int found[3] = {0};
	char line[4096];

	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		for (int i = 0; i < 3; i++)
			found[i] |= strstr(line, names[i]) != NULL;
	fclose(file);
	printf("mapped %d %d %d\n", found[0], found[1], found[2]);
}

static void look_up(const char *name)
{
	void *library = dlopen(name, RTLD_LAZY | RTLD_GLOBAL);
	void *routine = library != NULL ? dlsym(library, "omp_get_max_threads") : NULL;

	printf("%s %s\n", name, routine == NULL ? "is not there" : routine == (void *)omp_get_max_threads ? "is the same" : "is another one");
}

int main(void)
{
	dl_iterate_phdr(look, NULL);
	look_at_mappings();
	look_up("libgomp.so.1");
	look_up("libomp.so.5");
	look_up("libiomp5.so");
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		puts("ran");
	return 0;
}
'''

# A library by clang, as MKL, torch or faiss bring some, and what Python says of a process that has loaded it.
LIBRARY = 'int count(void)\n{\n\tint sum = 0;\n#pragma omp parallel reduction(+ : sum)\n\tsum++;\n\treturn sum;\n}\n'
POOLS = r'''import ctypes, os, sys, warnings
warnings.simplefilter("error")
import threadpoolctl
for name in sys.argv[1:]:
    ctypes.CDLL(name)
pools = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "openmp"]
print([os.path.realpath(pool["filepath"]) for pool in pools])
with threadpoolctl.threadpool_limits(limits=3, user_api="openmp"):
    library = ctypes.CDLL(sys.argv[-1])
    print(library.count())
'''


def test_one_runtime_is_seen(place):
    place.write('looks.c', LOOKS)
    place.run('gcc', '-fopenmp', 'looks.c', '-o', 'looks', '-ldl')
    done = place.run('ompinst', 'run', '--quiet', './looks')
    check_equal(done.stdout.splitlines(), ['loaded libgomp.so.1', 'mapped 0 0 1', 'libgomp.so.1 is the same',
        'libomp.so.5 is the same', 'libiomp5.so is the same', 'ran'])


def test_threadpoolctl_sees_one(place):
    python = '/usr/bin/python3'
    if subprocess.run([python, '-c', 'import threadpoolctl'], stderr=subprocess.DEVNULL, check=False).returncode:
        bench.skip('threadpoolctl is not installed (Debian: python3-threadpoolctl)')
    place.write('library.c', LIBRARY)
    place.write('pools.py', POOLS)
    place.run('gcc', '-shared', '-fPIC', '-fopenmp', 'library.c', '-o', 'gcc.so')
    libraries = ['./gcc.so']
    need(CLANG)
    place.run(CLANG, '-shared', '-fPIC', '-fopenmp', 'library.c', '-o', 'clang.so')
    libraries.append('./clang.so')
    for chosen in (libraries[:1], libraries, libraries[::-1]):
        done = place.run('ompinst', 'run', '--quiet', python, 'pools.py', *chosen)
        lines = done.stdout.splitlines()
        check_equal(lines, [repr([RUNTIME]), '3'], chosen)
        check_equal(re.findall('Warning', done.stderr), [], chosen)


def test_names_of_what_is_preloaded(place):
    """Nothing that ompinst loads but the runtime has a name that begins as a runtime's."""
    place.write('looks.c', LOOKS)
    place.run('gcc', '-fopenmp', 'looks.c', '-o', 'looks', '-ldl')
    done = place.run('ompinst', 'run', '--dry-run', './looks')
    preload = re.search(r"LD_PRELOAD=([^' ]*)", done.stdout).group(1)
    check_in('libgomp.so.1', preload)
    check_equal([os.path.basename(path) for path in preload.split(':')
        if re.match('lib(i?omp|gomp)', os.path.basename(path))], ['libgomp.so.1'])


bench.main(globals())
