# SPDX-License-Identifier: BSD-3-Clause
"""Kills a tracing program at random moments and recovers what it had logged.

check-killed.py PROGRAM CONVERTER OMPREPORT [SEED [ROUNDS]]

The program prints how many rounds it finished before each next one. Whatever signal ends it, the converter
must make a sound archive with every event that was complete by then. With many ROUNDS, `ompreport check` looks
at most of the archives, OTF2's own slow readers at one in fifty:

    meson compile -C build && cd build &&
    LD_LIBRARY_PATH=pomp python3 ../test/pomp/check-killed.py test/pomp/pomp-endings test/pomp/pomp-convert-logs \\
        reports/ompreport 1 1000
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import trace_facts

ROUNDS = 5  # one for each way to die
MANY = 50  # attempts of which one goes to the slow readers
WAYS = (signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGUSR1, signal.SIGUSR2)
USER_EVENTS = 500  # user regions in each round of `endings kill`


def fail(text):
    sys.exit(f"check-killed: {text}")


def run_and_kill(program, folder, how, chance):
    """Returns how many rounds were finished for sure when the program died."""
    environment = os.environ | {"POMP_ENABLE_TRACING": "1", "POMP_EXPERIMENT_DIRECTORY": str(folder / "trace")}
    output = folder / "rounds"
    with output.open("wb") as rounds:
        process = subprocess.Popen([program, "kill"], env=environment, stdout=rounds,
                                   stderr=subprocess.DEVNULL, cwd=folder)
        while not output.stat().st_size:  # on a busy machine it takes a while to start
            if process.poll() is not None:
                fail(f"the program ended by itself: {process.returncode}")
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.1))
        process.send_signal(how)
        process.wait()
    lines = output.read_text().split()
    return int(lines[-1])


def resolution():
    """Ticks a second of this machine, as a program that ends in the usual way finds them."""
    if not resolution.known:
        with tempfile.TemporaryDirectory() as name:
            environment = os.environ | {"POMP_ENABLE_TRACING": "1", "POMP_SUMMARY": "off",
                                        "POMP_EXPERIMENT_DIRECTORY": f"{name}/trace"}
            subprocess.run([sys.argv[1], "jump"], env=environment, check=True, stdout=subprocess.DEVNULL)
            resolution.known = trace_facts.read(f"{name}/trace/traces.otf2").resolution
    return resolution.known


resolution.known = 0


def check_recover(ompreport, folder):
    """The command removes the logs, refuses a second time, and says what it did."""
    (folder / "trace" / "traces").write_text("in the way")
    done = subprocess.run([ompreport, "recover", "trace"], capture_output=True, text=True, cwd=folder)
    if done.returncode != 1 or not done.stderr.startswith("ompreport: trace/traces: "):
        fail(f"recover without room: {done.returncode} {done.stderr}")
    (folder / "trace" / "traces").unlink(missing_ok=True)
    done = subprocess.run([ompreport, "recover", "trace"], capture_output=True, text=True, cwd=folder)
    if done.returncode != 0 or "; the program was stopped, and" not in done.stdout:
        fail(f"recover: {done.returncode} {done.stdout} {done.stderr}")
    if list((folder / "trace").glob("*.pomplog")):
        fail("recover left the logs")
    trace_facts.read(str(folder / "trace" / "traces.otf2"))
    done = subprocess.run([ompreport, "recover", "trace"], capture_output=True, text=True, cwd=folder)
    if done.returncode != 1 or "is not overwritten" not in done.stderr:
        fail(f"recover again: {done.returncode} {done.stderr}")


def visits_by_ompreport(ompreport, folder):
    """Recovers and checks with ompreport alone; how often the user region was visited."""
    trace = str(folder / "trace")
    for command in (["recover", trace], ["check", trace]):
        done = subprocess.run([ompreport, *command], capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"ompreport {command[0]}: {done.returncode} {done.stdout} {done.stderr}")
    done = subprocess.run([ompreport, "summary", "--format=json", trace], capture_output=True, text=True, check=True)
    return sum(r["visits"] for r in json.loads(done.stdout)["regions"] if r["sub_name"] == "user")


def visits_by_otf2(converter, folder):
    done = subprocess.run([converter, str(folder / "trace")], capture_output=True, text=True)
    if done.returncode != 0 or not done.stdout.startswith("broken 3 "):
        fail(f"converter: {done.returncode} {done.stdout} {done.stderr}")
    facts = trace_facts.read(str(folder / "trace" / "traces.otf2"))
    if abs(facts.resolution / resolution() - 1) > 0.001:
        fail(f"{facts.resolution} ticks a second, expected {resolution()}")
    return facts.visits["user"]


def main():
    program, converter, ompreport = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 30)
    chance = random.Random(seed)
    print("seed", seed)
    attempts = int(sys.argv[5]) if len(sys.argv) > 5 else ROUNDS
    for attempt in range(attempts):
        how = WAYS[attempt % len(WAYS)]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            rounds = run_and_kill(program, folder, how, chance)
            if attempts > MANY and attempt % MANY != 0:
                found = visits_by_ompreport(ompreport, folder)
            else:
                found = visits_by_otf2(converter, folder)
            if not USER_EVENTS * rounds <= found <= USER_EVENTS * (rounds + 2):
                fail(f"{found} user regions after {rounds} rounds ({how.name})")
            print(how.name, rounds, "rounds", found, "regions")
    with tempfile.TemporaryDirectory() as name:
        run_and_kill(program, pathlib.Path(name), signal.SIGKILL, chance)
        check_recover(ompreport, pathlib.Path(name))


main()
