# SPDX-License-Identifier: BSD-3-Clause
"""Writes what the programs of table.py read, made up from fixed seeds: inputs.py FOLDER [simulation]

Sequences of proteins and of nucleotides that descend from each other by mutation, reads of a genome, a picture, a page
of text, a circuit, points that span a cone, molecules of water. Every run writes the same files. "simulation": only the water for GROMACS.
"""
import os
import random
import subprocess
import sys

AMINO_ACIDS, BASES = 'ACDEFGHIKLMNPQRSTVWY', 'ACGT'
PROGRAMS = os.path.dirname(os.path.abspath(__file__))


def mutate(sequence, rate, letters, source):
    """With letters replaced at that rate, and a few taken out or put in."""
    result = []
    for letter in sequence:
        chance = source.random()
        if chance < rate * 0.1:
            continue
        if chance < rate * 0.2:
            result.append(source.choice(letters))
        result.append(source.choice(letters) if source.random() < rate else letter)
    return ''.join(result)


def write_family(name, count, length, letters, rate):
    source = random.Random(20)
    sequences = [''.join(source.choice(letters) for _ in range(length))]
    while len(sequences) < count:
        sequences.append(mutate(source.choice(sequences), 0.02 + rate * source.random(), letters, source))
    with open(name, 'w') as file:
        file.writelines(f'>s{number:04d}\n{sequence}\n' for number, sequence in enumerate(sequences))


def write_reads(name, genome_length, count):
    source = random.Random(21)
    genome = ''.join(source.choice(BASES) for _ in range(genome_length))
    with open(name, 'w') as file:
        for number in range(count):
            begin = source.randrange(genome_length - 100)
            read = ''.join(source.choice(BASES) if source.random() < 0.005 else base for base in genome[begin:begin + 100])
            file.write(f'>r{number}\n{read}\n')


def write_cone(name, points, dimension):
    source = random.Random(3)
    with open(name, 'w') as file:
        file.write(f'amb_space {dimension}\ncone {points}\n')
        for _ in range(points):
            file.write(' '.join(str(source.randrange(9)) for _ in range(dimension)) + '\n')


def write_circuit(name, stages):
    """A chain of inverters of BSIM4 transistors, whose models ngspice evaluates in parallel."""
    with open(name, 'w') as file:
        file.write('* chain of inverters\n.model nm nmos level=14 version=4.8\n.model pm pmos level=14 version=4.8\n'
                   'vdd vdd 0 1.2\nvin n0 0 pulse(0 1.2 0 20p 20p 1n 2n)\n')
        for stage in range(stages):
            file.write(f'mn{stage} n{stage + 1} n{stage} 0 0 nm l=100n w=1u\n'
                       f'mp{stage} n{stage + 1} n{stage} vdd vdd pm l=100n w=2u\nc{stage} n{stage + 1} 0 5f\n')
        file.write(f'.print tran v(n{stages})\n.tran 20p 5n\n.end\n')


def write_water(name, molecules):
    with open(name, 'w') as file:
        file.write(f'{3 * molecules}\nwater\n')
        for number in range(molecules):
            x, y, z = 3 * (number % 2), 2.9 * (number // 2 % 2), 3.1 * (number // 4)
            file.write(f'O {x:.3f} {y:.3f} {z + 0.1:.3f}\nH {x + 0.76:.3f} {y:.3f} {z + 0.6:.3f}\n'
                       f'H {x - 0.6:.3f} {y + 0.3:.3f} {z - 0.5:.3f}\n')


def write_simulation():
    """A box of water for gmx mdrun."""
    with open('topol.top', 'w') as file:
        file.write('#include "oplsaa.ff/forcefield.itp"\n#include "oplsaa.ff/spce.itp"\n[ system ]\nwater\n[ molecules ]\n')
    with open('md.mdp', 'w') as file:
        file.write('integrator = md\nnsteps = 1000\ndt = 0.001\nnstenergy = 100\ncoulombtype = PME\nrcoulomb = 0.7\n'
                   'rvdw = 0.7\ngen_vel = yes\ngen_seed = 7\nnstlist = 10\n')
    run('gmx -quiet solvate -cs spc216 -box 2.2 2.2 2.2 -o water.gro -p topol.top')
    run('gmx -quiet grompp -f md.mdp -c water.gro -p topol.top -o md.tpr -maxwarn 5')


def run(command):
    done = subprocess.run(command, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        print(f'inputs.py: {command}: exit status {done.returncode}: {done.stderr[-300:]}', file=sys.stderr)


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    os.chdir(sys.argv[1])
    if sys.argv[2:] == ['simulation']:
        write_simulation()
        return
    write_family('proteins.fa', 200, 300, AMINO_ACIDS, 0.2)
    write_family('few-proteins.fa', 12, 300, AMINO_ACIDS, 0.2)
    write_family('some-proteins.fa', 40, 300, AMINO_ACIDS, 0.2)
    write_family('genes.fa', 400, 400, BASES, 0.1)
    write_family('many-genes.fa', 800, 400, BASES, 0.1)
    write_reads('reads.fa', 60000, 15000)
    write_cone('cone.in', 90, 5)
    write_circuit('chain.cir', 150)
    write_water('water.xyz', 24)
    for columns, name in ((400, 'aligned.fa'), (200, 'few-aligned.fa')):
        run(f'"{sys.executable}" "{PROGRAMS}/../alignment.py" {columns // 4} {columns} >{name}')
    run('"$(ls /usr/bin/convert-im6.* | head -n 1)" -seed 7 -size 800x600 plasma:tomato-steelblue picture.ppm')
    page = '\\n'.join(f'The quick brown fox jumps over {number} lazy dogs' for number in range(6))
    run(f'"$(ls /usr/bin/convert-im6.* | head -n 1)" -size 600x200 xc:white -fill black -pointsize 22 -annotate +20+40 "{page}" page.png')
    write_simulation()
    run('mmseqs createdb proteins.fa proteins && mmseqs prefilter proteins proteins hits')


main()
