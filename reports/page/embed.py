# SPDX-License-Identifier: BSD-3-Clause
"""Makes C out of the page's style sheet and script: embed.py STYLE SCRIPT OUTPUT. The script's digest goes
into the page's content security policy, so that no other script runs in it, whatever a name holds."""
import base64
import hashlib
import sys

style, script, output = sys.argv[1:4]


def array(name, data):
    rows = [", ".join(str(byte) for byte in data[i:i + 20]) for i in range(0, len(data), 20)]
    return f"const char {name}[] = {{\n\t" + ",\n\t".join(rows) + f", 0\n}};\n"


with open(style, "rb") as file:
    style_data = file.read()
with open(script, "rb") as file:
    script_data = file.read()
digest = base64.b64encode(hashlib.sha256(script_data).digest()).decode()
with open(output, "w") as file:
    file.write("/* Made by embed.py */\n#include \"html.h\"\n\n")
    file.write(array("html_style", style_data) + array("html_script", script_data))
    file.write(f'const char html_script_digest[] = "sha256-{digest}";\n')
