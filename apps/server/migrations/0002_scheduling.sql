-- Scheduling: subjects, students and carers, lessons and their sessions, time off.
--
-- A lesson is an arrangement in local time; each session is a row with the instants derived from it. Times are text
-- (HH:MM) and dates are dates, because local time is authoritative; starts_at and ends_at exist for comparison.

create extension if not exists btree_gist;

create table subjects (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  name text not null check (length(name) between 1 and 100),
  description text,
  default_fee integer not null check (default_fee > 0),
  currency text not null check (currency in ('GBP', 'USD', 'EUR')),
  color text not null check (color in ('pine', 'sky', 'plum', 'clay', 'ochre', 'stone')),
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (tutor_id, id)
);

create table carers (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  name text not null check (length(name) between 1 and 100),
  relationship text,
  phone text,
  email text,
  created_at timestamptz not null,
  -- Set when the personal data was erased; the row stays for its references.
  erased_at timestamptz,
  primary key (tutor_id, id)
);

create table students (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  name text not null check (length(name) between 1 and 100),
  phone text,
  email text,
  subject text,
  notes text,
  carer_id integer,
  created_at timestamptz not null,
  archived_at timestamptz,
  -- As for carers.
  erased_at timestamptz,
  primary key (tutor_id, id),
  foreign key (tutor_id, carer_id) references carers
);
create index students_carer_idx on students (tutor_id, carer_id);

create table lessons (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  student_id integer not null,
  subject_id integer not null,
  title text not null check (length(title) between 1 and 200),
  first_date date not null,
  start_time text not null check (start_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  end_time text not null check (end_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- Minor units; null is a free lesson.
  fee integer check (fee > 0),
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  place text,
  notes text,
  is_recurring boolean not null,
  pattern text not null check (pattern in ('weekly', 'biweekly', 'monthly')),
  -- The date the pattern counts from; differs from first_date once the series was moved.
  recurrence_start date not null,
  end_date date,
  -- Sessions exist up to this date; the rolling generation continues from here.
  generated_until date not null,
  -- The lesson that "this and following" split this one from.
  continues_lesson_id integer,
  created_at timestamptz not null,
  archived_at timestamptz,
  primary key (tutor_id, id),
  check (end_time > start_time),
  foreign key (tutor_id, student_id) references students,
  foreign key (tutor_id, subject_id) references subjects,
  foreign key (tutor_id, continues_lesson_id) references lessons
);
create index lessons_student_idx on lessons (tutor_id, student_id);
create index lessons_subject_idx on lessons (tutor_id, subject_id);
create index lessons_continues_lesson_idx on lessons (tutor_id, continues_lesson_id) where continues_lesson_id is not null;

create table time_off (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  from_date date not null,
  to_date date not null,
  -- Both or neither: part of each day.
  start_time text,
  end_time text,
  reason text,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  check (to_date >= from_date),
  check ((start_time is null) = (end_time is null)),
  check (end_time > start_time)
);

create table sessions (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  lesson_id integer not null,
  student_id integer not null,
  subject_id integer not null,
  title text not null check (length(title) between 1 and 200),
  -- The date the pattern produced, even if the session was moved since.
  occurrence_date date not null,
  -- Equal to occurrence_date while the row holds that position in the series; null for a replacement and for a row that is
  -- no longer part of the series.
  series_date date,
  date date not null,
  start_time text not null check (start_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  end_time text not null check (end_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status text not null default 'scheduled' check (status in ('scheduled', 'completed', 'cancelled', 'rescheduled')),
  fee integer check (fee > 0),
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  place text,
  notes text,
  -- Edited individually, so that changes of the series skip it.
  is_override boolean not null default false,
  -- Part of an overlap that the tutor accepted; exempt from sessions_no_overlap.
  overlap_accepted boolean not null default false,
  -- The tutor's decision, which distinguishes a waived charge from a missing one.
  is_billable boolean not null default false,
  attendance text check (attendance in ('attended', 'late', 'absent')),
  cancelled_by text check (cancelled_by in ('tutor', 'student', 'carer')),
  cancel_reason text,
  time_off_id integer,
  rescheduled_to_id integer,
  rescheduled_from_id integer,
  -- Number of changes, published as the iCalendar SEQUENCE.
  sequence integer not null default 0,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  check (end_time > start_time and ends_at > starts_at),
  constraint sessions_one_per_series_date unique (tutor_id, lesson_id, series_date) deferrable initially immediate,
  foreign key (tutor_id, lesson_id) references lessons,
  foreign key (tutor_id, student_id) references students,
  foreign key (tutor_id, subject_id) references subjects,
  foreign key (tutor_id, time_off_id) references time_off,
  foreign key (tutor_id, rescheduled_to_id) references sessions deferrable initially deferred,
  foreign key (tutor_id, rescheduled_from_id) references sessions deferrable initially deferred,
  -- Two scheduled sessions of a tutor never overlap unless the tutor accepted it, whatever the application checks.
  constraint sessions_no_overlap exclude using gist (tutor_id with =, tstzrange(starts_at, ends_at) with &&)
    where (status = 'scheduled' and not overlap_accepted) deferrable initially immediate
);
create index sessions_date_idx on sessions (tutor_id, date, start_time);
create index sessions_scheduled_idx on sessions (tutor_id, starts_at) where status = 'scheduled';
create index sessions_student_idx on sessions (tutor_id, student_id, date);
create index sessions_subject_idx on sessions (tutor_id, subject_id);
create index sessions_time_off_idx on sessions (tutor_id, time_off_id) where time_off_id is not null;
create index sessions_rescheduled_to_idx on sessions (tutor_id, rescheduled_to_id) where rescheduled_to_id is not null;
create index sessions_rescheduled_from_idx on sessions (tutor_id, rescheduled_from_id) where rescheduled_from_id is not null;

-- A trigger, because many statements change sessions and calendar clients ignore a change without a higher sequence.
create function increment_session_sequence() returns trigger language plpgsql as $$
begin
  new.sequence := old.sequence + 1;
  return new;
end
$$;
create trigger sessions_increment_sequence before update on sessions for each row
  when ((old.starts_at, old.ends_at, old.status, old.title, old.place) is distinct from
        (new.starts_at, new.ends_at, new.status, new.title, new.place))
  execute function increment_session_sequence();

-- Pairs of overlapping sessions that the tutor accepted; deleted when either moves.
create table accepted_overlaps (
  tutor_id uuid not null references tutors on delete cascade,
  session_id integer not null,
  other_id integer not null,
  primary key (tutor_id, session_id, other_id),
  check (session_id < other_id),
  foreign key (tutor_id, session_id) references sessions on delete cascade,
  foreign key (tutor_id, other_id) references sessions on delete cascade
);
create index accepted_overlaps_other_idx on accepted_overlaps (tutor_id, other_id);

create table cancellation_policies (
  tutor_id uuid primary key references tutors on delete cascade,
  notice_hours integer not null check (notice_hours between 0 and 720),
  fee_percent integer not null check (fee_percent between 0 and 100)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'subjects', 'carers', 'students', 'lessons', 'time_off', 'sessions', 'accepted_overlaps',
    'cancellation_policies'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant_isolation on %I using (tutor_id = current_setting(''app.tutor_id'')::uuid)
       with check (tutor_id = current_setting(''app.tutor_id'')::uuid)',
      tenant_table);
  end loop;
end
$$;

grant select, insert, update, delete
  on subjects, carers, students, lessons, time_off, sessions, accepted_overlaps, cancellation_policies
  to lessonbook_app, lessonbook_maintenance;
