-- What a student pays for a subject from a date on, until the next rate.
create table rates (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  student_id integer not null,
  subject_id integer not null,
  amount integer not null check (amount > 0),
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  unit text not null check (unit in ('hour', 'lesson')),
  valid_from date not null,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  -- Also the index of the foreign key to students.
  unique (tutor_id, student_id, subject_id, valid_from),
  foreign key (tutor_id, student_id) references students,
  foreign key (tutor_id, subject_id) references subjects
);
create index rates_subject_idx on rates (tutor_id, subject_id);

alter table rates enable row level security;
alter table rates force row level security;
create policy tenant_isolation on rates using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on rates to lessonbook_app, lessonbook_maintenance;

-- No fee was entered: a student's rate applies, or else `fee`, which is then a copy of the subject's default fee.
alter table lessons add column uses_rates boolean not null default false;
