# SPDX-License-Identifier: BSD-3-Clause
"""The cases of whatif.py, one row each: a program, a change as `ompreport whatif` takes it, and how the program is
really changed.

A region is the place of its directive, `@name` for the line that has the comment `// @name`, and its construct. A way
to change a program is one or more of

  define=...   macros, separated by blanks, with which its source is compiled
  edit=...     a pair of texts: the first stands once in the source, and is replaced by the second
  delay=F      POMP_SCALE: everything but the region takes F times as long, and the time is divided by F
  threads=N    OMP_NUM_THREADS

and each case is done with each number of threads in `teams`. `why` says what a prediction cannot know, where that is
known before.
"""
import collections

Program = collections.namedtuple('Program', 'name pattern package files flags arguments make_input')
Case = collections.namedtuple('Case', 'program change define edit delay threads teams why')


def own(name, pattern, libraries=''):
    return Program(name, pattern, None, (f'programs/{name}.c',), ('-O2', '-g', *libraries.split()), (), None)


def debian(name, pattern, package, files, flags, arguments, make_input):
    return Program(name, pattern, package, tuple(files), tuple(flags.split()), tuple(arguments.split()), make_input)


PROGRAMS = [
    own('triangle', 'triangular loop'),
    own('spmv', 'sparse matrix with hubs'),
    own('mandelbrot', 'rows of different cost'),
    own('collatz', 'irregular loop'),
    own('nbody', 'pairs of bodies', '-lm'),
    own('heat', 'Jacobi, two barriers a step'),
    own('nowait', 'complementary loops'),
    own('alternate', 'work that changes sides'),
    own('matmul', 'even loops'),
    own('reduction', 'even loop with a sum'),
    own('small', 'many small regions'),
    own('barriers', 'explicit barriers'),
    own('amdahl', 'serial part'),
    own('sections', 'uneven sections'),
    own('ordered', 'ordered output'),
    own('histogram', 'critical in a loop'),
    own('accumulate', 'crowded critical'),
    own('locks', 'two criticals'),
    own('list', 'list with a lock'),
    own('single', 'one thread makes tasks'),
    own('taskloop', 'taskloop'),
    own('fib', 'recursive tasks, small grain'),
    own('mergesort', 'recursive tasks'),
    own('wavefront', 'tasks with dependences'),
    own('pipeline', 'producer and consumer'),
    debian('fasttree', 'sections, dynamic loops', 'fasttree', ['fasttree.c'], '-DOPENMP -DUSE_DOUBLE -O2 -g',
           '-nt -quiet {input}', 'alignment'),
    debian('cd-hit', 'dynamic loops', 'cd-hit', ['cdhit-est.c++', 'cdhit-utility.c++', 'cdhit-common.c++'], '-O2 -g',
           '-i {input} -o out -T {threads}', 'reads'),
    debian('muscle', 'loops over pairs', 'muscle', ['src/*.cpp'], '-O2 -g',
           '-align {input} -output out.fa -threads {threads}', 'proteins'),
]


def case(program, change, *, define='', edit=None, delay=0, threads=0, teams=(1, 2), why=''):
    return Case(program, change, define, edit, delay, threads, teams, why)


# What one thread's trace cannot show of two: in which half of a loop with a static schedule the work is.
UNEVEN = dict.fromkeys(('triangle', 'spmv', 'mandelbrot', 'collatz', 'nbody', 'heat', 'nowait', 'alternate'),
                       'which half has more work, one thread cannot show') | {
    'barriers': 'the work of two threads is not that of one',
    'cd-hit': 'with one thread it takes another way'}
# Why a prediction is far off with that number of threads, found afterwards.
FOUND = {
    ('accumulate', '--faster=@critical critical=2', 2):
        'two threads then take turns without waiting; the replay keeps what handing over took',
    ('accumulate', '--threads=2', 1): 'what contention costs two threads, one does not show',
    ('small', '--threads=2', 1): 'a fork is taken to cost more than it does',
    ('pipeline', '--faster=@use task=2', 2): 'the time until the other thread begins a dependent task is missing',
    ('locks', '--unlock=critical(index)', 2): 'what an uncontended critical costs counts as work'}
OTHER_CODE = 'the compiler makes another loop of it'

CASES = [
    case('triangle', '--balance=@loop for', define='EVEN'),
    case('triangle', '--schedule=@loop for=dynamic,8', define='SCHEDULE=dynamic,8'),
    case('triangle', '--faster=@loop for=2', define='HALF'),
    case('spmv', '--balance=@loop for', define='EVEN', why='rows in another order: other cache misses'),
    case('spmv', '--schedule=@loop for=dynamic,64', define='SCHEDULE=dynamic,64'),
    case('spmv', '--faster=@loop for=2', define='HALF'),
    case('mandelbrot', '--balance=@loop for', define='EVEN'),
    case('mandelbrot', '--schedule=@loop for=dynamic,1', define='SCHEDULE=dynamic,1'),
    case('mandelbrot', '--faster=@loop for=1.5', delay=1.5),
    case('collatz', '--schedule=@loop for=dynamic,1000', define='SCHEDULE=dynamic,1000', why=OTHER_CODE),
    case('collatz', '--schedule=@loop for=static,1000', define='SCHEDULE=static,1000', why=OTHER_CODE),
    case('collatz', '--schedule=@loop for=guided', define='SCHEDULE=guided', why=OTHER_CODE),
    case('nbody', '--balance=@forces for', define='EVEN'),
    case('nbody', '--schedule=@forces for=dynamic,16', define='SCHEDULE=dynamic,16'),
    case('nbody', '--faster=@forces for=2', define='HALF'),
    case('heat', '--balance=@sweep for', define='EVEN'),
    case('heat', '--no-wait=@copy for', define='NOWAIT'),
    case('heat', '--faster=@sweep for=2', delay=2),
    case('nowait', '--no-wait=@first for', define='NOWAIT'),
    case('nowait', '--balance=@first for', define='EVEN'),
    case('nowait', '--schedule=@first for=dynamic,10', define='SCHEDULE=dynamic,10'),
    case('alternate', '--no-wait=@even for', define='NOWAIT'),
    case('alternate', '--balance=@even for', define='EVEN'),
    case('alternate', '--faster=@odd for=2', define='HALF'),
    case('matmul', '--faster=@product for=2', define='HALF'),
    case('matmul', '--schedule=@product for=dynamic,8', define='SCHEDULE=dynamic,8'),
    case('matmul', '--no-wait=@product for', define='NOWAIT'),
    case('reduction', '--faster=@loop for=2', define='HALF'),
    case('reduction', '--faster=@loop for=2', delay=2),
    case('reduction', '--schedule=@loop for=dynamic,10000', define='SCHEDULE=dynamic,10000'),
    case('small', '--faster=@loop for=2', define='HALF'),
    case('small', '--faster=@loop for=2', delay=2, why='what the runtime itself does is not delayed'),
    case('small', '--schedule=@loop for=dynamic,4', define='SCHEDULE=dynamic,4'),
    case('barriers', '--faster=@parallel parallel=2', define='HALF'),
    case('barriers', '--faster=@parallel parallel=2', delay=2),
    case('barriers', '--no-wait=@barrier barrier', define='NOWAIT'),
    case('amdahl', '--faster=region(serial)=2', define='HALF'),
    case('amdahl', '--faster=@loop for=2', define='LOOP_HALF'),
    case('amdahl', '--faster=region(serial)=2', delay=2),
    case('sections', '--balance=@sections sections', define='EVEN'),
    case('sections', '--faster=@sections sections=2', define='HALF'),
    case('sections', '--faster=@sections sections=2', delay=2),
    case('ordered', '--schedule=@loop for=static,1', define='SCHEDULE=static,1'),
    case('ordered', '--faster=@write ordered=2', define='HALF'),
    case('ordered', '--schedule=@loop for=dynamic,4', define='SCHEDULE=dynamic,4'),
    case('histogram', '--unlock=critical(bins)', define='PRIVATE'),
    case('histogram', '--faster=@critical critical=2', define='HALF'),
    case('histogram', '--schedule=@loop for=dynamic,100', define='SCHEDULE=dynamic,100'),
    case('accumulate', '--unlock=critical', define='ATOMIC'),
    case('accumulate', '--faster=@critical critical=2', define='HALF'),
    case('accumulate', '--faster=@critical critical=2', delay=2),
    case('locks', '--unlock=critical(index)', define='FREE_INDEX'),
    case('locks', '--unlock=critical(log)', define='FREE_LOG'),
    case('locks', '--faster=@index critical=2', define='HALF'),
    case('list', '--unlock=lock 0', define='PRIVATE'),
    case('list', '--faster=@loop for=1.5', delay=1.5),
    case('list', '--schedule=@loop for=dynamic,50', define='SCHEDULE=dynamic,50'),
    case('single', '--grain=@leaf task=8', define='GRAIN=8'),
    case('single', '--faster=@leaf task=2', define='HALF'),
    case('single', '--faster=@leaf task=2', delay=2),
    case('taskloop', '--faster=@rows taskloop=1.5', delay=1.5),
    case('taskloop', '--faster=@rows taskloop=2', define='HALF'),
    case('taskloop', '--faster=@rows taskloop=2', delay=2),
    case('fib', '--grain=@task task=4', define='CUTOFF=18', why='a ratio of Fibonacci numbers: 4.2'),
    case('fib', '--grain=@task task=18', define='CUTOFF=21', why='a ratio of Fibonacci numbers: 17.9'),
    case('fib', '--faster=@task task=2', delay=2),
    case('mergesort', '--grain=@left task=4', define='CUTOFF=1000'),
    case('mergesort', '--grain=@left task=16', define='CUTOFF=4000'),
    case('mergesort', '--faster=@left task=2', delay=2),
    case('wavefront', '--grain=@tile task=4', define='TILE=64'),
    case('wavefront', '--faster=@tile task=2', define='HALF'),
    case('wavefront', '--faster=@tile task=2', delay=2),
    case('pipeline', '--faster=@read task=2', define='HALF'),
    case('pipeline', '--faster=@use task=2', define='USE_HALF'),
    case('pipeline', '--faster=@use task=2', delay=2),
    case('fasttree', '--faster=fasttree.c:7175 sections=2', delay=2),
    case('fasttree', '--schedule=fasttree.c:8069 for=static',
         edit=('8069', 'schedule(dynamic, 50)', 'schedule(static)')),
    case('fasttree', '--faster=fasttree.c:5655 sections=1.5', delay=1.5),
    case('cd-hit', '--faster=cdhit-common.c++:3111 for=2', delay=2, teams=(2,)),
    case('cd-hit', '--schedule=cdhit-common.c++:3128 for=dynamic,16', teams=(2,),
         edit=('3128', 'schedule( dynamic, 1 )', 'schedule( dynamic, 16 )')),
    case('cd-hit', '--faster=cdhit-common.c++:3128 for=2', delay=2, teams=(2,)),
    case('muscle', '--faster=mpcflat.cpp:246 for=2', delay=2),
    case('muscle', '--schedule=mpcflat.cpp:246 for=dynamic,1',
         edit=('246', 'num_threads(ThreadCount)', 'num_threads(ThreadCount) schedule(dynamic, 1)')),
    case('muscle', '--faster=consflat.cpp:11 for=1.5', delay=1.5),
] + [case(program.name, '--threads=2', threads=2, teams=(1,), why=UNEVEN.get(program.name, ''))
     for program in PROGRAMS] + [
    case(program.name, '--threads=1', threads=1, teams=(2,),
         why=UNEVEN.get(program.name, '') if program.package else '') for program in PROGRAMS]
