-- Requests of families to move a lesson. The lesson stays as it is until one of the times is accepted.
create table move_requests (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  contact_id integer not null,
  session_id integer not null,
  -- Not a reference to the seat: if the seat gets another student, the request must not become theirs.
  student_id integer not null,
  -- Open: the tutor has to answer. Suggested: the family has to.
  status text not null check (status in ('open', 'suggested', 'accepted', 'declined', 'withdrawn', 'closed')),
  -- Starts in the tutor's time zone: [{"date": "2026-11-24", "startTime": "16:30"}].
  choices jsonb not null check (jsonb_typeof(choices) = 'array'),
  suggestions jsonb not null default '[]' check (jsonb_typeof(suggestions) = 'array'),
  -- The words of the family.
  message text,
  -- The words of the tutor.
  answer text,
  -- When the lesson was when the family asked. If it changes, the request is closed.
  session_date date not null,
  session_start_time text not null,
  asked_at timestamptz not null,
  answered_at timestamptz,
  primary key (tutor_id, id),
  foreign key (tutor_id, contact_id) references contacts on delete cascade,
  foreign key (tutor_id, session_id) references sessions on delete cascade,
  foreign key (tutor_id, student_id) references students on delete cascade
);
create index move_requests_contact_idx on move_requests (tutor_id, contact_id, asked_at);
create index move_requests_session_idx on move_requests (tutor_id, session_id);
create index move_requests_student_idx on move_requests (tutor_id, student_id);
-- One request at a time.
create unique index move_requests_pending_idx on move_requests (tutor_id, session_id, student_id)
  where status in ('open', 'suggested');

alter table move_requests enable row level security;
alter table move_requests force row level security;
create policy tenant_isolation on move_requests using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on move_requests to lessonbook_app, lessonbook_maintenance;

-- The words between the tutor and one contact are not shown to another. The calendar feed, which is read without a login,
-- has no requests.
create view portal_move_requests with (security_barrier) as
select r.tutor_id, r.id, r.session_id, r.student_id, r.status, r.choices, r.suggestions, r.session_date,
  r.session_start_time, r.asked_at, r.answered_at,
  case when r.contact_id = a.contact_id then r.contact_id end as contact_id,
  case when r.contact_id = a.contact_id then r.answer end as answer
from portal_access a
join move_requests r on r.tutor_id = a.tutor_id and r.student_id = a.student_id
where a.sees_lessons and current_setting('app.login_id') <> 'feed';
grant select on portal_move_requests to lessonbook_contact;
