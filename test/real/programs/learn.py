# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn: clusters, gradient boosting and neighbours of made-up points. Prints what was found, then its times.

k-means adds in as many parts as there are threads, in the order in which they end, so of the sums only the digits are
printed that do not depend on it; boosting adds gradients in a fixed order, neighbours add nothing.
"""
import time

import numpy
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.neighbors import KNeighborsClassifier


def timed(name, work):
    begin = time.perf_counter()
    work()
    return f'seconds {name} {time.perf_counter() - begin:.6f}'


def cluster():
    found = KMeans(12, n_init=3, random_state=1).fit(x)
    print('clusters %.6f %d' % (found.inertia_, found.n_iter_))


def boost():
    model = HistGradientBoostingClassifier(max_iter=40, random_state=0).fit(x, y)
    print('boosting %.9f %.6f' % (model.score(x, y), model.predict_proba(x)[:, 1].sum()))


def neighbours():
    model = KNeighborsClassifier(5, algorithm='brute').fit(x[:6000], y[:6000])
    distances, nearest = model.kneighbors(x[6000:26000])
    print('neighbours %d %.6f' % (nearest.sum(), distances.sum()))


x = numpy.random.RandomState(0).rand(30000, 10)
y = (x[:, 0] + x[:, 1] * x[:, 2] > 0.8).astype(int)
print('\n'.join([timed('cluster', cluster), timed('boost', boost), timed('neighbours', neighbours)]))
