-- needs-stop
-- The student, fee and attendance of a session move to its seats, which the previous release does not read.
--
-- Seats: the roster of a lesson and the students who are expected in each session. A one-to-one lesson has one row in each.

-- The roster of a lesson. A student who leaves and joins again has two rows.
create table lesson_students (
  tutor_id uuid not null references tutors on delete cascade,
  lesson_id integer not null,
  student_id integer not null,
  -- The order in which the students are listed; the first is the lesson's student in the specification's fields.
  position integer not null,
  -- The student's own price in minor units; 0 is free, null is the lesson's price.
  fee integer check (fee >= 0),
  -- Both inclusive; the first date is 1900-01-01 for the students that the lesson started with.
  from_date date not null,
  to_date date,
  primary key (tutor_id, lesson_id, student_id, from_date),
  check (to_date >= from_date),
  foreign key (tutor_id, lesson_id) references lessons on delete cascade,
  foreign key (tutor_id, student_id) references students
);
create index lesson_students_student_idx on lesson_students (tutor_id, student_id);

-- A seat: one student in one session.
create table session_students (
  tutor_id uuid not null references tutors on delete cascade,
  session_id integer not null,
  student_id integer not null,
  position integer not null,
  -- The resolved fee in minor units; null is free.
  fee integer check (fee > 0),
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  -- Which price the fee was taken from: typed for this session, the student's own price in the lesson, the lesson's price,
  -- the student's rate for the subject, or the subject's default fee.
  fee_source text not null check (fee_source in ('session', 'student', 'lesson', 'rate', 'subject')),
  -- Cancelled for this student only. If the whole session is cancelled, its status says so and the seats stay as they are.
  state text not null default 'expected' check (state in ('expected', 'cancelled')),
  attendance text check (attendance in ('attended', 'late', 'absent')),
  -- The tutor's decision, which distinguishes a waived charge from a missing one.
  is_billable boolean not null default false,
  cancelled_by text check (cancelled_by in ('tutor', 'student', 'carer')),
  cancel_reason text,
  -- The notice that was given, when the seat or the session was cancelled.
  notice_minutes integer,
  primary key (tutor_id, session_id, student_id),
  check ((state = 'cancelled') = (cancelled_by is not null)),
  foreign key (tutor_id, session_id) references sessions on delete cascade,
  foreign key (tutor_id, student_id) references students
);
create index session_students_student_idx on session_students (tutor_id, student_id);

-- The owner is subject to row-level security only while it is forced; the copies below read all tutors.
alter table lessons no force row level security;
alter table sessions no force row level security;
alter table message_sessions no force row level security;

insert into lesson_students (tutor_id, lesson_id, student_id, position, from_date)
select tutor_id, id, student_id, 0, date '1900-01-01' from lessons;

insert into session_students (tutor_id, session_id, student_id, position, fee, currency, fee_source, attendance, is_billable)
select s.tutor_id, s.id, s.student_id, 0, s.fee, s.currency,
  case when s.fee is not distinct from l.fee then 'lesson' else 'session' end, s.attendance, s.is_billable
from sessions s join lessons l on l.tutor_id = s.tutor_id and l.id = s.lesson_id;

alter table lessons drop column student_id;
alter table sessions drop column student_id, drop column fee, drop column currency, drop column attendance,
  drop column is_billable;

-- What a message said about a session concerns one student: siblings may be in the same session.
alter table message_sessions add column student_id integer;
update message_sessions t set student_id = s.student_id
from session_students s where s.tutor_id = t.tutor_id and s.session_id = t.session_id;
-- The session was deleted since, so the message cannot be compared with the schedule.
update message_sessions set student_id = 0 where student_id is null;
alter table message_sessions alter column student_id set not null,
  drop constraint message_sessions_pkey, add primary key (tutor_id, message_id, session_id, student_id);

alter table lessons force row level security;
alter table sessions force row level security;
alter table message_sessions force row level security;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['lesson_students', 'session_students'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant_isolation on %I using (tutor_id = current_setting(''app.tutor_id'')::uuid)
       with check (tutor_id = current_setting(''app.tutor_id'')::uuid)',
      tenant_table);
  end loop;
end
$$;

grant select, insert, update, delete on lesson_students, session_students to lessonbook_app, lessonbook_maintenance;
