# SPDX-License-Identifier: BSD-3-Clause
"""Clusters and gradient boosting of made-up points, again and again: learn.py SECONDS"""
import sys
import time

import numpy
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier

x = numpy.random.RandomState(0).rand(30000, 10)
y = (x[:, 0] + x[:, 1] * x[:, 2] > 0.8).astype(int)
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    KMeans(12, n_init=1, random_state=1).fit(x)
    HistGradientBoostingClassifier(max_iter=20, random_state=0).fit(x, y)
