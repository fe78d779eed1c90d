# SPDX-License-Identifier: BSD-3-Clause
"""Sources of Debian's programs and what they work on, for whatif.py."""
import pathlib
import random
import subprocess
import sys

ALIGNMENT = pathlib.Path(__file__).resolve().parents[2] / "real" / "alignment.py"
# Files that the packages' own rules make.
MADE_BY_PACKAGING = {"muscle": {"src/gitver.txt": '"Debian"\n'}}


def source(package, folder, fetch):
    """The unpacked source, fetched once."""
    done = subprocess.run([fetch, package, folder], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"whatif: {package}: {done.stderr.strip()[-500:]}")
    for name, text in MADE_BY_PACKAGING.get(package, {}).items():
        (folder / package / name).write_text(text)
    return folder / package


def mutate(chance, sequence, letters, rate):
    return "".join(chance.choice(letters) if chance.random() < rate else letter for letter in sequence)


def family(path, count, length, letters, rate):
    """Sequences that descend from one by mutation."""
    chance = random.Random(1)
    ancestor = "".join(chance.choice(letters) for _ in range(length))
    with open(path, "w", encoding="ascii") as out:
        for number in range(count):
            out.write(f">s{number}\n{mutate(chance, ancestor, letters, rate)}\n")


def reads(path, genome, count, length=100):
    """Pieces of a genome, with a few letters wrong."""
    chance = random.Random(2)
    whole = "".join(chance.choice("ACGT") for _ in range(genome))
    with open(path, "w", encoding="ascii") as out:
        for number in range(count):
            start = chance.randrange(genome - length)
            out.write(f">r{number}\n{mutate(chance, whole[start:start + length], 'ACGT', 0.02)}\n")


def alignment(path):
    with open(path, "w", encoding="ascii") as out:
        subprocess.run([sys.executable, ALIGNMENT, "120", "300"], stdout=out, check=True)


INPUTS = {"alignment": alignment, "reads": lambda path: reads(path, 60000, 12000),
          "proteins": lambda path: family(path, 14, 250, "ACDEFGHIKLMNPQRSTVWY", 0.2)}


def make_input(name, folder):
    """The file of that name, made once."""
    path = folder / f"{name}.fa"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        INPUTS[name](path)
    return path
