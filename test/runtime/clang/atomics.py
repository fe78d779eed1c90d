# SPDX-License-Identifier: BSD-3-Clause
"""atomics.py LIST OUTPUT: the program that calls every atomic entry point of the list (atomics.h).

What a name means is said here once more, apart from the runtime's tables."""
import re
import sys

# The type in C, and what of it holds the value: parts, bytes of a part, bytes from part to part.
TYPES = {
    'fixed1': ('int8_t', '1, 1, 1'), 'fixed2': ('int16_t', '1, 2, 2'), 'fixed4': ('int32_t', '1, 4, 4'),
    'fixed8': ('int64_t', '1, 8, 8'), 'fixed1u': ('uint8_t', '1, 1, 1'), 'fixed2u': ('uint16_t', '1, 2, 2'),
    'fixed4u': ('uint32_t', '1, 4, 4'), 'fixed8u': ('uint64_t', '1, 8, 8'), 'float4': ('float', '1, 4, 4'),
    'float8': ('double', '1, 8, 8'), 'float10': ('long double', '1, 10, 16'), 'cmplx4': ('complex_4', '2, 4, 4'),
    'cmplx8': ('complex_8', '2, 8, 8'), 'cmplx10': ('complex_10', '2, 10, 16')}
FORMULAS = {
    'add': 'x + y', 'sub': 'x - y', 'mul': 'x * y', 'div': 'x / y', 'andb': 'x & y', 'orb': 'x | y', 'xor': 'x ^ y',
    'neqv': 'x ^ y', 'eqv': '~(x ^ y)', 'shl': 'x << y', 'shr': 'x >> y', 'andl': 'x && y', 'orl': 'x || y',
    'max': 'x > y ? x : y', 'min': 'x < y ? x : y'}
REVERSED = {'sub': 'y - x', 'div': 'y / x', 'shl': 'y << x', 'shr': 'y >> x'}
# Values before the first update and of the other operand, at which no step overflows into what C leaves open.
FIXED = {'div': ('127', '2'), 'shl': ('1', '1'), 'shr': ('-128', '1'), 'max': ('5', '17'), 'min': ('17', '5'),
         'andb': ('0x3f', '0x56'), 'andl': ('6', '9'), 'orl': ('0', '2'), 'orb': ('0x41', '0x16')}
FIXED_REVERSED = {'sub': ('7', '100'), 'div': ('7', '100'), 'shl': ('3', '5'), 'shr': ('3', '-100')}
FLOATING = {'mul': ('1.5', '1.0078125'), 'div': ('1.5', '1.0078125'), 'max': ('-1.5', '2.25'), 'min': ('1.5', '-2.25')}


def values(type_name, operation, reverse):
    """What the object holds first, the other operand, and how often each member applies it (0: once in all)."""
    if type_name.startswith('fixed'):
        first, other = (FIXED_REVERSED if reverse else FIXED).get(operation, ('11', '3'))
        turns = '0' if reverse and operation in ('shl', 'shr') else 'TURNS'
        return first, other, turns
    first, other = FLOATING.get(operation, ('0.75', '1.375'))
    if type_name.startswith('cmplx'):
        first, other = f'{first} + 0.5i', f'{other} + 0.0625i'
    return first, other, 'TURNS'


def call(name):
    """The macro's call for a name without __kmpc_atomic_; None for one that another name's call calls, too."""
    parts = re.fullmatch(r'(fixed\d+u?|float\d+|cmplx\d+)_(\w+)', name)
    if not parts:
        return None
    type_name, operation = parts.groups()
    c_type, layout = TYPES[type_name]
    if operation == 'rd':
        return f'ACCESS({type_name}, {c_type}, VALUE_OF_{type_name[:5]}, {layout})'
    if operation == 'wr':
        return None
    if operation == 'swp':
        how = 'SWAP_STORED' if type_name == 'cmplx4' else 'SWAP_RETURNED'
        return f'SWAP({type_name}, {c_type}, {how}, VALUE_OF_{type_name[:5]}, {layout})'
    wider = re.fullmatch(r'(\w+)_((?:float|cmplx)\d+)', operation)
    if wider:
        operation, other_type = wider[1], TYPES[wider[2]][0]
        first, other, turns = values(wider[2] if type_name != 'fixed' else type_name, operation, False)
        if type_name.startswith('fixed'):
            first, other = '101', '1.0078125'
        return f'UPDATE({name}, {c_type}, {other_type}, {first}, {other}, {turns}, {FORMULAS[operation]}, {layout})'
    form = re.fullmatch(r'([a-z]+)(_cpt)?(_rev)?', operation)
    operation, capture, reverse = form.groups()
    first, other, turns = values(type_name, operation, reverse)
    formula = (REVERSED if reverse else FORMULAS)[operation]
    if capture:
        how = 'STORED' if type_name == 'cmplx4' else 'RETURNED'
        return f'CAPTURE({name}, {c_type}, {how}, {first}, {other}, {turns}, {formula}, {layout})'
    return f'UPDATE({name}, {c_type}, {c_type}, {first}, {other}, {turns}, {formula}, {layout})'


def main():
    with open(sys.argv[1], encoding='utf-8') as listed:
        names = re.findall(r'^-?__kmpc_atomic_(\w+)$', listed.read(), re.MULTILINE)
    lines, tests, called = [], ['start_end'], {'start', 'end'}
    for name in names:
        line = call(name)
        if line:
            lines.append(line)
            tests.append(re.match(r'\w+\((\w+)', line)[1] + {'ACCESS': '_rd', 'SWAP': '_swp'}.get(line.split('(')[0], ''))
            called |= {name, name[:-2] + 'wr'} if name.endswith('_rd') else {name}
    for size, word, words in (1, 'uint8_t', 1), (2, 'uint16_t', 1), (4, 'uint32_t', 1), (8, 'uint64_t', 1), \
            (10, 'uint16_t', 5), (16, 'uint64_t', 2), (20, 'uint32_t', 5), (32, 'uint64_t', 4):
        lines.append(f'OPERATION({size}, {word}, {words})')
        tests.append(str(size))
        called.add(str(size))
    for size in 1, 2, 4, 8:
        lines.append(f'COMPARE({size}, {"u" if size == 8 else ""}int{8 * size}_t)')
        tests.append(f'cas_{size}')
        called |= {f'{kind}_{size}_cas{capture}' for kind in ('bool', 'val') for capture in ('', '_cpt')}
    if called != set(names):
        sys.exit(f'atomics.py: names without a test, or not in the list: {sorted(called ^ set(names))}')
    with open(sys.argv[2], 'w', encoding='utf-8') as output:
        output.write('#include "atomics.h"\n#define VALUE_OF_fixed(k) ((k) * 3 + 1)\n'
                     '#define VALUE_OF_float(k) ((k) * 0.75 + 1)\n'
                     '#define VALUE_OF_cmplx(k) ((k) * 0.75 + 1 + ((k) * 0.75 + 1) * 1.0i)\n')
        output.write('\n'.join(lines) + '\nint main(void)\n{\n\tint threads = omp_get_max_threads();\n\n')
        output.write(''.join(f'\ttest_{test}(threads);\n' for test in tests) + '\treturn check_result();\n}\n')


if __name__ == '__main__':
    main()
