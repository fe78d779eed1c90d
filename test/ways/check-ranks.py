#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Ranks of a hybrid Fortran program, linked by ompinst and as they are: one profile of all, with the calls of MPI.

check-ranks.py OMPINST OMPREPORT MPI SOURCE
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

OMPINST, OMPREPORT, MPI, SOURCE = sys.argv[1:]
OMPINST, OMPREPORT, SOURCE = (str(pathlib.Path(path).resolve()) for path in (OMPINST, OMPREPORT, SOURCE))
RANKS, THREADS = 2, 2


def fail(text):
    sys.exit(f'check-ranks: {text}')


def run(command, folder, **settings):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(('POMP_', 'OMP_'))}
    environment |= {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1',
                    'OMPI_MCA_rmaps_base_oversubscribe': '1'} | settings
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        fail(f'{command}: {done.returncode} {done.stdout} {done.stderr}')
    return done.stdout


def check_visits(what, summary):
    visits = {}
    for region in summary['regions']:
        name = f"{region['name']}({region['sub_name']})" if region['name'] == 'mpi' else region['name']
        visits[name] = visits.get(name, 0) + region['visits']
        if region['name'] in ('parallel', 'for') and abs(region['begin_line'] - 11) > 1:
            fail(f'{what}: not at line 11: {region}')
    for name, count in {'parallel': RANKS * THREADS, 'for': RANKS * THREADS, 'mpi(MPI_Reduce)': RANKS}.items():
        if visits.get(name) != count:
            fail(f'{what}: {visits}, expected {count} of {name}')


def main():
    compiler, mpirun = f'mpif90.{MPI}', f'mpirun.{MPI}'
    if None in (shutil.which(compiler), shutil.which(mpirun), shutil.which('gfortran')):
        print(f'no {compiler} here')
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        run([compiler, '-g', '-fopenmp', SOURCE, '-o', 'plain'], folder)
        run([OMPINST, compiler, '-g', '-fopenmp', SOURCE, '-o', 'linked'], folder)
        for what, command in (('linked', ['./linked']), ('run', [OMPINST, 'run', './plain'])):
            output = run([mpirun, '-np', str(RANKS), *command], folder, POMP_SUMMARY=what + '.json', POMP_SUMMARY_FORMAT='json',
                         POMP_ENABLE_TRACING='1', POMP_EXPERIMENT_DIRECTORY=what + '.trace')
            if output != f'total {5050 * RANKS}\n':
                fail(f'{what}: printed {output!r}')
            check_visits(what, json.loads(pathlib.Path(folder, what + '.json').read_text()))
            run([OMPREPORT, 'check', what + '.trace'], folder)
            check_visits(what, json.loads(run([OMPREPORT, 'summary', '--format=json', what + '.trace'], folder)))
    print(f'{RANKS} ranks with {THREADS} threads each, both ways')


main()
