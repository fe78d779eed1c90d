# SPDX-License-Identifier: BSD-3-Clause
"""The manual page and the completion know every command and option that --help knows, and troff and bash
take them: check-pages.py OMPREPORT MANUAL COMPLETION"""
import re
import shutil
import subprocess
import sys

ompreport, manual, completion = sys.argv[1:4]
failures = []


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def expect(condition, message):
    if not condition:
        failures.append(message)


with open(manual, encoding="utf-8") as file:
    page = file.read().replace("\\-", "-")
sections = dict(re.findall(r"^\.SS ompreport (\S+) .*?\n(.*?)(?=^\.S)", page, re.M | re.S))
commands = re.findall(r"^  ([\w-]+) ", output(ompreport, "--help"), re.M)
expect(len(commands) > 10 and commands == list(sections), f"{commands} in --help, {list(sections)} in the manual")
for command in commands:
    options = re.findall(r"^  (?:-\w,|   ) (--[\w-]+)(=?)", output(ompreport, command, "--help"), re.M)
    expect(options, f"{command}: --help lists no option")
    for name, _ in options:
        expect(name == "--help" or f"\\fB{name}\\fR" in sections[command], f"{command}: {name} is not in the manual")
    script = f'source {completion}; COMP_WORDS=(ompreport {command} --); COMP_CWORD=2; _ompreport; echo "${{COMPREPLY[@]}}"'
    completed = subprocess.run(["bash", "-c", script], capture_output=True, text=True).stdout.split()
    # Of a choice every value is offered, as --format=json.
    expect(list(dict.fromkeys(word[:word.find("=") + 1] or word for word in completed)) == [name + equal for name, equal in options],
           f"{command}: completed to {completed}")
script = f'source {completion}; COMP_WORDS=(ompreport regions --format = j); COMP_CWORD=4; _ompreport; echo "${{COMPREPLY[@]}}"'
expect(output("bash", "-c", script).split() == ["json"], "--format=j does not complete to json")
script = f'source {completion}; COMP_WORDS=(ompreport t); COMP_CWORD=1; _ompreport; echo "${{COMPREPLY[@]}}"'
completed = output("bash", "-c", script).split()
expect(sorted(completed) == sorted(c for c in commands if c.startswith("t")), f"commands: completed to {completed}")
if shutil.which("groff"):
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", manual], capture_output=True, text=True)
    expect(done.returncode == 0 and not done.stderr, f"groff: {done.stderr}")
for failure in failures:
    print(f"FAIL: {failure}")
sys.exit(1 if failures else 0)
