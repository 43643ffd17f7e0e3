-- needs-stop
-- The previous release would read the pause of one student as time off of the tutor, and cancel everybody's sessions.

-- Forced row-level security would keep the owner role from checking the new foreign keys; it is forced again at the end.
alter table students no force row level security;
alter table time_off no force row level security;
alter table session_students no force row level security;

alter table students
  add column school text,
  add column school_year text,
  -- A pause is not a status of its own: it is time off of the student, with a first and a last day.
  add column status text not null default 'active' check (status in ('trial', 'active', 'left'));

-- Time off with a student is that student's pause: it cancels their seats only.
alter table time_off
  add column student_id integer,
  -- A pause may be open-ended.
  alter column to_date drop not null,
  add foreign key (tutor_id, student_id) references students,
  add check (student_id is not null or to_date is not null),
  add check (student_id is null or start_time is null);
create index time_off_student_idx on time_off (tutor_id, student_id) where student_id is not null;

alter table session_students
  -- The pause that cancelled the seat. If nobody else was expected, it cancelled the session, and the seat is unchanged.
  add column time_off_id integer,
  add foreign key (tutor_id, time_off_id) references time_off;
create index session_students_time_off_idx on session_students (tutor_id, time_off_id) where time_off_id is not null;

-- Lists of students show what is outstanding for each of them.
create index charges_student_open_idx on charges (tutor_id, student_id) where outstanding > 0;

alter table students force row level security;
alter table time_off force row level security;
alter table session_students force row level security;
