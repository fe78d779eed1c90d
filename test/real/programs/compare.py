#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs of Debian on several OpenMP runtimes, compares results and times: compare.py [options] [PROGRAM...]

The programs are the rows of table.py, as they are installed. Each runs once on every runtime to see that it runs there
and that this libgomp.so.1 is the one that it loads; then the runtimes take turns, a process each, and each round begins
with another one. All have the same processors and no settings but the number of threads. What a run prints must be
what the first run on the first runtime with as many threads printed.

With --runs FILE each run is a line that is added to the file (JSON); with --table the lines that are there make the
table, and nothing runs. A cell has our median, the median over the rounds of the ratio of ours to the peer's of the same
round, the peer being the one whose median is lower (its first letter stands behind), then how far half of the rounds are
from that, then the ratio of the fastest run of ours to the fastest of any peer, which a busy host disturbs least. Below
1 we are faster. To choose the better of two peers after the fact puts one that is as fast as both above 1 by a part of
what runs vary; so the table ends with the same figures of each peer, against the better of the others.
"""
import argparse
import collections
import glob
import json
import math
import os
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from table import PROGRAMS

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, '../../bench'))
import results  # noqa: E402
FOREIGN = ('OMP_', 'GOMP_', 'KMP_', 'LD_', 'OPENBLAS_')


def named(text):
    name, separator, folder = text.partition('=')
    if not separator or not os.path.exists(os.path.join(folder, 'libgomp.so.1')):
        raise argparse.ArgumentTypeError(f"'{text}': expected NAME=FOLDER, the folder having a libgomp.so.1")
    return name, os.path.abspath(folder)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--runtime', action='append', type=named, default=[], metavar='NAME=FOLDER',
                        help='the first is the reference for results, the last is ours')
    parser.add_argument('--inputs', help='the folder that inputs.py wrote')
    parser.add_argument('--threads', default='1,2,4,8')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--limit', type=float, default=30, help='seconds that a process may take')
    parser.add_argument('--seconds', type=float, default=math.inf, help='begin no other row after that')
    parser.add_argument('--set', action='append', default=[], metavar='NAME=VALUE', help='in the environment')
    parser.add_argument('--runs', help='file to which each run is added')
    parser.add_argument('--table', action='store_true', help='print the table of the file, run nothing')
    parser.add_argument('--markdown', action='store_true')
    results.add_option(parser)
    parser.add_argument('programs', nargs='*')
    arguments = parser.parse_args()
    unknown = set(arguments.programs) - {program.name for program in PROGRAMS}
    if unknown:
        parser.error(f"'{unknown.pop()}': expected one of: {' '.join(program.name for program in PROGRAMS)}")
    if len(arguments.runtime) < 2:
        parser.error('expected at least two times --runtime')
    return arguments


class Runner:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.inputs = os.path.abspath(arguments.inputs)
        self.expected = {}

    def environment(self, program, library, threads):
        result = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
        folders = [library, *(glob.glob(program.library) if program.library else [])]
        result.update(dict(setting.split('=', 1) for setting in self.arguments.set), OMP_NUM_THREADS=str(threads),
                      LD_LIBRARY_PATH=':'.join(folders), HOME=self.folder,
                      R_LD_LIBRARY_PATH=':'.join([library, '/usr/lib/R/lib']))  # R's script puts its own first
        if not program.library:
            result['OPENBLAS_NUM_THREADS'] = '1'  # those of another library are no matter of the runtime
        return result

    def result(self, program, printed):
        """What the run computed, and the times that it printed."""
        texts = []
        for name in program.files:
            with open(os.path.join(self.folder, name), errors='surrogateescape') as file:
                texts.append(file.read())
        parts = {name: float(value) for name, value in re.findall(r'^seconds (\S+) (\S+)$', printed, re.M)}
        text = '\n'.join(texts) if program.files else re.sub(r'^seconds .*\n', '', printed, flags=re.M)
        return program.leave(text), parts

    def run(self, program, runtime, threads, **more):
        """One process. Its record has `error` or the seconds of each of its parts."""
        name, library = runtime
        record = {'program': program.name, 'runtime': name, 'threads': threads}
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        for text in ('chain.cir', 'cone.in'):  # of programs that look for them here
            os.symlink(os.path.join(self.inputs, text), os.path.join(self.folder, text))
        if program.name == 'ngspice':
            with open(os.path.join(self.folder, '.spiceinit'), 'w') as file:
                file.write(f'set num_threads={threads}\n')
        words = [word.format(t=threads, here=HERE, **{'in': self.inputs}) for word in shlex.split(program.command)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.perf_counter()
        try:
            done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, errors='surrogateescape', timeout=self.arguments.limit,
                                  env={**self.environment(program, library, threads), **more}, check=False)
        except FileNotFoundError:
            return dict(record, error=f'{words[0]} is not installed')
        except subprocess.TimeoutExpired:
            return dict(record, error=f'longer than {self.arguments.limit:g} s')
        seconds = time.perf_counter() - begin
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            last = (done.stderr.strip() or done.stdout.strip() or 'nothing printed').splitlines()[-1]
            return dict(record, error=f'exit status {done.returncode}: {last[-120:]}')
        found, parts = self.result(program, done.stdout)
        if found.strip() == '' or set(parts) != set(program.parts):
            return dict(record, error='no results')
        if found != self.expected.setdefault((program.name, threads), found):
            return dict(record, error='other results')
        return dict(record, parts=parts or {'': seconds},
                    processor=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    def try_out(self, program, runtime, threads):
        """Why the program is not compared there, or None."""
        with tempfile.TemporaryDirectory() as folder:
            record = self.run(program, runtime, threads, LD_DEBUG='files', LD_DEBUG_OUTPUT=os.path.join(folder, 'log'))
            loaded = set()
            for name in glob.glob(folder + '/log.*'):
                with open(name, errors='replace') as file:
                    loaded.update(re.findall(r'calling init: (\S*/libgomp\.so\.1)$', file.read(), re.M))
        if 'error' in record:
            return record['error']
        if loaded != {os.path.join(runtime[1], 'libgomp.so.1')}:
            return 'runs on ' + (' and '.join(sorted(loaded)) or 'no runtime')
        return None


def compare(runner, program, threads, emit):
    runtimes = []
    for runtime in runner.arguments.runtime:
        error = runner.try_out(program, runtime, threads)
        if error is None:
            runtimes.append(runtime)
        else:
            emit({'program': program.name, 'runtime': runtime[0], 'threads': threads, 'error': error})
    for number in range(runner.arguments.rounds):
        turn = number % max(len(runtimes), 1)
        for runtime in runtimes[turn:] + runtimes[:turn]:
            record = runner.run(program, runtime, threads)
            emit(dict(record, round=f'{os.getpid()}-{number}'))
            if 'error' in record:
                runtimes = [other for other in runtimes if other != runtime]


Cell = collections.namedtuple('Cell', 'seconds ratio differs fastest peer')


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


class Table:
    """Of the records of all runs."""

    def __init__(self, records, names):
        self.names = names
        self.errors = collections.OrderedDict()
        self.times = collections.defaultdict(dict)  # (program, part, threads, runtime): {round: seconds}
        for record in records:
            key = record['program'], record['runtime'], record['threads']
            if 'error' in record:
                self.errors.setdefault((record['runtime'], record['program'], record['error']), []).append(key[2])
                continue
            for part, seconds in record['parts'].items():
                self.times[key[0], part, key[2], key[1]][record['round']] = seconds

    def rows(self):
        order = [(program.name, part) for program in PROGRAMS for part in program.parts or ('',)]
        found = {(program, part) for program, part, _, _ in self.times}
        return [row for row in order if row in found]

    def threads(self):
        return sorted({threads for _, _, threads, _ in self.times})

    def cell(self, row, threads, whose):
        """Of a row with that many threads: one runtime against the better of the others; None where it is not compared."""
        own = self.times.get((*row, threads, whose))
        peers = [(statistics.median(times.values()), name, times) for name in self.names if name != whose
                 for times in [self.times.get((*row, threads, name))] if times]
        if not own or not peers:
            return None
        _, peer, times = min(peers, key=lambda found: found[0])
        ratios = [seconds / times[number] for number, seconds in own.items() if number in times]
        if not ratios:
            return None
        ratio = statistics.median(ratios)
        fastest = min(own.values()) / min(min(others.values()) for _, _, others in peers)
        return Cell(statistics.median(own.values()), ratio, statistics.median(abs(one - ratio) for one in ratios),
                    fastest, peer)

    def cells(self, threads, whose):
        """{row: cell} of those that are compared."""
        found = {row: self.cell(row, threads, whose) for row in self.rows()}
        return {row: cell for row, cell in found.items() if cell is not None}

    def means(self, threads, whose):
        """The geometric means of a runtime's ratios to the better of the others, and of those of the fastest runs."""
        cells = self.cells(threads, whose).values()
        return geometric_mean([cell.ratio for cell in cells]), geometric_mean([cell.fastest for cell in cells])

    def measured(self):
        """Our cells, and of each runtime the geometric means of its cells."""
        found = []
        for threads in self.threads():
            for row, cell in self.cells(threads, self.names[-1]).items():
                found.append({'program': ' '.join(row).strip(), 'threads': threads} | cell._asdict())
            for name in reversed(self.names):
                found.append({'runtime': name, 'threads': threads} | dict(zip(('ratio', 'fastest'), self.means(threads, name))))
        return found

    def lines(self):
        ours = {threads: self.cells(threads, self.names[-1]) for threads in self.threads()}
        uses = {program.name: program.uses for program in PROGRAMS}
        yield ['program', 'mostly', *(f'T={threads}' for threads in self.threads())]
        for row in self.rows():
            cells = [ours[threads].get(row) for threads in self.threads()]
            yield [' '.join(row).strip(), uses[row[0]], *(
                f'{cell.seconds:.2f} s, {cell.ratio:.2f} ± {cell.differs:.2f} {cell.peer[:1].upper()}, {cell.fastest:.2f}'
                if cell else '-' for cell in cells)]
        for text, value in (('ratio', lambda cell: cell.ratio), ('fastest', lambda cell: cell.fastest)):
            worst = [max(((value(cell), ' '.join(row).strip()) for row, cell in ours[threads].items()),
                         default=(math.nan, '')) for threads in self.threads()]
            yield ['worst', text, *(f'{ratio:.2f} {name}' for ratio, name in worst)]
        for name in reversed(self.names):
            means = [self.means(threads, name) for threads in self.threads()]
            yield ['geometric mean of ' + name, 'ratio, fastest', *(f'{ratio:.3f}, {fastest:.3f}' for ratio, fastest in means)]

    def write(self, markdown):
        print_lines(list(self.lines()), markdown)
        for (runtime, program, error), threads in self.errors.items():
            print(f'{runtime}: {program}: {error} (T={",".join(map(str, sorted(set(threads))))})')


def print_lines(lines, markdown):
    if markdown:
        lines = [lines[0], ['---'] * len(lines[0]), *lines[1:]]
        print('\n'.join('| ' + ' | '.join(line) + ' |' for line in lines))
        return
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print('  '.join(text.ljust(width) for text, width in zip(line, widths)).rstrip())


def measure(arguments, emit):
    wanted = [program for program in PROGRAMS if program.name in arguments.programs or not arguments.programs]
    end = time.monotonic() + arguments.seconds
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(arguments, os.path.join(folder, 'run'))
        for program in wanted:
            for threads in map(int, arguments.threads.split(',')):
                if time.monotonic() > end:
                    print(f'not begun: {program.name} with {threads} threads', file=sys.stderr)
                    continue
                compare(runner, program, threads, emit)


def main():
    arguments = read_arguments()
    records = []
    if arguments.table:
        with open(arguments.runs) as file:
            records = [json.loads(line) for line in file]
    else:
        with open(arguments.runs or os.devnull, 'a') as file:
            def emit(record):
                records.append(record)
                print(json.dumps(record), file=file, flush=True)
            measure(arguments, emit)
    names = [name for name, _ in arguments.runtime]
    table = Table(records, names)
    table.write(arguments.markdown)
    results.write_results(arguments.json, table.measured())
    sys.exit(any(record['runtime'] == names[-1] and 'error' in record for record in records))


main()
