# SPDX-License-Identifier: BSD-3-Clause
"""Settings of a running program are changed (`ompinst control`, pomp_control()).

check-control.py CONTROL OMPINST CASE

CONTROL is control.c. Samples count processor time, so a busy machine changes nothing of what is expected.
"""
import contextlib
import errno
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CONTROL, OMPINST = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
FOLDERS = [pathlib.Path(f"/run/user/{os.geteuid()}/ompinst"), pathlib.Path(f"/tmp/ompinst-{os.geteuid()}")]
RATE = 250


def fail(text):
    sys.exit(f"check-control: {text}")


def same(what, found, expected):
    if found != expected:
        fail(f"{what}: {found!r}, expected {expected!r}")


def contains(what, text, *parts):
    for part in parts:
        if part not in text:
            fail(f"{what}: {text!r}, expected {part!r} in it")


def environment(**more):
    return {key: value for key, value in os.environ.items() if not key.startswith("POMP_")} | {
        "POMP_SUMMARY": "off", "POMP_SAMPLING": str(RATE), "OMP_WAIT_POLICY": "passive"} | more


def program(*words, **settings):
    """Runs it to its end: what it prints, and its summary."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "summary"
        done = subprocess.run([CONTROL, *words], capture_output=True, text=True, check=False,
                              env=environment(POMP_SUMMARY=str(path), POMP_SUMMARY_FORMAT="json", **settings))
        if done.returncode != 0:
            fail(f"{words}: {done.returncode}: {done.stderr}")
        return done, json.loads(path.read_text()) if path.exists() else None


@contextlib.contextmanager
def running(*words, control="yes", program_path=CONTROL, **how):
    """The program while it works, and the number of the process that does."""
    with tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen([program_path, "works", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   stderr=messages, env=environment(**({"POMP_CONTROL": control} if control else {})), **how)
        try:
            process.number = int(process.stdout.readline())
            process.messages = lambda: (messages.seek(0), messages.read())[1]
            yield process
            if process.poll() is not None and process.returncode != -signal.SIGKILL:
                fail(f"the program ended: {process.returncode}: {process.messages()}")
        finally:
            if process.poll() is None:
                os.kill(process.pid, signal.SIGCONT)
                process.stdin.close()
                process.wait()


def control(*words, code=0, **how):
    done = subprocess.run([OMPINST, "control", *map(str, words)], capture_output=True, text=True, check=False, **how)
    if done.returncode != code:
        fail(f"control {words}: {done.returncode}, expected {code}: {done.stdout}{done.stderr}")
    return done.stdout if code == 0 else done.stderr


def state(sampling, filter="off", metrics="none"):
    return f"sampling={sampling}\nfilter={filter}\nmetrics={metrics}\n"


def start_time(number):
    return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[19]


def requests(name):
    return [path for folder in FOLDERS if folder.is_dir() for path in folder.iterdir() if path.name.startswith(name)]


def stop(number):
    """Returns when all threads of the process stand still: some go on for a while after the signal."""
    os.kill(number, signal.SIGSTOP)
    threads = pathlib.Path(f"/proc/{number}/task")
    until(lambda: all((thread / "stat").read_text().rpartition(")")[2].split()[0] == "T" for thread in threads.iterdir()), "not stopped")


def name_of(number):
    return f"control-{number}-{start_time(number)}-"


def until(condition, what):
    """Waits for what must come, however slow the machine is."""
    for _ in range(6000):
        if condition():
            return
        time.sleep(0.02)
    fail(what)


def calls():
    """What pomp_control() returns."""
    texts = ["", "sampling=100", "sampling=off", "sampling=on", "sampling=", "sampling=251", "sampling", "x=1", "sampling=25\nx=1"]
    done, _ = program("calls", *texts)
    expected = [0, 0, 0, errno.EINVAL, errno.EINVAL, errno.ERANGE, errno.EINVAL, errno.EINVAL, errno.EINVAL]
    same("pomp_control()", [int(word) for word in done.stdout.split()], expected)
    for settings in ({"POMP_DISABLE": "yes"}, {"POMP_SAMPLING": "off"}):
        done, _ = program("calls", "sampling=100", **settings)
        same(f"{settings}", done.stdout, f"{errno.ENOTSUP}\n")
    done, _ = program("calls", "sampling=19", "sampling=20", POMP_SAMPLING="10000")
    same("the slowest rate", done.stdout, f"{errno.ERANGE}\n0\n")


def weights():
    """Samples stand for the time that they stand for, at each rate."""
    def samples(*words):
        summary = program("spins", *words)[1]
        return summary.get("samples", 0), summary.get("sample_note") or ""

    for change, seconds, least, most in (("sampling=250", 2, 2, 2), ("sampling=25", 3, 3, 3), ("sampling=60", 2, 2, 2)):
        found, note = samples(change, str(seconds))
        if not least * RATE * 0.9 <= found <= most * RATE * 1.1 + 2:
            fail(f"{change}: {found} samples in {seconds} s; expected about {seconds * RATE}")
        same(change, "was changed" in note, change != "sampling=250")
    found, note = samples("sampling=off", "1.5")
    if found > 2:
        fail(f"{found} samples while they were off")
    contains("off", note, "has no samples, which were off for")
    # A thread sees that they are on again after a second of its processor time.
    found, note = samples("sampling=off", "1", "sampling=250", "2")
    if not 0.9 * RATE <= found <= 2 * RATE * 1.1 + 2:
        fail(f"{found} samples in 2 s after they were off")


def asked():
    """The command changes and shows; a refusal changes nothing."""
    with running() as process:
        number = process.number
        same("the start", control(number), state("250"))
        same("a change", control(number, "--sampling=100"), state("83"))
        same("off", control("--sampling", "off", number), state("off"))
        same("on", control(number, "--sampling=250"), state("250"))
        contains("too many", control(number, "--sampling=1000", code=1), "refuses: sampling=1000: expected off, or a number from 1 to 250",
                 "nothing was changed")
        contains("no number", control(number, "--sampling=many", code=1), "sampling='many': expected off or a number up to 10000")
        same("then", control(number), state("250"))
        same("left behind", requests(name_of(number)), [])
        same("messages", process.messages(), "".join(
            f"pomp: ompinst control: sampling={value} \n" for value in ("100", "off", "250")))


def filters():
    """Files of filters: plain ones of at most 1 MB, also by a relative name."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "rules").write_text("POMP_REGION_NAMES_BEGIN\nEXCLUDE for\nPOMP_REGION_NAMES_END\n")
        (folder / "wrong").write_text("nothing\n")
        os.mkfifo(folder / "pipe")
        with open(folder / "large", "wb") as file:
            file.truncate((1 << 20) + 1)
        with running() as process:
            number = process.number
            same("a relative name", control(number, "--filter=rules", cwd=folder), state(RATE, folder / "rules"))
            for path, why in (("no-file", "No such file or directory"), ("pipe", "Invalid argument"), (".", "Invalid argument"),
                              ("/dev/zero", "Invalid argument"), ("large", "File too large")):
                contains(path, control(number, f"--filter={path}", cwd=folder, code=1), f"{path}: {why}", "a plain file of at most 1 MB")
            contains("no line", control(number, "--filter=wrong", cwd=folder), "expected SCOREP_REGION_NAMES_BEGIN", "filter=" + str(folder / "wrong"))
            contains("all or nothing", control(number, "--sampling=50", "--metrics=off", code=1), "metrics=off: expected a program that reads metrics")
            same("then", control(number), state(RATE, folder / "wrong"))
            same("no filter", control(number, "--filter=off", "--sampling=50"), state(50))


def refused():
    """Programs that take no requests, and no program."""
    for setting in (None, "no", "off"):
        with running(control=setting) as process:
            contains("not asked for", control(process.number, code=2), "takes no requests; expected", "POMP_CONTROL=yes")
    plain = subprocess.Popen(["sleep", "1000"])
    try:
        contains("not measured", control(plain.pid, code=2), "takes no requests")
    finally:
        plain.kill()
        plain.wait()
    contains("ended", control(plain.pid, code=2), f"there is no process {plain.pid}")
    for words in ((), ("1", "2"), ("x",), ("1x",), ("0",), ("--sampling=", "1"), ("--what=1", "1")):
        control(*words, code=2)
    if os.geteuid() == 0:
        with running(user=65534, extra_groups=[]) as process:
            contains("another user", control(process.number, code=2), "is of another user (65534)")


def secure():
    """A program with other rights than its user's asks for nothing."""
    if os.geteuid() != 0:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "program"
        os.chmod(name, 0o755)
        shutil.copy(CONTROL, path)
        for owner, mode, expected in ((0, 0o755, True), (65534, 0o4755, False)):
            os.chown(path, owner, owner)
            os.chmod(path, mode)
            with running(program_path=str(path)) as process:
                owners = re.search(r"^Uid:\t(\d+)\t(\d+)", pathlib.Path(f"/proc/{process.number}/status").read_text(), re.M)
                if mode & 0o4000 and owners[1] == owners[2]:
                    sys.exit(77)  # no set-user-ID programs in this folder
                names = {task.joinpath("comm").read_text().strip() for task in pathlib.Path(f"/proc/{process.number}/task").iterdir()}
                same(f"a thread that looks for requests, mode {mode:o}", "pomp-control" in names, expected)


def lives():
    """Programs that close their descriptors, become others, fork or change their root."""
    for words in (("closes",), ("executes",)):
        with running(*words) as process:
            until(lambda: subprocess.run([OMPINST, "control", str(process.number)], capture_output=True, check=False).returncode == 0, words)
            same(words, control(process.number, "--sampling=50"), state("50"))
    with running("forks") as process:
        same("the parent", control(process.pid, "--sampling=50"), state("50"))
        contains("the child", control(process.number, code=2), "takes no requests")
    if os.geteuid() == 0:
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "tmp").mkdir()
            with running("root", folder) as process:
                same("another root", control(process.number, "--sampling=50"), state("50"))


def silent():
    """A program that is stopped: the request is withdrawn."""
    with running() as process:
        number = process.number
        stop(number)
        contains("stopped", control(number, "--sampling=50", code=2), "has not looked at the request for 10 s", "nothing was changed")
        same("left behind", requests(name_of(number)), [])
        for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            asking = subprocess.Popen([OMPINST, "control", str(number), "--sampling=25"], stderr=subprocess.PIPE, text=True)
            until(lambda: [path for path in requests(name_of(number)) if path.stat().st_mode & 0o777 == 0o600], "no request")
            asking.send_signal(ending)
            said = asking.communicate()[1]
            if ending != signal.SIGKILL:
                contains("a signal", said, "interrupted; nothing was changed")
                same("left behind", requests(name_of(number)), [])
        # The last one was killed: its request is taken, and nothing stays.
        os.kill(number, signal.SIGCONT)
        until(lambda: not requests(name_of(number)), "a request stays")
        same("of a killed ompinst", control(number), state("25"))


def killed():
    """The program is killed while it is asked."""
    with running() as process:
        name = name_of(process.number)
        stop(process.number)
        asking = subprocess.Popen([OMPINST, "control", str(process.number)], stderr=subprocess.PIPE, text=True)
        until(lambda: requests(name), "no request")
        process.kill()
        process.wait()
        contains("killed", asking.communicate()[1], "has ended")
        same("left behind", requests(name), [])


def full():
    """No room for the request."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
    with running() as process:
        contains("no room", control(process.number, "--sampling=50", code=2, preexec_fn=limit), "cannot write", "nothing was asked")
        same("left behind", requests(name_of(process.number)), [])
        same("then", control(process.number), state("250"))


def many():
    """Several ask at the same time: each gets its own answer."""
    with running() as process:
        asking = [subprocess.Popen([OMPINST, "control", str(process.number), f"--sampling={rate}"], stdout=subprocess.PIPE, text=True)
                  for rate in (250, 125, 50)]
        for one, rate in zip(asking, (250, 125, 50)):
            answer = one.communicate()[0]
            if not answer == state(rate):
                fail(f"{rate}: {answer!r}")


CASES = {case.__name__: case for case in (calls, weights, asked, filters, refused, secure, lives, silent, killed, full, many)}
CASES[sys.argv[3]]()
