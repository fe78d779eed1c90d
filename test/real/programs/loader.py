# SPDX-License-Identifier: BSD-3-Clause
"""Batches from PyTorch's DataLoader, made by forked workers: loader.py WORKERS tensors|clusters

The parent has executed parallel regions before it forks. Workers make an item from tensors, for which DataLoader gives
them one thread, or by scikit-learn's k-means, whose regions have all threads.
"""
import sys

import numpy
import torch
from sklearn.cluster import KMeans
from torch.utils.data import DataLoader, Dataset


def cluster(number):
    points = numpy.random.RandomState(number).rand(3000, 5)
    return round(KMeans(4, n_init=1, random_state=1).fit(points).inertia_, 5)


class Items(Dataset):
    def __init__(self, kind):
        self.kind = kind

    def __len__(self):
        return 12

    def __getitem__(self, number):
        if self.kind == 'clusters':
            return cluster(number)
        tensor = torch.rand(300, 300, generator=torch.Generator().manual_seed(number))
        return round((tensor @ tensor).softmax(1).max().item(), 5)


def main():
    torch.manual_seed(0)
    print('%.4f %.5f' % (torch.nn.Conv2d(8, 16, 3)(torch.rand(8, 8, 64, 64)).relu().mean().item(), cluster(99)))
    loader = DataLoader(Items(sys.argv[2]), batch_size=3, num_workers=int(sys.argv[1]), multiprocessing_context='fork'
                        if sys.argv[1] != '0' else None)
    for batch in loader:
        print(' '.join('%.5f' % value for value in batch.tolist()))


main()
