# SPDX-License-Identifier: BSD-3-Clause
"""Prints a made-up nucleotide alignment in FASTA form: alignment.py SEQUENCES COLUMNS

Sequences descend from each other by random mutation, so that there is a tree to find. The generator
is seeded: every run prints the same alignment.
"""
import random
import sys


def mutate(sequence, rate, source):
    return "".join(source.choice("ACGT") if source.random() < rate else base for base in sequence)


def main():
    count, columns = int(sys.argv[1]), int(sys.argv[2])
    source = random.Random(20)
    sequences = ["".join(source.choice("ACGT") for _ in range(columns))]
    while len(sequences) < count:
        parent = sequences[source.randrange(len(sequences))]
        sequences.append(mutate(parent, 0.02 + 0.1 * source.random(), source))
    for number, sequence in enumerate(sequences):
        print(f">s{number:04d}\n{sequence}")


main()
