! SPDX-License-Identifier: BSD-3-Clause
! What gfortran makes of OpenMP: constructs, and the routines of omp_lib with its own kinds for locks,
! schedules and character arguments. Stops with 1 and a line on standard error when a check fails.
program fortran_names
  use omp_lib
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer :: failures = 0

  call check_runtime()
  call routines()
  call eight_bytes()
  call locks()
  call formats()
  call constructs()
  if (failures > 0) error stop 1

contains

  subroutine check(held, what)
    logical, intent(in) :: held
    character(len=*), intent(in) :: what
    if (held) return
    write (error_unit, '(2a)') 'expected to hold: ', what
    failures = failures + 1
  end subroutine

  ! The libgomp in the process is the one beside the file that RUNTIME_UNDER_TEST names.
  subroutine check_runtime()
    character (len=4096) :: wanted, line
    integer :: unit, status
    logical :: found
    call get_environment_variable('RUNTIME_UNDER_TEST', wanted)
    wanted = wanted(1:index(wanted, '/', back=.true.))
    found = .false.
    open (newunit=unit, file='/proc/self/maps', action='read', status='old')
    do
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      if (index(line, '/libgomp.so.1') > 0) &
        found = wanted /= '' .and. index(line, trim(wanted) // 'libgomp.so.1') > 0
    end do
    close (unit)
    call check(found, 'the runtime is the one in ' // trim(wanted))
  end subroutine

  subroutine routines()
    integer (omp_sched_kind) :: kind
    integer :: chunk
    double precision :: before
    call omp_set_num_threads(5)
    call check(omp_get_max_threads() == 5, 'omp_get_max_threads() == 5')
    call omp_set_dynamic(.true.)
    call check(omp_get_dynamic(), 'omp_get_dynamic()')
    call omp_set_dynamic(.false.)
    call check(.not. omp_get_dynamic(), '.not. omp_get_dynamic()')
    call check(.not. omp_in_parallel(), '.not. omp_in_parallel()')
    call check(omp_is_initial_device(), 'omp_is_initial_device()')
    call omp_set_schedule(omp_sched_guided, 9)
    call omp_get_schedule(kind, chunk)
    call check(kind == omp_sched_guided .and. chunk == 9, 'omp_get_schedule')
    call omp_set_max_active_levels(3)
    call check(omp_get_max_active_levels() == 3, 'omp_get_max_active_levels() == 3')
    before = omp_get_wtime()
    call check(before > 0 .and. omp_get_wtime() >= before, 'omp_get_wtime')
    call check(omp_get_team_size(0) == 1, 'omp_get_team_size(0) == 1')
    call check(omp_get_num_procs() >= 1, 'omp_get_num_procs() >= 1')
  end subroutine

  subroutine eight_bytes()
    integer (omp_sched_kind) :: kind
    integer (8) :: chunk
    call omp_set_num_threads(4_8)
    call check(omp_get_max_threads() == 4, 'omp_get_max_threads() == 4')
    call omp_set_nested(.true._8)
    call check(omp_get_nested(), 'omp_get_nested()')
    call omp_set_schedule(omp_sched_dynamic, 6_8)
    call omp_get_schedule(kind, chunk)
    call check(kind == omp_sched_dynamic .and. chunk == 6_8, 'omp_get_schedule, eight bytes')
    call check(omp_get_ancestor_thread_num(0_8) == 0, 'omp_get_ancestor_thread_num(0_8)')
  end subroutine

  subroutine locks()
    integer (omp_lock_kind) :: simple
    integer (omp_nest_lock_kind) :: nest
    integer :: total, i
    total = 0
    call omp_init_lock(simple)
    call omp_init_nest_lock(nest)
    !$omp parallel do num_threads(4) private(i)
    do i = 1, 1000
      call omp_set_nest_lock(nest)
      call omp_set_lock(simple)
      total = total + omp_test_nest_lock(nest)
      call omp_unset_lock(simple)
      call omp_unset_nest_lock(nest)
      call omp_unset_nest_lock(nest)
    end do
    call check(total == 2000, 'total == 2000')
    call check(omp_test_lock(simple), 'omp_test_lock(simple)')
    call check(.not. omp_test_lock(simple), '.not. omp_test_lock(simple)')
    call omp_unset_lock(simple)
    call omp_destroy_lock(simple)
    call omp_destroy_nest_lock(nest)
  end subroutine

  subroutine formats()
    character (len=12) :: text
    call omp_set_affinity_format('<%n of %N>')
    call check(omp_get_affinity_format(text) == 10, 'omp_get_affinity_format == 10')
    call check(text == '<%n of %N>', 'the affinity format')
    call check(omp_capture_affinity(text, '') == 8, 'omp_capture_affinity == 8')
    call check(text == '<0 of 1>', 'the captured affinity')
  end subroutine

  recursive integer function fibonacci(n) result(sum)
    integer, intent(in) :: n
    integer :: left, right
    if (n < 2) then
      sum = n
      return
    end if
    !$omp task shared(left)
    left = fibonacci(n - 1)
    !$omp end task
    !$omp task shared(right)
    right = fibonacci(n - 2)
    !$omp end task
    !$omp taskwait
    sum = left + right
  end function

  subroutine constructs()
    integer :: i, sum, last, order(100), found, values(50)
    character (len=20) :: text
    sum = 0
    last = 0
    text = 'shared by all'
    !$omp parallel do schedule(runtime) reduction(+ : sum) lastprivate(last) firstprivate(text)
    do i = 1, 100
      if (text == 'shared by all') sum = sum + i
      last = i
    end do
    call check(sum == 5050 .and. last == 100, 'a loop with a reduction')
    found = 0
    !$omp parallel do ordered schedule(dynamic)
    do i = 1, 100
      !$omp ordered
      found = found + 1
      order(found) = i
      !$omp end ordered
    end do
    call check(all(order == (/ (i, i = 1, 100) /)), 'an ordered loop')
    !$omp parallel
    !$omp single
    found = fibonacci(15)
    !$omp end single
    !$omp workshare
    values = 3
    values(1:10) = values(41:50) + 4
    !$omp end workshare
    !$omp end parallel
    call check(found == 610, 'tasks')
    call check(sum_of(values) == 190, 'workshare')
  end subroutine

  integer function sum_of(values)
    integer, intent(in) :: values(:)
    sum_of = sum(values)
  end function
end program
