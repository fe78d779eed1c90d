# SPDX-License-Identifier: BSD-3-Clause
"""XGBoost: trees by histograms, for made-up points. Prints what the trees say of the points, then its times.

Gradients are added in as many parts as there are threads, in single precision, so the sum has a few digits only.
"""
import time

import numpy
import xgboost

random = numpy.random.RandomState(0)
x = random.rand(20000, 20)
y = x[:, 0] + x[:, 1] * x[:, 2] > 0.8
begin = time.perf_counter()
points = xgboost.DMatrix(x, y)
model = xgboost.train({'tree_method': 'hist', 'max_depth': 6, 'objective': 'binary:logistic', 'seed': 1}, points, 60)
found = model.predict(points)
seconds = time.perf_counter() - begin
print('%d %.2f' % ((found > 0.5).sum(), found.sum(dtype=float)))
print(f'seconds trees {seconds:.6f}')
