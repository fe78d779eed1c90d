#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of warnings (instrumenter/wrapper/messages/warnings.c) is what the compiler does, and using it shows.

Each snippet provokes one warning of gcc's. Beside an OpenMP function it is compiled by gcc alone, by
gcc -fsyntax-only and with ompinst before a gcc that keeps a record of how often it was called: what
the user reads has to be the same word for word, and nothing is compiled twice whose warnings the table
says the parser gives. Of each sixth warning of either language; in tools/test full of all.
"""
import os
import re
from concurrent.futures import ThreadPoolExecutor

import bench
from bench import LIBRARY, check_equal, need

TABLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../instrumenter/wrapper/messages/warnings.c')

C = r'''
absolute-value | #include <stdlib.h>\nlong f(long a){return labs(a)+abs(a);}
address | int f(int*p){int a;if(&a)return 1;return *p;}
array-compare | int a[2],b[2];int f(void){return a==b;}
array-parameter | void f(int a[2]);void f(int a[3]){a[0]=1;}
attributes | int f(void) __attribute__((foo));
bad-function-cast | int*g(void);long f(void){return (long)g();}
bool-compare | int f(int a){return (a>1)==3;}
bool-operation | #include <stdbool.h>\nint f(bool b){return ~b;}
builtin-declaration-mismatch | int strlen(int);
c++-compat | int*f(void*p){return p;}
cast-qual | char*f(const char*p){return (char*)p;}
char-subscripts | int f(int*a,char c){return a[c];}
comment | /* /* */int f;
conversion | char f(int i){return i;}
cpp | #warning "x"\nint f;
dangling-else | int f(int a,int b){if(a) if(b) return 1; else return 2; return 3;}
date-time | char*f=__TIME__;
declaration-after-statement | int f(int a){a++;int b=a;return b;}
deprecated-declarations | int g(void) __attribute__((deprecated));int f(void){return g();}
discarded-qualifiers | int*f(const int*p){return p;}
div-by-zero | int f(int a){return a/0;}
double-promotion | double f(float a){return a*2.0;}
duplicated-branches | int f(int a){if(a)return 1;else return 1;}
duplicated-cond | int f(int a){if(a==1)return 1;else if(a==1)return 2;return 0;}
empty-body | int f(int a){if(a);return 1;}
endif-labels | #if 1\n#endif foo\nint f;
enum-compare | enum a{A};enum b{B};int f(enum a x,enum b y){return x==y;}
expansion-to-defined | #define D defined(X)\n#if D\n#endif\nint f;
float-conversion | int f(double i){return i;}
float-equal | int f(double x){return x==1.0;}
format-extra-args | #include <stdio.h>\nvoid f(long x){printf("a",x);}
format-nonliteral | #include <stdio.h>\nvoid f(char*s){printf(s,1);}
format-security | #include <stdio.h>\nvoid f(char*s){printf(s);}
format-zero-length | #include <stdio.h>\nvoid f(void){printf("");}
format | #include <stdio.h>\nvoid f(long x){printf("%d",x);}
ignored-qualifiers | const int f(void){return 1;}
implicit-function-declaration | int f(void){return g();}
incompatible-pointer-types | int*f(char*p){return p;}
int-conversion | int*f(int p){return p;}
int-in-bool-context | int f(int a){if(a?2:3)return 1;return 0;}
int-to-pointer-cast | void*f(int a){return (void*)a;}
jump-misses-init | int f(int a){if(a)goto x;int b=1;a=b;x:return a;}
logical-not-parentheses | int f(int a,int b){return !a==b;}
logical-op | int f(int a){return a&&a;}
long-long | long long f;
main | void main(void){}
memset-elt-size | #include <string.h>\nint a[4];void f(void){memset(a,0,4);}
memset-transposed-args | #include <string.h>\nvoid f(void*p){memset(p,10,0);}
misleading-indentation | int f(int a){\n  if(a)\n    a++;\n    a--;\n  return a;}
missing-braces | int a[2][2]={1,2,3,4};
missing-declarations | int f(void){return 1;}
missing-field-initializers | struct s{int a,b;}x={1};
missing-prototypes | int f(void){return 1;}
multichar | int f='ab';
multistatement-macros | #define M a++;a--\nint f(int a){if(a)M;return a;}
nested-externs | int f(void){extern int g;return g;}
old-style-definition | int f(a)int a;{return a;}
overflow | char f=1000;
override-init | int a[]={[0]=1,[0]=2};
packed | struct s{int a;}__attribute__((packed));
padded | struct s{char a;int b;};
parentheses | int f(int a){if(a=1)return 1;return 0;}
pedantic | int a[0];
pointer-arith | void*f(void*p){return p+1;}
pointer-sign | void f(unsigned*p);void g(int*p){f(p);}
pointer-to-int-cast | int f(void*p){return (int)p;}
redundant-decls | int f(void);int f(void);
sequence-point | int f(int a){a=a++ +1;return a;}
shadow | int f(int a){{int a=1;return a;}}
shift-count-negative | int f(int a){return a<<-1;}
shift-count-overflow | int f(int a){return a<<40;}
shift-negative-value | int f(void){return -1<<2;}
sign-compare | int f(int i,unsigned j){return i<j;}
sign-conversion | unsigned f(int i){return i;}
sizeof-array-argument | int f(int a[4]){return sizeof(a);}
sizeof-pointer-div | int f(int*a){return sizeof(a)/sizeof(a[0]);}
sizeof-pointer-memaccess | #include <string.h>\nvoid f(char*a){memset(a,0,sizeof(a));}
strict-prototypes | int f();
switch | enum e{A,B};int f(enum e x){switch(x){case A:return 1;}return 0;}
switch-default | int f(int x){switch(x){case 1:return 1;}return 0;}
switch-enum | enum e{A,B};int f(enum e x){switch(x){case A:return 1;default:return 0;}}
switch-outside-range | int f(char a){switch(a){case 1000:return 1;}return 0;}
tautological-compare | int f(int x){return x==x;}
trigraphs | int f;/* ??/ */char*g="??=";
type-limits | int f(unsigned x){return x<0;}
undef | #if FOO\n#endif\nint f;
unknown-pragmas | #pragma foo bar\nint f;
unsuffixed-float-constants | float f=1.0;
unused-but-set-parameter | void f(int a){a=1;}
unused-but-set-variable | void f(void){int a;a=1;}
unused-label | int f(void){a:return 1;}
unused-local-typedefs | int f(void){typedef int t;return 1;}
unused-macros | #define X 1\nint f;
unused-parameter | void f(int a){}
unused-value | void f(int a){a+1;}
unused-variable | void f(void){int a;}
variadic-macros | #define M(x...) x\nint f;
vla | void f(int n){int a[n];a[0]=1;}
vla-parameter | void f(int n,int a[n]);void f(int n,int*a){}
implicit-fallthrough | int f(int a){switch(a){case 1:a++;case 2:a--;}return a;}
return-type | int f(int a){if(a)return 1;}
unused-const-variable | static const int a=1;
unused-function | static int g(void){return 1;}
unused-result | int g(void) __attribute__((warn_unused_result));void f(void){g();}
unused-variable | static int a;
array-bounds | int f(void){int a[2]={0};return a[2];}
uninitialized | int f(void){int a;return a;}
null-dereference | int f(void){int*p=0;return *p;}
use-after-free | #include <stdlib.h>\nint f(int*p){free(p);return *p;}
suggest-attribute=pure | int f(int*p){return *p;}
'''

CXX = r'''
catch-value | struct s{virtual ~s();};void f(){try{}catch(s x){}}
class-memaccess | #include <cstring>\nstruct s{s();int a;};void f(s*p){memset(p,0,4);}
ctor-dtor-privacy | class s{s();};
delete-non-virtual-dtor | struct s{virtual void g();};void f(s*p){delete p;}
deprecated-copy | struct s{s();s(const s&);int a;};void f(s&a,s&b){a=b;}
effc++ | struct s{int a;s(){a=1;}};
extra-semi | struct s{void f(){};};
non-virtual-dtor | struct s{virtual void f();};
old-style-cast | int f(double a){return (int)a;}
overloaded-virtual | struct a{virtual void f(int);};struct b:a{void f();};
pessimizing-move | #include <utility>\nstruct s{int*p;s();s(s&&);};s f(){s a;return std::move(a);}
range-loop-construct | #include <string>\n#include <vector>\nint f(const std::vector<std::string>&v){int n=0;for(const std::string x:v)n+=x.size();return n;}
redundant-move | #include <utility>\nstruct s{int*p;s();s(s&&);};s f(s a){return std::move(a);}
register | int f(){register int a=1;return a;}
reorder | struct s{int a,b;s():b(1),a(2){}};
sign-promo | enum e{A};void g(int);void g(unsigned);void f(e x){g(x);}
suggest-override | struct a{virtual void f();};struct b:a{void f();};
terminate | struct s{~s(){throw 1;}};
useless-cast | struct s{int a;};int f(s&a){return static_cast<s&>(a).a;}
volatile | int f(volatile int a){return a++;}
write-strings | char*f(){return "a";}
zero-as-null-pointer-constant | int*f(){return 0;}
sign-compare | template<class T>int f(T i,unsigned j){return i<j;}int g(){return f(-1,2u);}
unused-function | static int g(){return 1;}
'''


def snippets(text, suffix):
    for number, line in enumerate(text.strip().splitlines()):
        name, source = line.split(' | ', 1)
        yield name, f'{suffix}{number}.{suffix}', source.replace('\\n', '\n') + '\n'


def tables():
    """The names in each table of warnings.c."""
    with open(TABLES) as file:
        text = file.read()
    return {name: set(re.findall(r'"([^"]+)"', body))
            for name, body in re.findall(r'static const char \*const (\w+)\[\] = \{(.*?)\};', text, re.S)}


def flags_of(name):
    standards = {'long-long': ['-std=gnu89'], 'strict-prototypes': ['-std=gnu17']}
    return ['-O2', '-Wall', '-Wextra', '-Wpedantic', '-W' + name, '-fopenmp'] + standards.get(name, [])


def check_one(place, name, file, source, origins):
    compiler = 'gcc' if file.endswith('.c') else 'g++'
    text = source + LIBRARY
    place.write(file, text)
    flags = flags_of(name)
    whole = place.run(compiler, *flags, '-c', file, '-o', file + '.1.o', code=None)
    # Some have levels, and are then named with an equals sign, of which versions of gcc differ in opinion.
    assert f'[-W{name}]' in whole.stderr or f'[-W{name}=]' in whole.stderr, f'{name}: not provoked:\n{whole.stderr}'
    if name in origins['gcc_parser']:
        parser = place.run(compiler, *flags, '-fsyntax-only', '-c', file, code=None)
        check_equal(parser.stderr, whole.stderr, f'{name}: messages of the parser alone')
    record = place.path(file + '.record')
    done = place.run('ompinst', f'bin/{compiler}', *flags, '-c', file, '-o', file + '.2.o',
                     code=whole.returncode, env={'RECORD': record})
    check_equal(done.stderr, whole.stderr, f'{name}: messages')
    if whole.returncode != 0:
        return # An error since gcc 14: only the messages are to be the same.
    place.check_instrumented(file + '.2.o')
    with open(record) as lines:
        calls = [call for call in lines.read().splitlines() if ' -dM ' not in call]  # else a question
    again = [call for call in calls if ' -E ' not in call and 'cpp-output' not in call]
    assert len(calls) == 2 + len(again) and len(again) <= 1, calls
    if name in origins['gcc_parser']:
        assert all('-fsyntax-only' in call for call in again), f'{name}: compiled twice: {again}'


def check_all(place, text, suffix):
    need('gcc', 'g++')
    for compiler in ('gcc', 'g++'):
        place.write(f'bin/{compiler}', f'#!/bin/sh\necho " $* " >>"$RECORD"\nexec {compiler} "$@"\n', 0o755)
    origins = tables()
    with ThreadPoolExecutor(2) as pool:
        results = [pool.submit(check_one, place, *snippet, origins)
                   for snippet in list(snippets(text, suffix))[::1 if bench.IS_FULL else 6]]
    wrong = [str(result.exception()) for result in results if result.exception() is not None]
    assert not wrong, '\n'.join(wrong)


def test_each_warning_of_the_c_compiler(place):
    check_all(place, C, 'c')


def test_each_warning_of_the_cplusplus_compiler(place):
    check_all(place, CXX, 'cc')


def test_every_row_of_the_table_is_provoked(place):
    provoked = {name for name, _, _ in [*snippets(C, 'c'), *snippets(CXX, 'cc')]}
    rows = tables()
    check_equal(sorted((rows['gcc_parser'] | rows['gcc_calls']) - provoked), [], 'rows without a snippet')


bench.main(globals())
