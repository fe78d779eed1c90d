! SPDX-License-Identifier: BSD-3-Clause
! library: two sections compute matrix products, and the second one reads the product of the
! first.
! matmul reads and writes whole arrays (OpenMP 5.2, 11.3). In the fixed one the second product is
! that of other matrices.
program products
  implicit none
  real :: a(40, 40), b(40, 40), c(40, 40), d(40, 40)

  a = 1.0
  b = 1.0
  c = 0.0
  !$omp parallel sections
  c = matmul(a, b) ! race: write c
  !$omp section
#ifdef FIXED
  d = matmul(a, b)
#else
  d = matmul(a, c) ! race: read c
#endif
  !$omp end parallel sections
  if (c(1, 1) /= 40.0) stop 1
#ifdef FIXED
  if (d(40, 40) /= 40.0) stop 1
#endif
end program
