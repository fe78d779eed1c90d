% SPDX-License-Identifier: BSD-3-Clause
% Octave on OpenBLAS for OpenMP: the product of two matrices, a factorisation, and conjugate gradients, each step of
% which is a product with a vector and a few sums. Prints what was found, then its times.
rand("seed", 3);
n = 1200;
A = rand(n); A = A + A' + 30 * eye(n);
b = rand(n, 1);
tic; for k = 1:10 B = A * A; end; product = toc;
tic; for k = 1:10 [L, U, P] = lu(A); end; factors = toc;
tic; for k = 1:20 [x, flag, rest, steps] = pcg(A, b, 1e-12, 200); end; gradients = toc;
printf("%.6g %.6g %d %.8g\n", trace(B), sum(abs(diag(U))), steps, sum(x));
printf("seconds product %.6f\nseconds factors %.6f\nseconds gradients %.6f\n", product, factors, gradients);
