! SPDX-License-Identifier: BSD-3-Clause
! do with each schedule, with collapse, ordered, lastprivate and reductions, do simd and parallel do.
program loops
  use omp_lib
  implicit none
  integer, parameter :: n = 1003
  integer :: hits(n), i, j, last, total, order, wrong, grid(17, 19)
  integer(8) :: large
  real(8) :: product, most
  logical :: all_small

  wrong = 0
  hits = 0
  !$omp parallel do schedule(static)
  do i = 1, n
    hits(i) = hits(i) + 1
  end do
  !$omp end parallel do
  !$omp parallel do schedule(static, 7)
  do i = n, 1, -1
    hits(i) = hits(i) + 1
  end do
  !$omp parallel do schedule(dynamic, 3)
  do i = 1, n
    hits(i) = hits(i) + 1
  end do
  !$omp parallel do schedule(guided)
  do i = 1, n
    hits(i) = hits(i) + 1
  end do
  !$omp parallel do schedule(runtime)
  do i = 1, n
    hits(i) = hits(i) + 1
  end do
  !$omp parallel do simd
  do i = 1, n
    hits(i) = hits(i) + 1
  end do
  if (any(hits /= 6)) wrong = wrong + 1

  grid = 0
  !$omp parallel do collapse(2) schedule(dynamic)
  do i = 1, 17
    do j = 1, 19
      grid(i, j) = grid(i, j) + i * j
    end do
  end do
  if (sum(grid) /= (17 * 18 / 2) * (19 * 20 / 2)) wrong = wrong + 1

  last = 0
  total = 5
  large = 0
  product = 1
  most = -1
  all_small = .true.
  !$omp parallel
  !$omp do lastprivate(last) reduction(+:total, large) schedule(dynamic, 10)
  do i = 1, n
    last = i
    total = total + i
    large = large + 1000000000_8
  end do
  !$omp do reduction(*:product) reduction(max:most) reduction(.and.:all_small)
  do i = 1, 20
    product = product * 2
    most = max(most, real(i, 8))
    all_small = all_small .and. i < 20
  end do
  !$omp end parallel
  if (last /= n) wrong = wrong + 1
  if (total /= 5 + n * (n + 1) / 2) wrong = wrong + 1
  if (large /= 1000000000_8 * n) wrong = wrong + 1
  if (product /= 2.0d0 ** 20 .or. most /= 20 .or. all_small) wrong = wrong + 1

  order = 0
  !$omp parallel do ordered schedule(dynamic)
  do i = 1, 100
    !$omp ordered
    order = order + 1
    if (order /= i) wrong = wrong + 1
    !$omp end ordered
  end do
  if (order /= 100) wrong = wrong + 1

  if (wrong /= 0) then
    print *, 'loops: checks that failed:', wrong, 'threads:', omp_get_max_threads()
    stop 1
  end if
end program
