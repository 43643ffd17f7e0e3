-- needs-stop
-- The previous release would generate sessions of a series outside the terms that it follows.

-- A calendar of school terms, for example of one county. Series that follow it have sessions only within its terms.
create table term_calendars (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  primary key (tutor_id, id)
);

-- Both dates are inclusive, and the terms of a calendar do not overlap.
create table terms (
  tutor_id uuid not null references tutors on delete cascade,
  calendar_id integer not null,
  from_date date not null,
  to_date date not null,
  name text not null check (length(name) between 1 and 100),
  primary key (tutor_id, calendar_id, from_date),
  check (to_date >= from_date),
  foreign key (tutor_id, calendar_id) references term_calendars on delete cascade
);

-- Forced row-level security would keep the owner role from checking the new foreign keys; it is forced again at the end.
alter table students no force row level security;
alter table lessons no force row level security;

-- The calendar that new series of the student follow by default.
alter table students
  add column term_calendar_id integer,
  add foreign key (tutor_id, term_calendar_id) references term_calendars on delete set null (term_calendar_id);
create index students_term_calendar_idx on students (tutor_id, term_calendar_id) where term_calendar_id is not null;

-- Null for a lesson that takes place all year. A calendar that a current series follows cannot be deleted.
alter table lessons
  add column term_calendar_id integer,
  add foreign key (tutor_id, term_calendar_id) references term_calendars on delete set null (term_calendar_id);
create index lessons_term_calendar_idx on lessons (tutor_id, term_calendar_id) where term_calendar_id is not null;

alter table students force row level security;
alter table lessons force row level security;

alter table term_calendars enable row level security;
alter table term_calendars force row level security;
create policy tenant_isolation on term_calendars using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
alter table terms enable row level security;
alter table terms force row level security;
create policy tenant_isolation on terms using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on term_calendars, terms to lessonbook_app, lessonbook_maintenance;
