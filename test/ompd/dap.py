# SPDX-License-Identifier: BSD-3-Clause
"""What a client of gdb's DAP interface sees, as editors are: stacks without the runtime's frames, and the `omp` commands.

dap.py CC SOURCE-FOLDER RUNTIME-FOLDER GDB-FOLDER [GDB]. Exits 77 where gdb is older than 14, which brought the interface, or
has no Python.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from debugger import build, expect, failures, skip_without_tracing

skip_without_tracing()

compiler, sources, runtime, commands = sys.argv[1:5]
gdb = sys.argv[5] if sys.argv[5:] else "gdb"
FIRST_VERSION = 14
environment = dict(os.environ, LD_LIBRARY_PATH=runtime, OMP_WAIT_POLICY="passive")
environment.pop("OMP_DEBUG", None)


def version():
    """Of gdb; 0: it has no Python, or is not there."""
    if shutil.which(gdb) is None:
        return 0
    found = subprocess.run([gdb, "-nx", "-batch", "-ex", "python print('version %s' % gdb.VERSION)"], capture_output=True, text=True, check=False)
    match = re.search(r"version \D*(\d+)", found.stdout)
    return int(match[1]) if match else 0


class Client:
    """Messages are one after the other: each request waits for its response, and keeps the events that come before."""

    def __init__(self):
        line = [gdb, "-nx", "-q", "-iex", "set auto-load no", "-iex", "set debuginfod enabled off", "-iex",
                "source %s/ompinst-gdb.py" % commands, "-i=dap"]
        self.gdb = subprocess.Popen(line, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number, self.events, self.responses = 0, [], {}

    def receive(self):
        length = 0
        for line in iter(self.gdb.stdout.readline, b"\r\n"):
            if not line:
                raise EOFError("gdb has ended")
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        message = json.loads(self.gdb.stdout.read(length))
        if message["type"] == "event":
            self.events.append(message)
        elif message["type"] == "response":
            self.responses[message["request_seq"]] = message

    def send(self, command, **arguments):
        self.number += 1
        text = json.dumps({"seq": self.number, "type": "request", "command": command, "arguments": arguments}).encode()
        self.gdb.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        self.gdb.stdin.flush()
        return self.number

    def request(self, command, **arguments):
        number = self.send(command, **arguments)
        while number not in self.responses:
            self.receive()
        response = self.responses[number]
        if not response["success"]:
            failures.append("%s: %s" % (command, response.get("message")))
        return response.get("body") or {}

    def wait_for(self, event):
        """The first event of this kind that was not waited for."""
        while True:
            found = next((known for known in self.events if known["event"] == event), None)
            if found is not None:
                self.events.remove(found)
                return found.get("body") or {}
            self.receive()


def stack_of(client, thread):
    """Its frames, and their names in one text."""
    frames = client.request("stackTrace", threadId=thread)["stackFrames"]
    return frames, " < ".join("%s:%s" % (frame["name"], os.path.basename(frame.get("source", {}).get("path", "?"))) for frame in frames)


def check_stacks(client, stopped):
    frames, text = stack_of(client, stopped)
    expect("the stopped thread", text, r"^stop_here:stopped\.c < inner\._omp_fn\.1:stopped\.c < .*< main\._omp_fn\.0:stopped\.c < main:stopped\.c$")
    part = client.request("stackTrace", threadId=stopped, startFrame=1, levels=1)["stackFrames"]
    if [frame["name"] for frame in part] != [frames[1]["name"]]:
        failures.append("a part of the stack: %s, expected %s" % (part, frames[1]))
    texts = [stack_of(client, thread["id"])[1] for thread in client.request("threads")["threads"]]
    if len(texts) != 4:
        failures.append("%d threads: %s" % (len(texts), texts))
    for text in texts:
        if re.search(r"\b(GOMP_|omp_set|rt_|worker_main|syscall|start_thread|clone)", text):
            failures.append("frames of the runtime: " + text)
    if sorted(text.split(" < ")[0] for text in texts) != ["inner._omp_fn.0:stopped.c", "main._omp_fn.0:stopped.c",
                                                          "main._omp_fn.0:stopped.c", "stop_here:stopped.c"]:
        failures.append("the innermost frames: %s" % texts)
    with open(sources + "/stopped.c", encoding="utf-8") as lines:
        line = lines.read().split("\n")[frames[-1]["line"] - 1]
    expect("the line in main", line, r"omp parallel num_threads\(3\)")
    value = client.request("evaluate", expression="sizeof(taken)", frameId=frames[-1]["id"], context="watch")
    expect("a variable of main, as seen from its frame", str(value.get("result")), "^4$")


def check_commands(client):
    for command, pattern in (("omp why", r"waits for lock guard \(0x\w+\), in main\._omp_fn\.0 at stopped\.c:\d+\n +held by thread 1"),
                             ("omp threads", r"waits for critical \(door\)"), ("omp stacks", r"^4 threads at 4 different places$")):
        said = client.request("evaluate", expression=command, context="repl").get("result", "")
        expect(command, said, pattern)


def play(program):
    client = Client()
    client.request("initialize", clientID="test", adapterID="gdb", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
    launched = client.send("launch", program=program)
    client.request("setFunctionBreakpoints", breakpoints=[{"name": "stop_here"}])
    client.request("configurationDone")
    while launched not in client.responses:
        client.receive()
    body = client.wait_for("stopped")
    if body.get("reason") not in ("breakpoint", "function breakpoint"):
        failures.append("stopped: %s" % body)
    check_stacks(client, body["threadId"])
    check_commands(client)
    client.request("continue", threadId=body["threadId"])
    client.wait_for("terminated")
    client.request("disconnect")
    client.gdb.communicate()


def main():
    known = version()
    if known < FIRST_VERSION:
        print("%s: expected version %d or newer with Python, which has a DAP interface; nothing was tested" % (
            "gdb %d" % known if known else "no gdb with Python", FIRST_VERSION))
        return 77
    with tempfile.TemporaryDirectory() as folder:
        play(build(compiler, sources, folder, "stopped"))
    print("gdb %d\n%s" % (known, "\n".join(failures)))
    return 1 if failures else 0


sys.exit(main())
