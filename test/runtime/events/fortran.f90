! SPDX-License-Identifier: BSD-3-Clause
! What gfortran's code shows of the constructs of Fortran programs: loops, sections, single,
! workshare, critical, ordered and the lock routines by their Fortran names. fortran-check.c looks
! at the events of each.
program fortran
  use iso_c_binding
  use omp_lib
  implicit none
  interface
    subroutine check_begin() bind(c)
    end subroutine
    subroutine check_loop(iterations) bind(c)
      import :: c_int
      integer(c_int), value :: iterations
    end subroutine
    subroutine check_sections(number) bind(c)
      import :: c_int
      integer(c_int), value :: number
    end subroutine
    subroutine check_single() bind(c)
    end subroutine
    subroutine check_workshare() bind(c)
    end subroutine
    subroutine check_exclusion(criticals, ordereds) bind(c)
      import :: c_int
      integer(c_int), value :: criticals, ordereds
    end subroutine
    subroutine check_locks(simple, nested) bind(c)
      import :: c_intptr_t
      integer(c_intptr_t), value :: simple, nested
    end subroutine
  end interface
  integer :: done(0:50)
  integer(omp_lock_kind), target :: simple
  integer(omp_nest_lock_kind) :: nested
  real :: a(100), b(100)

  call check_begin()
  call loop(40)
  call check_loop(40)
  call two_sections()
  call check_sections(2)
  call one_single()
  call check_single()
  a = 1
  b = 2
  call workshared(a, b)
  if (any(a /= 3)) stop 4
  call check_workshare()
  call exclusive(30)
  call check_exclusion(30, 30)
  call lock(simple, nested)
  call check_locks(transfer(c_loc(simple), 0_c_intptr_t), int(nested, c_intptr_t))
contains
  subroutine loop(n)
    integer, intent(in) :: n
    integer :: i
    !$omp parallel do schedule(dynamic, 2)
    do i = n, 1, -1
      done(i) = i
    end do
    !$omp end parallel do
  end subroutine

  subroutine two_sections()
    !$omp parallel
    !$omp sections
    !$omp section
    done(1) = 1
    !$omp section
    done(2) = 2
    !$omp end sections
    !$omp end parallel
  end subroutine

  subroutine one_single()
    integer :: value
    !$omp parallel private(value)
    !$omp single
    value = 5
    !$omp end single copyprivate(value)
    if (value /= 5) stop 1
    !$omp end parallel
  end subroutine

  subroutine workshared(a, b)
    real, intent(inout) :: a(:)
    real, intent(in) :: b(:)
    !$omp parallel
    !$omp workshare
    a = a + b
    !$omp end workshare
    !$omp end parallel
  end subroutine

  subroutine exclusive(n)
    integer, intent(in) :: n
    integer :: i
    !$omp parallel do ordered schedule(dynamic)
    do i = 1, n
      !$omp critical (count_up)
      done(0) = done(0) + 1
      !$omp end critical (count_up)
      !$omp ordered
      done(i) = i
      !$omp end ordered
    end do
    !$omp end parallel do
  end subroutine

  subroutine lock(simple, nested)
    integer(omp_lock_kind), intent(inout) :: simple
    integer(omp_nest_lock_kind), intent(inout) :: nested
    call omp_init_lock(simple)
    call omp_set_lock(simple)
    if (omp_test_lock(simple)) stop 2
    call omp_unset_lock(simple)
    call omp_destroy_lock(simple)
    call omp_init_nest_lock(nested)
    call omp_set_nest_lock(nested)
    if (omp_test_nest_lock(nested) /= 2) stop 3
    call omp_unset_nest_lock(nested)
    call omp_unset_nest_lock(nested)
    done(0) = 0
  end subroutine
end program
