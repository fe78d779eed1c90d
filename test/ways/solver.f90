! SPDX-License-Identifier: BSD-3-Clause
! LAPACK-like loops as Fortran programs have them: a blocked Cholesky factorisation by tasks, a triangular solve
! by a dynamic loop, residuals by a reduction, and every construct that calls the runtime. Procedures are those of a
! module, internal ones and the main program. How often a construct is visited stands behind its directive.
module cholesky
  use iso_fortran_env, only: real64
  implicit none
contains

  subroutine factor(a, n, block)
    integer, intent(in) :: n, block
    real(real64), intent(inout) :: a(n, n)
    integer :: i, j, k

    !$omp parallel num_threads(3) default(shared) private(i, j, k) ! 3 visits
    !$omp single ! 3 visits
    do k = 1, n, block
      !$omp task depend(inout: a(k, k)) firstprivate(k) ! 6 visits
      call diagonal(a, n, k, min(k + block - 1, n))
      !$omp end task
      do i = k + block, n, block
        !$omp task depend(in: a(k, k)) &
        !$omp& depend(inout: a(i, k)) firstprivate(i, k) ! 15 visits
        call panel(a, n, i, min(i + block - 1, n), k, min(k + block - 1, n))
        !$omp end task
      end do
      do i = k + block, n, block
        do j = k + block, i, block
          !$OMP TASK DEPEND(IN: A(I, K), A(J, K)) DEPEND(INOUT: A(I, J)) FIRSTPRIVATE(I, J, K) ! 35 visits
          call update(a, n, i, min(i + block - 1, n), j, min(j + block - 1, n), k, min(k + block - 1, n))
          !$OMP END TASK
        end do
      end do
    end do
    !$omp end single
    !$omp end parallel
  end subroutine

  subroutine diagonal(a, n, first, last)
    integer, intent(in) :: n, first, last
    real(real64), intent(inout) :: a(n, n)
    integer :: i, j

    do j = first, last
      a(j, j) = sqrt(a(j, j) - sum(a(j, first:j - 1)**2))
      do i = j + 1, last
        a(i, j) = (a(i, j) - dot_product(a(i, first:j - 1), a(j, first:j - 1))) / a(j, j)
      end do
    end do
  end subroutine

  subroutine panel(a, n, i1, i2, k1, k2)
    integer, intent(in) :: n, i1, i2, k1, k2
    real(real64), intent(inout) :: a(n, n)
    integer :: j

    do j = k1, k2
      a(i1:i2, j) = (a(i1:i2, j) - matmul(a(i1:i2, k1:j - 1), a(j, k1:j - 1))) / a(j, j)
    end do
  end subroutine

  subroutine update(a, n, i1, i2, j1, j2, k1, k2)
    integer, intent(in) :: n, i1, i2, j1, j2, k1, k2
    real(real64), intent(inout) :: a(n, n)

    a(i1:i2, j1:j2) = a(i1:i2, j1:j2) - matmul(a(i1:i2, k1:k2), transpose(a(j1:j2, k1:k2)))
  end subroutine

end module

program solver
  use cholesky
  use omp_lib
  implicit none
  integer, parameter :: n = 240, block = 40, sides = 12
  real(real64), allocatable :: a(:, :), l(:, :), b(:, :), x(:, :)
  integer :: i, done
  integer(omp_lock_kind) :: lock

  allocate (a(n, n), l(n, n), b(n, sides), x(n, sides))
  call fill
  l = a
  call factor(l, n, block)
  x = b
  !$omp parallel do schedule(dynamic, 2) num_threads(3) ! 3 visits
  do i = 1, sides
    call solve(i)
  end do
  done = 0
  call omp_init_lock(lock)
  !$omp parallel num_threads(3) ! 3 visits
  !$omp critical (count) ! 3 visits
  done = done + 1
  !$omp end critical (count)
  !$omp barrier ! 3 visits
  call omp_set_lock(lock)
  done = done + 1
  call omp_unset_lock(lock)
  !$omp do ordered schedule(dynamic) ! 3 visits
  do i = 1, 5
    !$omp ordered ! 5 visits
    done = done + i
    !$omp end ordered
  end do
  !$omp end do
  !$omp sections ! 3 visits
  !$omp section
  done = done + 1
  !$omp section
  call omp_set_lock(lock)
  call omp_unset_lock(lock)
  !$omp end sections
  !$omp end parallel
  print '(a, i0, a, l1)', 'done ', done, ', solved ', residual() < 1e-9_real64

contains

  subroutine fill
    integer :: j

    !$omp parallel do num_threads(3) ! 3 visits, static loop
    do j = 1, n
      a(:, j) = 1 / (1 + abs(real(j) - [(i, i=1, n)]))
      a(j, j) = n
      b(j, :) = j
    end do
    !$omp end parallel do
  end subroutine

  subroutine solve(side)
    integer, intent(in) :: side
    integer :: j

    do j = 1, n
      x(j, side) = (x(j, side) - dot_product(l(j, 1:j - 1), x(1:j - 1, side))) / l(j, j)
    end do
    do j = n, 1, -1
      x(j, side) = (x(j, side) - dot_product(l(j + 1:n, j), x(j + 1:n, side))) / l(j, j)
    end do
  end subroutine

  real(real64) function residual()
    integer :: j

    residual = 0
    !$omp parallel do reduction(max: residual) schedule(guided) num_threads(3) ! 3 visits
    do j = 1, sides
      residual = max(residual, maxval(abs(matmul(a, x(:, j)) - b(:, j))))
    end do
  end function

end program
