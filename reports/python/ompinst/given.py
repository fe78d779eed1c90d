# SPDX-License-Identifier: BSD-3-Clause
"""What of a notebook goes to the process of a cell."""
import ast
import inspect
import pickle
import sys
import textwrap
import types
from typing import Any, Dict, List, Optional, Set, Tuple


def read_names(tree: ast.AST) -> Set[str]:
    """Names that a text reads, changes or deletes, not those that it only assigns."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)}
    return names | {node.target.id for node in ast.walk(tree) if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)}


def function_of(name: str, value: Any) -> Optional[Tuple[int, str]]:
    """A plain function of the notebook: its first line and its text, where it can be found. None for others, such as those that a
    decorator has changed.
    """
    if not isinstance(value, types.FunctionType) or value.__closure__ or value.__name__ != name:
        return None
    try:
        lines, first = inspect.getsourcelines(value)
        text = textwrap.dedent("".join(lines))
        body = ast.parse(text).body
    except (OSError, TypeError, SyntaxError):
        return None
    return (first, text) if len(body) == 1 and isinstance(body[0], ast.FunctionDef) and body[0].name == name else None


class Given:
    """Of the notebook's names those that a cell reads, and those that functions of the notebook read that go with it.

    values     pickled values by name
    modules    names of modules by name
    functions  first lines and texts of functions by name
    parts      modules in those modules, such as sklearn.cluster, that the texts name and the notebook has imported
    lost       names of what cannot go there
    """

    def __init__(self, names: Dict[str, Any], tree: ast.AST) -> None:
        self.values: Dict[str, bytes] = {}
        self.modules: Dict[str, str] = {}
        self.functions: Dict[str, Tuple[int, str]] = {}
        self.lost: List[str] = []
        trees, seen = [tree], set()
        pending = read_names(tree)
        while pending:
            name = min(pending)
            pending.remove(name)
            if name in seen or name not in names:
                continue
            seen.add(name)
            self._add(name, names[name])
            if name in self.functions:
                trees.append(ast.parse(self.functions[name][1]))
                pending |= read_names(trees[-1])
        self.parts = sorted({part for each in trees for part in self._parts_of(each)})

    def _add(self, name: str, value: Any) -> None:
        if isinstance(value, types.ModuleType):
            self.modules[name] = value.__name__
        elif callable(value) and getattr(value, "__module__", None) == "__main__" and hasattr(value, "__qualname__"):
            function = function_of(name, value)
            if function:
                self.functions[name] = function
            else:
                self.lost.append(name)
        else:
            try:
                self.values[name] = pickle.dumps(value)
            except Exception:  # pylint: disable=broad-exception-caught  # whatever an object's own code raises
                self.lost.append(name)

    def _parts_of(self, tree: ast.AST) -> Set[str]:
        found = set()
        for part in ast.walk(tree):
            words: List[str] = []
            node: ast.AST = part
            while isinstance(node, ast.Attribute):
                words.insert(0, node.attr)
                node = node.value
            name = self.modules.get(node.id, "") if isinstance(node, ast.Name) else ""
            for word in words:
                name += "." + word
                if name in sys.modules:
                    found.add(name)
        return found
