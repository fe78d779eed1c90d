# SPDX-License-Identifier: BSD-3-Clause
"""Faiss and pykdtree: nearest neighbours by comparing all, and by a tree. Prints what was found, then its times."""
import time

import faiss
import numpy
from pykdtree.kdtree import KDTree


def timed(name, work):
    begin = time.perf_counter()
    work()
    return f'seconds {name} {time.perf_counter() - begin:.6f}'


def compare_all():
    index = faiss.IndexFlatL2(32)
    index.add(points)
    distances, nearest = index.search(points[:6000], 5)
    print('all %d %.3f' % (nearest.sum(), distances.sum(dtype=float)))


def by_tree():
    distances, nearest = KDTree(places).query(places, k=3)
    print('tree %d %.9f' % (nearest.sum(dtype=int), distances.sum()))


random = numpy.random.RandomState(0)
points = random.rand(20000, 32).astype('float32')
places = random.rand(300000, 3)
print('\n'.join([timed('all', compare_all), timed('tree', by_tree)]))
