#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`ompinst run`: what is attached to which program, what it says, and that the program stays as it is.

The measurement tool is a small one of this file's, beside the libraries of the build: what libpomp_tool.so
measures is tested elsewhere.
"""
import json
import os
import shutil
import signal
import struct
import subprocess

import bench
from bench import CLANG, PROGRAM, check_equal, check_in, check_not_in, need

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
BUILD = os.path.join(bench.BIN, '..')

TOOL = r'''#include <omp-tools.h>
#include <stdio.h>
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	(void)lookup, (void)device, (void)data;
	fprintf(stderr, "NAME attached\n");
	return 1;
}
static void finalize(ompt_data_t *data) { (void)data; }
static ompt_start_tool_result_t result = {initialize, finalize, {0}};
ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	(void)version, (void)runtime;
	return &result;
}
'''
PLAIN = '#include <stdio.h>\nint main(void) { puts("plain"); return 0; }\n'
MEASURING = 'ompinst: measuring '
NOTHING = 'ompinst: nothing was measured: '


def compile_tool(place, name, output):
    place.write('tool.c', TOOL.replace('NAME', name))
    place.run('gcc', '-shared', '-fPIC', '-I' + os.path.join(TOP, 'include'), 'tool.c', '-o', output)


def prepare(place, folder='lib'):
    """The folder that OMPINST_LIBDIR names, and in it the tool."""
    os.makedirs(place.path(folder + '/ompinst'))
    for file in ('runtime/libgomp.so.1', 'instrumenter/agent/ompinst-run.so'):
        shutil.copy(os.path.join(BUILD, file), place.path(folder + '/ompinst'))
    shutil.copytree(os.path.join(BUILD, 'runtime/load'), place.path(folder + '/ompinst/load'))
    compile_tool(place, 'tool', folder + '/libpomp_tool.so')
    place.environment['OMPINST_LIBDIR'] = place.path(folder)
    for name in ('LD_PRELOAD', 'OMPI_COMM_WORLD_RANK', 'PMIX_RANK', 'PMI_RANK', 'SLURM_PROCID'):
        place.environment.pop(name, None)
    place.write('plain.c', PLAIN)
    place.run('gcc', 'plain.c', '-o', 'plain')


def program(place, compiler=CLANG, name='prog', *flags):
    """A program with a region."""
    need(compiler)
    place.write('prog.c', PROGRAM)
    place.run(compiler, '-fopenmp', 'prog.c', '-o', name, *flags)


def attached(done):
    return done.stderr.count('tool attached\n')


def our_lines(done):
    return [line for line in done.stderr.splitlines() if line.startswith('ompinst: ')]


def test_one_line_of_what_is_measured(place):
    prepare(place)
    program(place)
    done = place.run('ompinst', 'run', './prog')
    check_equal(done.stdout, 'sum 4950\n')
    check_equal(our_lines(done), [MEASURING + 'prog: it runs on the bundled OpenMP runtime'])
    check_equal(attached(done), 1)
    done = place.run('ompinst', 'run', '--quiet', './prog')
    check_equal((our_lines(done), attached(done)), ([], 1))
    # One rank of many speaks.
    done = place.run('ompinst', 'run', './prog', env={'OMPI_COMM_WORLD_RANK': '3'})
    check_equal((our_lines(done), attached(done)), ([], 1))
    done = place.run('ompinst', 'run', './prog', env={'OMPI_COMM_WORLD_RANK': '0'})
    check_equal((len(our_lines(done)), attached(done)), (1, 1))


def test_bundled_runtime_in_place_of_the_system_s(place):
    prepare(place)
    program(place, 'gcc')
    done = place.run('ompinst', 'run', './prog')
    check_equal((done.stdout, attached(done)), ('sum 4950\n', 1))
    check_equal(our_lines(done),
                [MEASURING + 'prog: it runs on the bundled OpenMP runtime'])
    # A run path is searched before LD_LIBRARY_PATH, and R puts its own folder into that.
    system = os.path.dirname(place.libraries('prog')['libgomp.so.1'])
    program(place, 'gcc', 'fixed', '-Wl,--disable-new-dtags,-rpath,' + system)
    done = place.run('ompinst', 'run', './fixed', env={'LD_LIBRARY_PATH': system})
    check_equal((done.stdout, attached(done)), ('sum 4950\n', 1))
    done = place.run('ompinst', 'run', '--runtime=system', './prog')
    check_equal((done.stdout, attached(done)), ('sum 4950\n', 0))
    check_in(NOTHING, done.stderr)


LOADS = r'''#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
	void *runtime = dlopen("./libgomp-a34b3233.so.1", RTLD_NOW | RTLD_GLOBAL);
	void *library = dlopen("./library.so", RTLD_NOW);
	if (runtime == 0 || library == 0)
		return puts(dlerror()), 1;
	int (*twice)(int) = (int (*)(int))dlsym(library, "twice");
	printf("%d\n", twice(21));
	return dlclose(library);
}
'''


def test_copies_that_are_loaded_later(place):
    """As Python loads a wheel's: under another name, with what needs it."""
    prepare(place)
    place.write('loads.c', LOADS)
    place.write('library.c', bench.LIBRARY.replace('num_threads(2)', 'num_threads(1)'))
    program(place, 'gcc')
    shutil.copy(place.libraries('prog')['libgomp.so.1'], place.path('libgomp-a34b3233.so.1'))
    place.run('gcc', '-fopenmp', '-shared', '-fPIC', 'library.c', '-o', 'library.so')
    place.run('gcc', 'loads.c', '-o', 'loads', '-ldl')
    done = place.run('ompinst', 'run', './loads')
    check_equal((done.stdout, attached(done)), ('21\n', 1))


def test_programs_that_others_start(place):
    prepare(place)
    program(place)
    place.write('script', '#!/bin/sh\n./prog\nexit 4\n', 0o755)
    place.write('starts.py', 'import subprocess\nsubprocess.run(["./prog"])\n')
    for command, code in (('sh -c ./prog', 0), ('./script', 4), ('env A=1 ./prog', 0),
                          ('python3 starts.py', 0), ('nice ./prog', 0)):
        done = place.run('ompinst', 'run', *command.split(), code=code)
        check_equal((done.stdout, attached(done)), ('sum 4950\n', 1), command)
        check_equal(len(our_lines(done)), 1, command)
    done = place.run('ompinst', 'run', 'sh', '-c', './prog; ./prog; ./prog')
    check_equal((len(our_lines(done)), attached(done)), (1, 3))


SYSTEM = r'''#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>
extern char **environ;
int main(int count, char **words)
{
	char *child[] = {"./prog", NULL};
	setenv("LD_PRELOAD", words[1], 1);
	if (count == 2)
		return system("./prog");
	switch (*words[2]) {
	case 'p':
		return pclose(popen("./prog >&2", "r"));
	case 'l':
		return execl("./prog", "prog", NULL);
	case 'e':
		return execle("./prog", "prog", NULL, environ);
	case 'n':
		return execlp("./prog", "prog", "a", "b", NULL);
	case 'v':
		return execvp("./prog", child);
	}
	return execv("./prog", child);
}
'''


def test_own_preloads(place):
    """The user's, a script's, a program's: all are kept, and so are ours."""
    prepare(place)
    program(place)
    place.write('own.c', 'int puts(const char *);\n__attribute__((constructor)) static void f(void) { puts("own"); }\n')
    place.run('gcc', '-shared', '-fPIC', 'own.c', '-o', 'own.so')
    own = place.path('own.so')
    done = place.run('ompinst', 'run', './prog', env={'LD_PRELOAD': own})
    check_in('own\nsum 4950', done.stdout)
    check_equal(attached(done), 1)
    place.write('script', f'#!/bin/sh\nLD_PRELOAD={own} ./prog\n', 0o755)
    place.write('starts.py', 'import os, subprocess\n'
                f'subprocess.run(["./prog"], env={{**os.environ, "LD_PRELOAD": "{own}"}})\n')
    place.write('system.c', SYSTEM)
    place.run('gcc', '-w', 'system.c', '-o', 'system')
    for command in (['./script'], ['python3', 'starts.py'], ['./system', own], ['./system', own, 'popen'],
                    ['./system', own, 'l'], ['./system', own, 'e'], ['./system', own, 'n'],
                    ['./system', own, 'v'], ['./system', own, 'x']):
        done = place.run('ompinst', 'run', *command)
        check_in('own\nsum 4950', done.stdout + done.stderr)
        check_equal(attached(done), 1, command)
    # Who removes it wants to be without.
    place.write('script', '#!/bin/sh\nLD_PRELOAD= ./plain\nenv -i ./plain\n', 0o755)
    check_equal(place.run('ompinst', 'run', './script').stdout, 'plain\nplain\n')
    # A copy of GNU's runtime there comes behind ours.
    done = place.run('ompinst', 'run', '--dry-run', './prog', env={'LD_PRELOAD': '/a/x.so /b/libgomp.so.1 /c/y.so'})
    lib = place.path('lib/ompinst')
    ours = ':'.join(f'{lib}/{name}' for name in ('ompinst-run.so', 'libgomp.so.1', 'load/llvm.so', 'load/intel.so'))
    check_in(f"'LD_PRELOAD=/a/x.so {ours}:/b/libgomp.so.1 /c/y.so'", done.stdout)
    done = place.run('ompinst', 'run', '--dry-run', './prog', env={'LD_PRELOAD': '/a/x.so /b/libiomp5.so'})
    check_in(f"'LD_PRELOAD=/a/x.so {ours}:/b/libiomp5.so'", done.stdout)


def test_other_tools(place):
    prepare(place)
    program(place)
    compile_tool(place, 'other', 'other.so')
    other = place.path('other.so')
    for command, env in ((['./prog'], {'OMP_TOOL_LIBRARIES': other}),
                         (['sh', '-c', f'OMP_TOOL_LIBRARIES={other} ./prog'], {})):
        done = place.run('ompinst', 'run', *command, env=env)
        check_equal(attached(done), 1, command)
        check_not_in('other attached', done.stderr)
        check_equal(f"ompinst: warning: OMP_TOOL_LIBRARIES='{other}' is not loaded: an OpenMP runtime takes one tool, "
                    'here that of ompinst\n' in done.stderr, bool(env))
    done = place.run('ompinst', 'run', '--quiet', './prog', env={'OMP_TOOL_LIBRARIES': other})
    check_equal(our_lines(done), [])
    done = place.run('ompinst', 'run', './prog', env={'OMP_TOOL': 'disabled'})
    check_equal(attached(done), 0)
    check_in('the environment has OMP_TOOL=disabled', done.stderr)
    check_equal(len(our_lines(done)), 1)
    # A tool in the program itself comes first.
    place.write('tool.c', TOOL.replace('NAME', 'own'))
    place.run(CLANG, '-fopenmp', '-rdynamic', '-I' + os.path.join(TOP, 'include'), 'prog.c', 'tool.c',
              '-o', 'owner')
    done = place.run('ompinst', 'run', './owner')
    check_in('own attached', done.stderr)
    check_equal(our_lines(done), [NOTHING + 'the program has an OpenMP tool of its own (ompt_start_tool), '
                                  'and there can be only one'])


def test_programs_that_have_our_tool(place):
    prepare(place)
    place.write('prog.c', PROGRAM)
    place.run('gcc', '-fopenmp', 'prog.c', '-o', 'prog', '-Wl,--no-as-needed,-rpath,' + place.path('lib'),
              'lib/libpomp_tool.so')
    done = place.run('ompinst', 'run', './prog')
    check_equal(attached(done), 1)
    check_equal(our_lines(done), [MEASURING + 'prog: ompinst linked it so'])


def test_why_nothing_was_measured(place):
    prepare(place)
    program(place)
    place.run('gcc', 'plain.c', '-static', '-o', 'static')
    done = place.run('ompinst', 'run', './plain')
    check_equal((done.stdout, our_lines(done)), ('plain\n', [NOTHING + 'no OpenMP region ran in plain']))
    for command in ('sh -c ./plain;true', 'bash -c ./plain;true'):
        done = place.run('ompinst', 'run', *command.split(' ', 2))
        check_equal(len(our_lines(done)), 1, command)
        check_in('or the programs that it started', done.stderr)
    done = place.run('ompinst', 'run', 'ls')  # closes standard error before it ends
    check_equal(our_lines(done), [NOTHING + 'no OpenMP region ran in ls'])
    for name, reason in (('static', 'it is linked statically'),):
        done = place.run('ompinst', 'run', './' + name)
        check_equal(done.stdout, 'plain\n')
        check_in(f"ompinst: warning: './{name}' is not measured: {reason}", done.stderr)
        check_equal(len(our_lines(done)), 1)
        done = place.run('ompinst', 'run', '--strict', './' + name, code=1)
        check_equal(done.stdout, '')
        check_in(f"ompinst: error: './{name}' cannot be measured: {reason}", done.stderr)
        check_equal(place.run('ompinst', 'run', '--quiet', './' + name).stderr, '')
    # No region ran on a runtime that has been left in place.
    place.write('unused.c', '#include <omp.h>\nint main(int n, char **w) { (void)w; return n > 5 ? omp_get_max_threads() : 0; }\n')
    place.run(CLANG, '-fopenmp', 'unused.c', '-o', 'unused')
    check_in('libomp.so.5 asked for no tool', place.run('ompinst', 'run', '--runtime=system', './unused').stderr)
    check_in('no OpenMP region ran in unused', place.run('ompinst', 'run', './unused').stderr)
    # Switched off, it is not there.
    done = place.run('ompinst', 'run', './prog', env={'OMPINST': 'off'})
    check_equal(done.stderr, '')


def test_runtime_that_is_linked_in(place):
    prepare(place)
    place.write('prog.c', PROGRAM)
    archive = place.run('gcc', '-print-file-name=libgomp.a').stdout.strip()
    if not os.path.isabs(archive):
        bench.skip('no libgomp.a')
    place.run('gcc', '-fopenmp', '-c', 'prog.c')
    place.run('gcc', 'prog.o', archive, '-o', 'prog', '-lpthread', '-ldl')
    done = place.run('ompinst', 'run', './prog')
    check_equal(done.stdout, 'sum 4950\n')
    check_in("GNU's OpenMP runtime is linked into it", done.stderr)


def test_rights_that_the_caller_lacks(place):
    if os.geteuid() != 0:
        bench.skip('needs root to make a set-user-ID program of another user')
    prepare(place)
    os.chmod(place.folder, 0o755)
    shutil.copy(place.path('plain'), place.path('other'))
    os.chown(place.path('other'), 65534, 65534)
    os.chmod(place.path('other'), 0o4755)
    done = place.run('ompinst', 'run', './other')
    check_equal(done.stdout, 'plain\n')
    if 'nothing was measured' in done.stderr:
        bench.skip('the file system is mounted nosuid')
    check_in('it runs with other rights than yours', done.stderr)
    check_equal(len(our_lines(done)), 1)


def test_other_processors(place):
    prepare(place)
    with open(place.path('plain'), 'rb') as file:
        image = bytearray(file.read())
    struct.pack_into('<H', image, 18, 243 if image[18] != 243 else 62)  # e_machine
    with open(place.path('foreign'), 'wb') as file:
        file.write(image)
    os.chmod(place.path('foreign'), 0o755)
    done = place.run('ompinst', 'run', './foreign', code=None)
    check_in('it is for another processor or word size', done.stderr)
    if done.returncode == 126:  # an emulator of that processor may be there, and finds it broken
        check_in("cannot run './foreign': " + ('' if bench.is_emulated() else 'Exec format error'), done.stderr)


# In the place of a loader with another libc, such as musl's.
LOADER = r'''#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int count, char **words)
{
	const char *preload = getenv("LD_PRELOAD");
	if (count > 1 && strcmp(words[1], "--list") == 0) {
		if (preload != NULL)
			fprintf(stderr, "Error relocating %s: fstat64: symbol not found\n", strchr(preload, ':') + 1);
		return preload != NULL;
	}
	return 2;
}
'''


def test_loaders_that_do_not_take_our_libraries(place):
    prepare(place)
    place.write('loader.c', LOADER)
    place.run('gcc', '-static', 'loader.c', '-o', 'loader')
    place.run('gcc', 'plain.c', '-o', 'strange', '-Wl,--dynamic-linker=' + place.path('loader'))
    done = place.run('ompinst', 'run', '--dry-run', './strange')
    check_equal(done.stdout, 'env ./strange\n')
    check_in("its loader does not take ompinst's libraries: Error relocating", done.stderr)
    check_equal(len(our_lines(done)), 1)


# What a child of another kind has in LD_PRELOAD, by the kernel: its loader is a static program that never returns.
ENTRY = r'''#include <elf.h>
static long call(long number, long a, long b, long c)
{
	long result;
	__asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return result;
}
__attribute__((noreturn, used)) static void run(long *stack)
{
	char **variable = (char **)(stack + 1 + *stack + 1);
	for (; *variable; variable++) {
		long length = 0;
		while ((*variable)[length])
			length++;
		(*variable)[length] = '\n';
		if (length > 9 && (*variable)[3] == 'P' && (*variable)[4] == 'R' && (*variable)[5] == 'E')
			call(1, 1, (long)*variable, length + 1);
	}
	call(60, 0, 0, 0);
	for (;;)
		;
}
__asm__(".globl _start\n_start: mov %rsp, %rdi\n and $-16, %rsp\n call run\n");
'''


def test_children_that_do_not_take_our_libraries(place):
    """A program of musl's would not start with them; it gets the rest of LD_PRELOAD."""
    if os.uname().machine != 'x86_64':
        bench.skip('the loader of this test is for x86-64')
    prepare(place)
    place.write('entry.c', ENTRY)
    place.run('gcc', '-O1', '-nostdlib', '-static-pie', '-fPIE', '-fno-stack-protector', 'entry.c', '-o', 'ld-musl-test.so.1')
    place.run('gcc', 'plain.c', '-o', 'strange', '-Wl,--dynamic-linker=' + place.path('ld-musl-test.so.1'))
    place.write('own.c', 'int own;\n')
    place.run('gcc', '-shared', '-fPIC', 'own.c', '-o', 'own.so')
    own = place.path('own.so')
    place.write('starts.py', 'import os, sys\nos.environ["PATH"] = "."\ngetattr(os, sys.argv[1])("strange", ["strange"])\n')
    place.write('script', '#!./strange\n', 0o755)
    python = shutil.which('python3')
    for command in (['sh', '-c', './strange; true'], ['env', './strange'], [python, 'starts.py', 'execvp'],
                    [python, 'starts.py', 'execv'], ['sh', '-c', './script; true']):
        done = place.run('ompinst', 'run', '--quiet', *command)
        check_equal((done.stdout, done.stderr), ('LD_PRELOAD=\n', ''), f'LD_PRELOAD of {command}')
    done = place.run('ompinst', 'run', '--quiet', 'sh', '-c', './strange; true', env={'LD_PRELOAD': own})
    check_equal(done.stdout, f'LD_PRELOAD={own}\n')


def test_names_that_lists_cannot_hold(place):
    """A link in the user's own folder stands for one with a blank or a colon; no link of another's does."""
    prepare(place, 'my: lib')
    program(place)
    place.environment.pop('XDG_RUNTIME_DIR', None)
    done = place.run('ompinst', 'run', './prog')
    check_equal((done.stdout, attached(done)), ('sum 4950\n', 1))
    own = os.path.join(place.temporary, f'ompinst-{os.geteuid()}')
    check_equal(sorted({os.readlink(os.path.join(own, link)) for link in os.listdir(own)}),
                [place.path('my: lib'), place.path('my: lib/ompinst'), place.path('my: lib/ompinst/load')])
    # One that leads elsewhere, of a folder that is gone.
    for link in os.listdir(own):
        os.remove(os.path.join(own, link))
        os.symlink('/nonexistent', os.path.join(own, link))
    check_equal(attached(place.run('ompinst', 'run', './prog')), 1)
    check_equal(attached(place.run('ompinst', 'run', 'sh', '-c', './prog; true', env={'LD_PRELOAD': ''})), 1)

    # A folder in which others may write is none for links.
    open_to_all = place.path(f'runtime/ompinst-{os.geteuid()}')
    os.makedirs(open_to_all)
    environment = {'XDG_RUNTIME_DIR': place.path('runtime')}
    check_in(f'LD_PRELOAD={open_to_all}/', place.run('ompinst', 'run', '--dry-run', './prog', env=environment).stdout)
    os.chmod(open_to_all, 0o777)
    check_in(f'LD_PRELOAD={own}/', place.run('ompinst', 'run', '--dry-run', './prog', env=environment).stdout)
    shutil.rmtree(own)


def test_missing_parts(place):
    prepare(place)
    program(place)
    os.mkdir(place.path('lonely'))
    place.run('cp', os.path.join(bench.BIN, 'ompinst'), 'lonely/ompinst')
    for part in ('ompinst/libgomp.so.1', 'ompinst/ompinst-run.so', 'libpomp_tool.so'):
        os.rename(place.path('lib/' + part), place.path('away'))
        done = place.run('lonely/ompinst', 'run', './plain')
        os.rename(place.path('away'), place.path('lib/' + part))
        if 'nothing was measured' in done.stderr:
            bench.skip('ompinst is installed on this machine')
        check_equal(done.stdout, 'plain\n')
        check_in(f'is not measured: {part} was not found', done.stderr)


def test_what_cannot_be_run(place):
    prepare(place)
    place.write('text', 'echo text $1; exit 5\n', 0o755)
    place.write('empty', '', 0o755)
    place.write('bad', '#!/no/such/shell -x\n', 0o755)
    place.write('data', 'echo no\n')
    with open(place.path('binary'), 'wb') as file:
        file.write(b'\0\1\2\3' * 100)
    os.chmod(place.path('binary'), 0o755)
    with open(place.path('cut'), 'wb') as file, open(place.path('plain'), 'rb') as whole:
        file.write(whole.read(100))
    os.chmod(place.path('cut'), 0o755)
    for command, code, text in (
            (['no-such-program'], 127, "cannot run 'no-such-program': no such program in PATH"),
            (['plain'], 127, "did you mean './plain', the file in this folder?"),
            (['./no/such'], 127, "cannot run './no/such': No such file or directory"),
            ([''], 127, "cannot run '': "),
            (['/'], 126, "cannot run '/': Is a directory"),
            (['./data'], 126, "cannot run './data': Permission denied"),
            (['./binary'], 126, "cannot run './binary': Exec format error"),
            *([] if bench.is_emulated() else [(['./cut'], 126, "cannot run './cut': ")]),  # qemu crashes
            (['./bad'], 126, "cannot run './bad': its interpreter '/no/such/shell' does not exist"),
            (['--strickt', './plain'], 2, "unknown option '--strickt' for 'ompinst run' (did you mean '--strict'?)"),
            (['--mpi=mvapich', './plain'], 2, "option '--mpi=mvapich': expected openmpi, mpich or off"),
            (['--summary', './plain'], 2, "needs a value: --summary=FILE"),
            (['--trace=', './plain'], 2, "option '--trace=': expected a folder"),
            ([], 2, "expected a program to run; see 'ompinst run --help'"),
            (['mpirun', './plain'], 2, 'write: mpirun ... ompinst run PROGRAM')):
        done = place.run('ompinst', 'run', *command, code=code)
        check_in(text, done.stderr)
        check_equal(len(done.stderr.splitlines()), 1, f'lines about {command}')
    done = place.run('ompinst', 'run', './text', 'a', code=5)
    check_equal(done.stdout, 'text a\n')
    check_in("'./text' has no line '#!' that says what runs it; run by /bin/sh", done.stderr)
    place.run('ompinst', 'run', './empty')
    check_in("options of 'ompinst run' come behind 'run'",
             place.run('ompinst', '--verbose', 'run', './plain', code=2).stderr)
    check_in("options of 'ompinst run' come behind 'run'",
             place.run('ompinst', '--trace', 'run', './plain', code=2).stderr)


STATE = r'''for name in ('SigBlk', 'SigIgn', 'SigCgt'):
    print([line for line in open('/proc/self/status') if line.startswith(name)])
import os, sys
print(sorted(name for name in os.listdir('/proc/self/fd') if int(name) < 100))
print(sys.argv, sys.stdin.read(), os.getcwd(), os.umask(0), os.nice(0), os.environ['A'])
'''


def test_the_program_stays_as_it_is(place):
    prepare(place)
    place.write('state.py', STATE)
    need('python3')
    told = []
    for start in ([], ['ompinst', 'run', '--quiet']):
        def ignore():
            for number in (signal.SIGCHLD, signal.SIGXFSZ, signal.SIGUSR1, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2, signal.SIGCHLD])
        done = subprocess.run([*start, 'python3', 'state.py', 'a b', ''], cwd=place.folder,
                              env=dict(place.environment, A='1'), input='text', text=True,
                              capture_output=True, preexec_fn=ignore)
        check_equal((done.returncode, done.stderr), (0, ''))
        told.append(done.stdout)
    check_equal(told[0], told[1])
    # The same process; the same end.
    child = subprocess.Popen(['ompinst', 'run', '--quiet', 'sh', '-c', 'echo $$ $PPID'], cwd=place.folder,
                             env=place.environment, stdout=subprocess.PIPE, text=True)
    check_equal(child.communicate()[0], f'{child.pid} {os.getpid()}\n')
    for end, status in (('exit 77', 77), ('kill -9 $$', -9), ('kill -TERM $$', -15)):
        done = subprocess.run(['ompinst', 'run', '--quiet', 'sh', '-c', end], env=place.environment)
        check_equal(done.returncode, status, end)


def test_daemons_let_go_of_standard_error(place):
    """A reader of standard error sees its end when the program ends, not when what it left behind does."""
    prepare(place)
    place.write('daemon.sh', '#!/bin/sh\n(exec >/dev/null 2>&1 </dev/null; exec tail -f /dev/null) &\necho $! >&2\n', 0o755)
    done = place.run('ompinst', 'run', './daemon.sh')
    os.kill(int(done.stderr.split()[0]), signal.SIGKILL)


FORKS = r'''#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int region(void)
{
	int sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 100; i++)
		sum += i;
	return sum;
}
int main(void)
{
	region();
	if (fork() == 0) {
		region();
		_exit(region() - 4950);
	}
	wait(NULL);
	if (vfork() == 0)
		_exit(0);
	wait(NULL);
	if (fork() == 0)
		_exit(0);
	wait(NULL);
	return system("./again >&2");
}
'''


def test_each_process_has_its_summary(place):
    """Children of fork() that end by _exit(), as Python's multiprocessing has them, and other programs."""
    prepare(place)
    del place.environment['OMPINST_LIBDIR'], place.environment['POMP_SUMMARY']
    place.write('forks.c', FORKS)
    program(place, 'gcc', 'again')
    place.run('gcc', '-fopenmp', 'forks.c', '-o', 'forks')
    done = place.run('ompinst', 'run', './forks')
    check_equal(done.stderr.count(' ompinst profile: '), 3)
    check_equal(len(our_lines(done)), 1)
    place.run('ompinst', 'run', '--summary=s.json', './forks', env={'POMP_SUMMARY_FORMAT': 'json'})
    files = [name for name in os.listdir(place.folder) if name.startswith('s.json')]
    check_equal(len(files), 3, f'{files}')
    visits = sorted(sum(region['visits'] for region in json.loads(place.read(name))['regions']
                        if region['name'] == 'parallel') for name in files)
    check_equal(visits[1:], [visits[0], 2 * visits[0]], 'visits of parallel')


LEAVES = r'''#include <dlfcn.h>
#include <unistd.h>
int main(void)
{
	void *part = dlopen("./libpart.so", RTLD_NOW);
	int (*twice)(int) = part ? (int (*)(int))dlsym(part, "twice") : 0;
	return chdir("away") != 0 || !twice || twice(21) != 42;
}
'''


def test_a_program_that_leaves_its_folder(place):
    """Before the first region, with which the runtime loads the tool: all paths are those of the start."""
    need(CLANG)
    prepare(place)
    del place.environment['OMPINST_LIBDIR']
    os.mkdir(place.path('away'))
    place.write('leaves.c', LEAVES)
    place.write('part.c', bench.LIBRARY)
    place.write('filter', 'SCOREP_REGION_NAMES_BEGIN\nEXCLUDE barrier\nSCOREP_REGION_NAMES_END\n')
    place.run(CLANG, '-g', '-fopenmp', '-shared', '-fPIC', 'part.c', '-o', 'libpart.so')
    place.run('gcc', 'leaves.c', '-ldl', '-o', 'leaves')
    for runtime in ('bundled', 'system'):
        done = place.run('ompinst', 'run', '--trace=trace', '--summary=s.json', '--filter=filter', '--runtime=' + runtime,
                         './leaves', env={'POMP_SUMMARY_FORMAT': 'json'})
        check_equal(len(done.stderr.splitlines()), 1, done.stderr)
        check_equal(os.listdir(place.path('away')), [])
        summary = json.loads(place.read('s.json'))
        check_equal(summary['trace'], place.path('trace'))
        check_equal({os.path.basename(region['file']) for region in summary['regions']}, {'part.c'})
        os.remove(place.path('s.json'))
        shutil.rmtree(place.path('trace'))


BOTH = r'''int of_clang(void);
int main(void)
{
	int sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 100; i++)
		sum += i;
	return of_clang() - 42;
}
'''


def test_one_runtime_for_two_compilers(place):
    need(CLANG)
    prepare(place)
    del place.environment['OMPINST_LIBDIR']
    place.write('both.c', BOTH)
    place.write('of.c', bench.LIBRARY.replace('twice(int n)', 'of_clang(void)').replace('{', '{\n\tint n = 21;', 1))
    place.run(CLANG, '-g', '-fopenmp', '-shared', '-fPIC', 'of.c', '-o', 'libof.so')
    place.run('gcc', '-g', '-fopenmp', 'both.c', '-L.', '-lof', '-Wl,-rpath,' + place.folder, '-o', 'both')
    done = place.run('ompinst', 'run', '--summary=s.json', './both', env={'POMP_SUMMARY_FORMAT': 'json'})
    check_equal(len(our_lines(done)), 1)
    visits = {os.path.basename(region['file']): region['visits'] for region in json.loads(place.read('s.json'))['regions']
              if region['name'] == 'parallel'}
    check_equal(visits, {'both.c': 2, 'of.c': 2})


IDLE = r'''#include <omp.h>
#include <stdio.h>
int main(void) { printf("%d\n", omp_get_max_threads() > 0); return 0; }
'''


def test_runtimes_without_a_region(place):
    prepare(place)
    del place.environment['OMPINST_LIBDIR']
    place.write('idle.c', IDLE)
    place.run('gcc', '-fopenmp', 'idle.c', '-o', 'idle')
    program(place, 'gcc')
    done = place.run('ompinst', 'run', './idle', env={'POMP_SUMMARY': 'stderr'})
    check_equal(our_lines(done)[-1], NOTHING + 'no OpenMP region ran in idle')
    check_not_in(' profile: ', done.stderr)
    for shell in ('sh', 'bash'):
        done = place.run('ompinst', 'run', shell, '-c', './idle; ./idle; true')
        check_equal(our_lines(done)[-1],
                    NOTHING + f'no OpenMP region ran in {shell} or the programs that it started')
    done = place.run('ompinst', 'run', 'sh', '-c', './idle; ./prog; ./idle')
    check_not_in(NOTHING, done.stderr)
    done = place.run('ompinst', 'run', './prog', env={'POMP_DISABLE': 'yes'})
    check_equal(done.stderr, "ompinst: warning: './prog' is not measured: the environment has POMP_DISABLE=yes\n")


def test_shorthands_of_settings(place):
    prepare(place)
    done = place.run('ompinst', 'run', '--quiet', '--trace=a b', '--summary=s.txt', '--metrics=cpu_time', '--filter=f',
                     'env')
    values = dict(line.split('=', 1) for line in done.stdout.splitlines() if '=' in line)
    for name, value in (('POMP_ENABLE_TRACING', 'yes'), ('POMP_EXPERIMENT_DIRECTORY', 'a b'),
                        ('POMP_SUMMARY', 's.txt'), ('POMP_METRICS', 'cpu_time'), ('POMP_FILTERING_FILE', 'f')):
        check_equal(values[name], value, name)
    check_not_in('POMP_EXPERIMENT_DIRECTORY', place.run('ompinst', 'run', '--quiet', '--trace', 'env').stdout)
    # What a shell reads back.
    line = place.run('ompinst', 'run', '--dry-run', '--trace=a b', 'printf', '%s|', 'x y', '$z').stdout
    check_equal(place.run('sh', '-c', line).stdout, 'x y|$z|')


def test_tuned_settings(place):
    prepare(place)
    place.write('tuned', '# found\n\n TUNED_ONE=a b \nGLIBC_TUNABLES=glibc.malloc.check=0\n')
    for off in {}, {'OMPINST': 'off'}:
        done = place.run('ompinst', 'run', '--quiet', '--tuned=tuned', 'env',
                         env={'TUNED_ONE': 'other', 'GLIBC_TUNABLES': 'glibc.malloc.perturb=0', **off})
        lines = done.stdout.splitlines()
        check_in('TUNED_ONE=a b', lines)
        check_in('GLIBC_TUNABLES=glibc.malloc.perturb=0:glibc.malloc.check=0', lines)
        check_not_in('TUNED_ONE=other', lines)
    check_in("'TUNED_ONE=a b' GLIBC_TUNABLES=glibc.malloc.check=0 env", place.run('ompinst', 'run', '--quiet', '--dry-run', '--tuned=tuned', 'env').stdout)
    place.write('tuned', 'TUNED_ONE=1\n2TUNED=1\n')
    done = place.run('ompinst', 'run', '--tuned=tuned', 'env', code=2)
    check_equal((done.stdout, done.stderr), ('', "ompinst: error: tuned:2: '2TUNED=1': expected NAME=VALUE, as 'ompinst tune' writes it\n"))
    check_in("cannot read the settings 'absent': No such file", place.run('ompinst', 'run', '--tuned=absent', 'env', code=2).stderr)


def test_mpi_s_wrappers(place):
    """The library of the MPI that the program is linked to, and of no other; by option for others."""
    prepare(place)
    place.write('mpi.c', '#include <mpi.h>\nint main(void) { int f; return MPI_Initialized(&f); }\n')
    found = 0
    for mpi in ('openmpi', 'mpich'):
        library = os.path.join(BUILD, 'pomp/mpi', f'libpomp_mpi-{mpi}.so.0')
        compiler = 'mpicc.' + mpi
        if shutil.which(compiler) is None or not os.path.exists(library):
            continue
        found += 1
        shutil.copy(library, place.path('lib'))
        place.run(compiler, 'mpi.c', '-o', mpi)
        text = place.run('ompinst', 'run', '--dry-run', './' + mpi).stdout
        check_equal([name for name in ('openmpi', 'mpich') if f'libpomp_mpi-{name}.so' in text], [mpi])
        check_not_in('libpomp_mpi', place.run('ompinst', 'run', '--dry-run', '--mpi=off', './' + mpi).stdout)
        check_not_in('libpomp_mpi', place.run('ompinst', 'run', '--dry-run', './plain').stdout)
        check_in('libpomp_mpi-' + mpi, place.run('ompinst', 'run', '--dry-run', '--mpi=' + mpi, './plain').stdout)
    if found == 0:
        bench.skip('no MPI with wrappers here')


RANKS = r'''#include <mpi.h>
#include <stdio.h>
int main(int count, char **words)
{
	int sum = 0, total;
	MPI_Init(&count, &words);
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 100; i++)
		sum += i;
	MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	int rank;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0)
		printf("%d\n", total);
	return MPI_Finalize();
}
'''


def test_ranks_of_mpi(place):
    """One line, one summary and one archive of all ranks, which nothing was compiled for."""
    prepare(place)
    del place.environment['OMPINST_LIBDIR']
    found = 0
    for mpi, more in (('openmpi', ['--oversubscribe']), ('mpich', [])):
        library = os.path.join(BUILD, 'pomp/mpi', f'libpomp_mpi-{mpi}.so.0')
        if shutil.which('mpicc.' + mpi) is None or shutil.which('mpirun.' + mpi) is None or not os.path.exists(library):
            continue
        found += 1
        place.write('ranks.c', RANKS)
        place.run('mpicc.' + mpi, '-fopenmp', 'ranks.c', '-o', 'ranks')
        done = place.run('mpirun.' + mpi, *more, '-np', '2', 'ompinst', 'run', '--trace=' + mpi, '--summary=stderr', './ranks',
                         env={'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'})
        check_equal(done.stdout, '9900\n')
        check_equal(len(our_lines(done)), 1, 'number of lines')
        check_equal(done.stderr.count(' ompinst profile: '), 1, 'number of summaries')
        check_in('mpi(MPI_Allreduce)', done.stderr)
        assert place.exists(mpi + '/traces.otf2') or 'OTF2' in done.stderr, done.stderr
    if found == 0:
        bench.skip('no MPI with wrappers here')


def test_address_sanitizer(place):
    """Its library insists on being the first one."""
    prepare(place)
    place.run('gcc', '-fsanitize=address', 'plain.c', '-o', 'checked')
    # It looks for leaks by ptrace(2).
    environment = {'ASAN_OPTIONS': 'detect_leaks=0'} if bench.is_emulated() else {}
    if place.run('./checked', code=None, env=environment).returncode != 0:
        bench.skip('AddressSanitizer does not run here')
    done = place.run('ompinst', 'run', './checked', env=environment)
    check_equal(done.stdout, 'plain\n')


bench.main(globals())
