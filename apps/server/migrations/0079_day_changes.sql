-- Lessons of whole days that were moved online or cancelled in one step, so that it can be extended and undone.
create table day_changes (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  action text not null check (action in ('online', 'cancel')),
  from_date date not null,
  to_date date not null,
  -- The meeting link for lessons without their own.
  link text,
  uses_google_meet boolean not null default false,
  -- The time off that cancelled the lessons. Null once the tutor has removed it.
  time_off_id integer,
  notifies_families boolean not null,
  created_at timestamptz not null,
  undone_at timestamptz,
  primary key (tutor_id, id),
  check (to_date >= from_date),
  foreign key (tutor_id, time_off_id) references time_off on delete set null (time_off_id)
);
create index day_changes_time_off_idx on day_changes (tutor_id, time_off_id) where time_off_id is not null;
create index day_changes_current_idx on day_changes (tutor_id, to_date) where undone_at is null;

create table day_change_sessions (
  tutor_id uuid not null references tutors on delete cascade,
  day_change_id integer not null,
  session_id integer not null,
  -- What the change set; if the session has another place by now, undoing leaves it alone.
  place text,
  uses_google_meet boolean not null,
  previous_place text,
  previous_uses_google_meet boolean not null,
  previous_is_override boolean not null,
  primary key (tutor_id, day_change_id, session_id),
  foreign key (tutor_id, day_change_id) references day_changes on delete cascade,
  foreign key (tutor_id, session_id) references sessions on delete cascade
);
create index day_change_sessions_session_idx on day_change_sessions (tutor_id, session_id);

alter table day_changes enable row level security;
alter table day_changes force row level security;
create policy tenant_isolation on day_changes using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
alter table day_change_sessions enable row level security;
alter table day_change_sessions force row level security;
create policy tenant_isolation on day_change_sessions using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on day_changes, day_change_sessions to lessonbook_app, lessonbook_maintenance;
