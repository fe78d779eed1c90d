# SPDX-License-Identifier: BSD-3-Clause
"""Makes C out of the page's style sheet and scripts: embed.py OURS... --groups MORE... OUTPUT [LIBRARY LICENCE]...
[--licence LICENCE]. MORE is only in pages of many ranks, after OURS. The libraries come before our scripts, with their licences (Debian's copyright files); all together are one script.
A WebAssembly program among ours becomes a base64 constant in it; the last LICENCE is that of the program's C
library. The script's digest goes into the page's content security policy, so that no other script can run in the
page, whatever a name contains."""
import base64
import hashlib
import sys

split = next(i for i, name in enumerate(sys.argv) if name.endswith(".c"))
middle = sys.argv.index("--groups")
styles, more_styles = ([path for path in part if path.endswith(".css")] for part in (sys.argv[1:middle], sys.argv[middle:split]))
ours, more = ([path for path in part if path.endswith(".js")] for part in (sys.argv[1:middle], sys.argv[middle:split]))
programs = [path for path in sys.argv[1:split] if path.endswith(".wasm")]
output = sys.argv[split]
pairs = dict(zip(sys.argv[split + 1::2], sys.argv[split + 2::2]))
library_licence = pairs.pop("--licence", None)
libraries, licences = list(pairs), list(pairs.values())


def array(name, data):
    rows = [", ".join(str(byte) for byte in data[i:i + 20]) for i in range(0, len(data), 20)]
    return f"const char {name}[] = {{\n\t" + ",\n\t".join(rows) + ", 0\n};\n"


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def is_about_us(paragraph):
    """Omits the licences of the packaging, and of files of the same source that are not bundled."""
    return not paragraph.startswith(("Format:", "Files: debian", "Files: types", "License: Expat"))


def licence_text():
    """Each paragraph once, even if several files have it."""
    paragraphs = {}
    for path in licences:
        for paragraph in text_of(path).strip().split("\n\n"):
            if is_about_us(paragraph):
                paragraphs.setdefault(" ".join(paragraph.lower().split()), paragraph)
    return "D3, https://d3js.org\n\n" + "\n\n".join(paragraphs.values()).replace("*/", "* /")


script = ""
if libraries:
    script = "/*\n" + licence_text() + "\n*/\n" + "".join(text_of(path) + "\n" for path in libraries)
script += "".join(text_of(path) for path in ours)
more_script = "".join(text_of(path) for path in more)
code = "".join(base64.b64encode(open(path, "rb").read()).decode() for path in programs)
no_engine = engine = 'const engineCode = "";\n'
if code:
    engine = "/*\nThe C library in engineCode\n\n" + text_of(library_licence).replace("*/", "* /") + f'\n*/\nconst engineCode = "{code}";\n'
# Text that would end the script element or keep it from ending.
for mark in ("</script", "<!--", "<script"):
    if mark in (engine + script + more_script).lower():
        sys.exit(f"embed.py: the scripts hold {mark}; expected none of that in a page")


def sources(whole, more=""):
    return "'sha256-" + base64.b64encode(hashlib.sha256(whole.encode()).digest()).decode() + "'" + more


with open(output, "w", encoding="ascii") as file:
    file.write("/* Made by embed.py */\n#include \"page.h\"\n\n")
    file.write(array("page_style", "".join(map(text_of, styles)).encode()) + array("page_script", script.encode()))
    file.write(array("page_groups_style", "".join(map(text_of, more_styles)).encode()) + array("page_groups_script", more_script.encode()))
    file.write(array("page_engine", engine.encode()) + array("page_no_engine", no_engine.encode()))
    permission = sources(engine + script, " 'wasm-unsafe-eval'" if code else "")
    file.write(f'const char page_script_sources[] = "{permission}";\n')
    file.write(f'const char page_groups_script_sources[] = "{sources(no_engine + script + more_script)}";\n')
    file.write(f'const char page_plain_script_sources[] = "{sources(no_engine + script)}";\n')
