-- The teaching day: subjects, students and carers, lessons and their sessions, time off, and the first charges.
--
-- A lesson is an arrangement on the wall clock; each session is a row with the instants derived from it. Times are text
-- (HH:MM) and dates are dates, because the wall is the truth; starts_at and ends_at exist to be compared.

create extension if not exists btree_gist;

create table subjects (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  name text not null check (length(name) between 1 and 100),
  description text,
  default_fee integer not null check (default_fee > 0),
  currency text not null check (currency in ('GBP', 'USD', 'EUR')),
  tone text not null check (tone in ('pine', 'sky', 'plum', 'clay', 'ochre', 'stone')),
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
  primary key (tutor_id, id),
  foreign key (tutor_id, carer_id) references carers
);
create index students_of_carer on students (tutor_id, carer_id);

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
  -- What the pattern counts from; differs from first_date once the series was moved.
  anchor_date date not null,
  end_date date,
  -- Sessions exist up to this day; the horizon job goes on from here.
  materialised_to date not null,
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
create index lessons_of_student on lessons (tutor_id, student_id);
create index lessons_of_subject on lessons (tutor_id, subject_id);
create index lessons_continued on lessons (tutor_id, continues_lesson_id) where continues_lesson_id is not null;

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
  -- The date that the pattern gave it, wherever it was moved since.
  occurrence_date date not null,
  -- The same date while this row fills that place in the series; null for a replacement or a row the series left behind.
  slot date,
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
  -- Edited by itself: a change of the series leaves it alone.
  edited boolean not null default false,
  -- Part of an overlap that the tutor accepted: the constraint below looks away.
  overlap_accepted boolean not null default false,
  attendance text check (attendance in ('attended', 'late', 'absent')),
  cancelled_by text check (cancelled_by in ('tutor', 'student', 'carer')),
  cancel_reason text,
  time_off_id integer,
  rescheduled_to_id integer,
  rescheduled_from_id integer,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  check (end_time > start_time and ends_at > starts_at),
  constraint sessions_one_per_slot unique (tutor_id, lesson_id, slot) deferrable initially immediate,
  foreign key (tutor_id, lesson_id) references lessons,
  foreign key (tutor_id, student_id) references students,
  foreign key (tutor_id, subject_id) references subjects,
  foreign key (tutor_id, time_off_id) references time_off,
  foreign key (tutor_id, rescheduled_to_id) references sessions deferrable initially deferred,
  foreign key (tutor_id, rescheduled_from_id) references sessions deferrable initially deferred,
  -- The backstop of trust: two scheduled sessions of a tutor do not overlap unless that was accepted.
  constraint sessions_no_overlap exclude using gist (tutor_id with =, tstzrange(starts_at, ends_at) with &&)
    where (status = 'scheduled' and not overlap_accepted) deferrable initially immediate
);
create index sessions_by_date on sessions (tutor_id, date, start_time);
create index sessions_scheduled on sessions (tutor_id, starts_at) where status = 'scheduled';
create index sessions_of_student on sessions (tutor_id, student_id, date);
create index sessions_of_subject on sessions (tutor_id, subject_id);
create index sessions_of_time_off on sessions (tutor_id, time_off_id) where time_off_id is not null;
create index sessions_moved_to on sessions (tutor_id, rescheduled_to_id) where rescheduled_to_id is not null;
create index sessions_moved_from on sessions (tutor_id, rescheduled_from_id) where rescheduled_from_id is not null;

-- Pairs that the tutor saw and accepted; dropped when either moves.
create table accepted_overlaps (
  tutor_id uuid not null references tutors on delete cascade,
  session_id integer not null,
  other_id integer not null,
  primary key (tutor_id, session_id, other_id),
  check (session_id < other_id),
  foreign key (tutor_id, session_id) references sessions on delete cascade,
  foreign key (tutor_id, other_id) references sessions on delete cascade
);
create index accepted_overlaps_of_other on accepted_overlaps (tutor_id, other_id);

create table cancellation_policies (
  tutor_id uuid primary key references tutors on delete cascade,
  notice_hours integer not null check (notice_hours between 0 and 720),
  fee_percent integer not null check (fee_percent between 0 and 100)
);

-- A payer's account: a carer's, or that of a student who has none.
create table families (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  carer_id integer,
  student_id integer,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  check ((carer_id is null) <> (student_id is null)),
  unique (tutor_id, carer_id),
  unique (tutor_id, student_id),
  foreign key (tutor_id, carer_id) references carers,
  foreign key (tutor_id, student_id) references students
);

-- What a payer owes. Append-only: the amount never changes, a mistake is reversed by an entry of its own.
create table charges (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  family_id integer not null,
  student_id integer not null,
  session_id integer,
  kind text not null check (kind in ('lesson', 'cancellation', 'reversal')),
  amount integer not null check (case when kind = 'reversal' then amount < 0 else amount > 0 end),
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  due_date date not null,
  reverses_id integer,
  -- Derived, kept beside the entry so that what is open is found by an index; `npm run invariants` proves both.
  reversed boolean not null default false,
  outstanding integer not null check (outstanding >= 0),
  author text not null,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  check ((kind = 'reversal') = (reverses_id is not null)),
  unique (tutor_id, reverses_id),
  foreign key (tutor_id, family_id) references families,
  foreign key (tutor_id, student_id) references students,
  foreign key (tutor_id, session_id) references sessions,
  foreign key (tutor_id, reverses_id) references charges
);
create unique index charges_one_per_session on charges (tutor_id, session_id)
  where session_id is not null and kind <> 'reversal' and not reversed;
create index charges_of_session on charges (tutor_id, session_id);
create index charges_of_family on charges (tutor_id, family_id, due_date);
create index charges_of_student on charges (tutor_id, student_id);
create index charges_open on charges (tutor_id, due_date, id) where outstanding > 0;

-- The first answer to a request that may be repeated by accident.
create table idempotency_keys (
  tutor_id uuid not null references tutors on delete cascade,
  key text not null check (length(key) between 8 and 200),
  request_hash bytea not null,
  reply text not null,
  created_at timestamptz not null,
  primary key (tutor_id, key)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'subjects', 'carers', 'students', 'lessons', 'time_off', 'sessions', 'accepted_overlaps', 'cancellation_policies',
    'families', 'charges', 'idempotency_keys'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy own_rows on %I using (tutor_id = current_setting(''app.tutor_id'')::uuid)
       with check (tutor_id = current_setting(''app.tutor_id'')::uuid)',
      tenant_table);
    execute format('grant select, insert, update, delete on %I to lessonbook_app, lessonbook_maintenance', tenant_table);
  end loop;
end
$$;

-- Entries of the ledger are never taken out by the application; their amounts are never changed.
revoke delete, update on charges from lessonbook_app;
grant update (reversed, outstanding) on charges to lessonbook_app;
