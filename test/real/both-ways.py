#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The same program measured both ways: instrumented, and plain under `ompinst run`.

    both-ways.py [options] INSTRUMENTED PLAIN [ARGUMENT...]

Runs both alternately and compares the profiles region by region: every parallel, task, critical, barrier, ordered and
explicitly scheduled loop that one has, the other must have at the same line (at most one apart), with the same number
of visits, and with --times in the same time, to 5 % or 1 us a visit. Of several runs the fastest counts, region by
region; numbers of visits that vary among runs of the same kind must differ by more than that to count as a difference.
The compiler's code for the two programs is not the same. So where times differ and --stopwatch names the library of
stopwatch.c, both programs run without being measured: what their parallel regions take then is the ratio expected.
Another process can only make the fastest run slower. So while times differ, as many runs of all are added again, up to
four times as many: a difference that a busy machine made goes then, one of the programs stays. Where numbers of visits
differ, and times are not compared, the programs run beside busy processes as well: visits that depend on which thread is
first show there how much they vary.
Not compared are times of regions with fewer than ten visits, whose first one has the cost of getting to know them, and
of those with atomics or the like inside, which only the instrumented program measures and pays for.
What the programs print must be the same, too. Loops of which the source text does not say that the runtime hands them
out are compared where both profiles have them. Differences in regions of other kinds are notes: a taskwait at
a function's end is a tail call, whose line is the caller's.

Prints one line for each difference, then what was compared; ends with status 1 when something differs.
"""
import argparse
import collections
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile

MUST = {'parallel', 'task', 'critical', 'barrier', 'ordered'}
MAY = {'taskloop', 'taskwait', 'taskgroup', 'sections'}
LOOPS = {'for', 'do'}
UNSEEN = {'atomic', 'flush', 'master', 'masked', 'section'}  # as plain instructions
LINES_APART = 1
FEWEST_VISITS = 10
MOST_ROUNDS = 4
BUSY = 3  # processes
SHARE, NANOSECONDS = 0.05, 1000

# visits: the least and the most of all runs; times: of one visit, in nanoseconds, sorted
Region = collections.namedtuple('Region', 'name file line end visits times')


def read_arguments():
    parser = argparse.ArgumentParser(usage='both-ways.py [options] INSTRUMENTED PLAIN [ARGUMENT...]')
    parser.add_argument('--ompinst', default='ompinst', help='the command that runs the plain program')
    parser.add_argument('--times', action='store_true', help='compare times, too')
    parser.add_argument('--runs', type=int, default=1, help='runs of each in a round; the fastest counts')
    parser.add_argument('--source', default='.', help='folder that relative names of source files begin from')
    parser.add_argument('--prints-times', action='store_true', help='what the program prints differs from run to run')
    parser.add_argument('--stopwatch', help='library that times the regions of programs that are not measured')
    parser.add_argument('--verbose', action='store_true', help='print every pair')
    parser.add_argument('instrumented')
    parser.add_argument('plain')
    parser.add_argument('arguments', nargs=argparse.REMAINDER)
    return parser.parse_args()


def run(command, folder):
    """Runs a command; returns what it printed and the regions of its profile."""
    summary = os.path.join(folder, 'summary.json')
    environment = dict(os.environ, POMP_SUMMARY=summary, POMP_SUMMARY_FORMAT='json')
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: exit status {done.returncode}')
    if not os.path.exists(summary):
        sys.exit(f'{" ".join(command)}: measured nothing')
    with open(summary) as file:
        regions = json.load(file)['regions']
    os.unlink(summary)
    return done.stdout, regions


class Unmeasured:
    """A program that is not measured: nanoseconds of a visit of each of its parallel regions, of the fastest run."""

    def __init__(self, command, stopwatch):
        self.command = command
        self.environment = dict(os.environ, POMP_DISABLE='1', LD_PRELOAD=stopwatch)
        self.fastest = {}

    def run(self):
        done = subprocess.run(self.command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True, check=False)
        for offset, visits, time in re.findall(r'^stopwatch (\w+) (\d+) (\d+)$', done.stderr, re.M):
            self.fastest[offset] = min(self.fastest.get(offset, float('inf')), int(time) / int(visits))

    def times(self):
        """By (file, line)."""
        if not self.fastest:
            return {}
        places = subprocess.run(['addr2line', '-e', self.command[0], *self.fastest], stdout=subprocess.PIPE, text=True,
                                check=True)
        found = {}
        for place, time in zip(places.stdout.splitlines(), self.fastest.values()):
            file, _, line = place.split(' ')[0].rpartition(':')
            if line.isdigit():
                found[os.path.basename(file), int(line)] = time
        return found


def merge(runs):
    """One Region for each name and place, of several runs."""
    merged = {}
    for regions in runs:
        sums = collections.Counter()
        times = collections.Counter()
        ends = {}
        for region in regions:
            if region['sub_name'].startswith('of '):
                continue  # the barrier at the end of another construct
            key = region['name'], os.path.basename(region['file'] or '?'), region['begin_line']
            sums[key] += region['visits']
            times[key] += region['time_ns']
            ends[key] = region['end_line']
        for key, visits in sums.items():
            old = merged.get(key, Region(*key, ends[key], (visits, visits), []))
            merged[key] = old._replace(visits=(min(old.visits[0], visits), max(old.visits[1], visits)),
                                       times=sorted([*old.times, times[key] / visits if visits > 0 else 0]))
    return merged


def directive_at(source, name, line):
    """The text of the directive at a line, continuation lines and all; '' where it cannot be read."""
    for folder, _, files in os.walk(source):
        if name not in files:
            continue
        with open(os.path.join(folder, name), errors='replace') as file:
            lines = file.read().splitlines()
        text = ''
        while line <= len(lines):
            part = lines[line - 1].rstrip()
            text += part.rstrip('\\&') + ' '
            if not part.endswith(('\\', '&')):
                break
            line += 1
        return text
    return ''


def is_handed_out(text):
    """Does the runtime hand out the iterations of this loop, so that it can be seen?"""
    return re.search(r'schedule\s*\(\s*(\w+\s*:\s*)?(dynamic|guided|runtime)', text, re.I) is not None or \
        re.search(r'\bordered\b', text, re.I) is not None


def find(regions, wanted):
    """The region of that name in that file, at the line or at most one from it."""
    for apart in range(LINES_APART + 1):
        for line in {wanted.line - apart, wanted.line + apart}:
            found = regions.get((wanted.name, wanted.file, line))
            if found is not None:
                return found
    return None


def visits_differ(a, b):
    """Programs whose threads decide what is done vary from run to run: then as much as they vary is no difference."""
    spread = max(a.visits[1] - a.visits[0], b.visits[1] - b.visits[0])
    return a.visits[0] > b.visits[1] + spread or b.visits[0] > a.visits[1] + spread


def text(visits):
    return str(visits[0]) if visits[0] == visits[1] else f'{visits[0]} to {visits[1]}'


def spread_of_times(region):
    """How much the better half of the runs vary."""
    return region.times[len(region.times) // 2] - region.times[0]


def times_differ(a, b):
    return abs(a.times[0] - b.times[0]) > max(SHARE * max(a.times[0], b.times[0]), NANOSECONDS)


class Comparison:
    def __init__(self, arguments, natural):
        self.arguments = arguments
        self.natural = natural  # times of both programs while nothing measures them, or None
        self.times_differ = self.visits_differ = False
        self.counts = collections.Counter()
        self.differences, self.notes = [], []
        self.worst = (0.0, None)
        self.unseen = []

    def differ(self, region, what):
        self.differences.append(f'{region.file}:{region.line}: {region.name}: {what}')

    def natural_times(self, region):
        """What the region takes in both programs without being measured, or None."""
        if self.natural is None:
            return None
        found = [next((times[region.file, line] for line in (region.line, region.line + 1, region.line - 1)
                       if (region.file, line) in times), None) for times in self.natural]
        return found if all(found) else None

    def compare_times(self, instrumented, plain):
        self.counts['times'] += 1
        times, by_code = (instrumented.times[0], plain.times[0]), ''
        if times_differ(instrumented, plain):
            natural = self.natural_times(instrumented)
            if natural is not None:
                ratio = natural[0] / natural[1]
                plain = plain._replace(times=[time * ratio for time in plain.times])
                by_code = f', {natural[0] / 1000:.2f} and {natural[1] / 1000:.2f} when nothing measures'
        difference = (f'{times[0] / 1000:.2f} us a visit instrumented, {times[1] / 1000:.2f} plain{by_code}, '
                      f'{text(plain.visits)} visits')
        if times_differ(instrumented, plain):
            self.times_differ = True
            varies = max(spread_of_times(instrumented), spread_of_times(plain))
            self.differ(instrumented, f'{difference}; runs of one kind vary by {varies / 1000:.2f} us')
        elif by_code:
            self.notes.append(f'{instrumented.file}:{instrumented.line}: {instrumented.name}: {difference}')
        expected = instrumented.times[0], plain.times[0]
        if max(expected) - min(expected) > NANOSECONDS:
            self.worst = max(self.worst, (1 - min(expected) / max(expected), f'{plain.name} {plain.file}:{plain.line}'))

    def must_be_seen(self, region):
        if region.name in LOOPS:
            return is_handed_out(directive_at(self.arguments.source, region.file, region.line))
        return region.name in MUST

    def pair(self, instrumented, plain):
        if instrumented.name in MAY:
            if visits_differ(instrumented, plain):
                self.notes.append(f'{instrumented.file}:{instrumented.line}: {instrumented.name}: '
                                  f'{text(instrumented.visits)} visits instrumented, {text(plain.visits)} plain')
            return
        self.counts['pairs'] += 1
        if self.arguments.verbose:
            print(f'    {instrumented.file}:{instrumented.line} {plain.line} {plain.name}: visits '
                  f'{text(instrumented.visits)}, {text(plain.visits)}; us a visit {instrumented.times[0] / 1000:.2f}, '
                  f'{plain.times[0] / 1000:.2f}')
        if visits_differ(instrumented, plain):
            self.visits_differ = True
            self.differ(instrumented, f'{text(instrumented.visits)} visits instrumented, {text(plain.visits)} plain')
        elif self.arguments.times and self.has_comparable_time(instrumented):
            self.compare_times(instrumented, plain)

    def has_comparable_time(self, region):
        inside = any(unseen.file == region.file and region.line <= unseen.line <= region.end for unseen in self.unseen)
        return region.visits[0] >= FEWEST_VISITS and not inside

    def compare(self, instrumented, plain):
        partners = set()
        self.unseen = [region for region in instrumented.values()
                       if region.name in UNSEEN and find(plain, region) is None]
        for region in instrumented.values():
            partner = find(plain, region)
            if partner is not None:
                partners.add((partner.name, partner.file, partner.line))
            if partner is not None and (region.name in MUST | MAY | LOOPS):
                self.pair(region, partner)
            elif self.must_be_seen(region):
                self.differ(region, f'{text(region.visits)} visits instrumented, not seen plain')
        files = {region.file for region in instrumented.values()}
        for key, region in plain.items():
            if key in partners:
                continue
            if region.name == 'task' and find(instrumented, region._replace(name='taskloop')) is not None:
                self.counts['of other files or kinds'] += 1  # the tasks that a taskloop makes
            elif region.file in files and region.name in MUST | LOOPS:
                self.differ(region, f'{text(region.visits)} visits plain, not seen instrumented')
            else:
                self.counts['of other files or kinds'] += 1


class Measurement:
    """All runs so far, of both programs in turn."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.commands = {'instrumented': [arguments.instrumented],
                         'plain': [*arguments.ompinst.split(), 'run', arguments.plain]}
        self.runs = {which: [] for which in self.commands}
        self.outputs = []
        self.unmeasured = []

    def run(self, times):
        for _ in range(times):
            for which, command in self.commands.items():
                output, regions = run(command + self.arguments.arguments, self.folder)
                self.outputs.append(output)
                self.runs[which].append(regions)

    def run_unmeasured(self, times):
        if not self.unmeasured:
            self.unmeasured = [Unmeasured([program, *self.arguments.arguments], self.arguments.stopwatch)
                               for program in (self.arguments.instrumented, self.arguments.plain)]
        for _ in range(times):
            for program in self.unmeasured:
                program.run()

    def compare(self):
        natural = [program.times() for program in self.unmeasured] if self.unmeasured else None
        comparison = Comparison(self.arguments, natural)
        if not self.arguments.prints_times and any(output != self.outputs[0] for output in self.outputs):
            comparison.differences.append('what the programs print differs')
        comparison.compare(merge(self.runs['instrumented']), merge(self.runs['plain']))
        return comparison


@contextlib.contextmanager
def busy_processes(count):
    """So many busy processes, while the block runs."""
    loops = [subprocess.Popen([sys.executable, '-c', 'while True: pass']) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def measure(arguments):
    """Compares after as many runs as it takes; returns the last Comparison."""
    with tempfile.TemporaryDirectory() as folder:
        measurement = Measurement(arguments, folder)
        for number in range(MOST_ROUNDS):
            with busy_processes(BUSY if number > 0 and not arguments.times else 0):
                measurement.run(arguments.runs)
            comparison = measurement.compare()
            if comparison.times_differ and arguments.stopwatch is not None:
                measurement.run_unmeasured(arguments.runs)
                comparison = measurement.compare()
            if not comparison.times_differ and (arguments.times or not comparison.visits_differ):
                break
    return comparison


def main():
    arguments = read_arguments()
    comparison = measure(arguments)
    for difference in comparison.differences:
        print(difference)
    for note in comparison.notes:
        print('note: ' + note)
    worst = f', at most {comparison.worst[0]:.1%} apart ({comparison.worst[1]})' if comparison.worst[1] else ''
    times = f', {comparison.counts["times"]} times{worst}' if arguments.times else ''
    print(f'{comparison.counts["pairs"]} regions compared, {len(comparison.differences)} differences{times}')
    sys.exit(1 if comparison.differences or comparison.counts['pairs'] == 0 else 0)


main()
