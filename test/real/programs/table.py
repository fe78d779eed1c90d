# SPDX-License-Identifier: BSD-3-Clause
"""The programs of Debian that compare.py runs, one row each.

A command is executed in an empty folder whose parent, as {in}, has what inputs.py wrote; {t} is the number of threads,
which OMP_NUM_THREADS has as well, {here} the folder of this file. What it writes to stdout, or to the files that the
row names, must be the same on every runtime with the same number of threads, after `leave` took away what is no
result: times, names, and digits that depend on the order of additions. A program that times parts of itself prints
`seconds PART SECONDS`, and each part is compared; of others it is the whole process.
"""
import collections
import re

# uses: what most of its parallel time is; parts: those that it times; files: its results, () for stdout
Program = collections.namedtuple('Program', 'name uses command files leave parts library')
OPENBLAS = '/usr/lib/*/openblas-openmp'


def all_of_it(text):
    return text


def only(pattern):
    """Leaves what matches."""
    return lambda text: '\n'.join(re.findall(pattern, text, re.M))


def program(name, uses, command, files=(), leave=all_of_it, parts=(), library=''):
    return Program(name, uses, command, files, leave, parts, library)


def python(name, uses, file, parts, library=''):
    return program(name, uses, '/usr/bin/python3 {here}/' + file, parts=parts, library=library)


PROGRAMS = [
    program('fasttree', 'sections, loops', 'fasttreeMP -nt -quiet {in}/aligned.fa'),
    program('kalign', 'tasks', 'kalign -i {in}/many-genes.fa -o out.fa -n {t}', files=('out.fa',)),
    program('muscle', 'dynamic loops', 'muscle -align {in}/few-proteins.fa -output out.fa -threads {t}',
            files=('out.fa',)),
    program('clustalo', 'dynamic loops', 'clustalo -i {in}/some-proteins.fa -o out.fa --threads={t}',
            files=('out.fa',)),
    program('cd-hit', 'dynamic loops', 'cd-hit-est -i {in}/reads.fa -o out -T {t}', files=('out', 'out.clstr')),
    program('sumaclust', 'loops', 'sumaclust -t 0.9 -p {t} {in}/genes.fa'),
    program('iqtree', 'static loops', 'iqtree2-omp -s {in}/few-aligned.fa -nt {t} -seed 1 -m JC -n 4 -pre iq',
            files=('iq.treefile',), leave=only(r's\d+')),
    program('velvet', 'loops, locks', 'velveth_de . 21 -fasta -short {in}/reads.fa', files=('Sequences',)),
    program('mmseqs2', 'dynamic loops', 'mmseqs align {in}/proteins {in}/proteins {in}/hits out --threads {t} -v 1',
            files=('out.index',), leave=only(r'^\d+')),
    program('primecount', 'regions', 'primecount 4e14 --threads={t}'),
    program('normaliz', 'dynamic loops', 'normaliz -x={t} -c cone', files=('cone.out',)),
    program('graphicsmagick', 'loops', 'gm convert {in}/picture.ppm -blur 0x6 -unsharp 0x3 -despeckle out.ppm',
            files=('out.ppm',)),
    program('imagemagick', 'loops',
            'convert-im6.q16 {in}/picture.ppm -statistic Median 3x3 -blur 0x3 -distort ScaleRotateTranslate 30 out.ppm',
            files=('out.ppm',)),
    program('gmic', 'loops', 'gmic -v 0 {in}/picture.ppm bilateral 8,30 median 5 -o out.ppm', files=('out.ppm',)),
    program('tesseract', 'small loops', 'tesseract {in}/page.png -'),
    program('ngspice', 'static loops', 'ngspice -b chain.cir', leave=only(r'^\d+\t.*')),
    program('xtb', 'Fortran loops', 'xtb {in}/water.xyz --gfn 2', leave=only(r'\| TOTAL ENERGY  *(-\d*\.\d{7})')),
    program('gromacs', 'regions, barriers',
            'gmx -quiet mdrun -s {in}/md.tpr -deffnm run -ntmpi 1 -ntomp {t} -reprod -pin off', files=('run.gro',)),
    program('data.table', 'loops', 'R --no-save -q -s -f {here}/table.R', parts=('table',)),
    program('rtsne', 'loops', 'R --no-save -q -s -f {here}/map.R', parts=('map',)),
    program('octave', 'regions', 'octave-cli -q {here}/gradients.m', parts=('product', 'factors', 'gradients'),
            library=OPENBLAS),
    python('sklearn', 'loops', 'learn.py', ('cluster', 'boost', 'neighbours')),
    python('torch', 'regions', 'tensors.py', ('convolve', 'multiply', 'gradients'), library=OPENBLAS),
    python('xgboost', 'loops', 'boost.py', ('trees',)),
    python('neighbours', 'loops', 'neighbours.py', ('all', 'tree')),
    python('superlu', 'taskloops', 'factors.py', ('factors',)),
]
