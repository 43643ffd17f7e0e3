-- What the tutor writes for the family about a lesson, and homework. The private notes of a session are in sessions.notes.

-- The versions of the note for one student of a session. A version without published_at is a draft, of which there is at most
-- one. A published version does not change; the family sees the last one, unless it was withdrawn.
create table lesson_notes (
  tutor_id uuid not null references tutors on delete cascade,
  session_id integer not null,
  -- Not a reference to the seat: if the seat gets another student, the note must not become theirs.
  student_id integer not null,
  version integer not null check (version > 0),
  did text,
  next_time text,
  homework text,
  due_on date,
  created_at timestamptz not null,
  published_at timestamptz,
  withdrawn_at timestamptz,
  primary key (tutor_id, session_id, student_id, version),
  check (did is not null or next_time is not null or homework is not null),
  check (due_on is null or homework is not null),
  check (withdrawn_at is null or published_at is not null),
  foreign key (tutor_id, session_id) references sessions on delete cascade,
  foreign key (tutor_id, student_id) references students on delete cascade
);
create index lesson_notes_student_idx on lesson_notes (tutor_id, student_id);
create unique index lesson_notes_draft_idx on lesson_notes (tutor_id, session_id, student_id) where published_at is null;

-- Homework that was done. The text is in the note.
create table homework_done (
  tutor_id uuid not null references tutors on delete cascade,
  session_id integer not null,
  student_id integer not null,
  done_at timestamptz not null,
  done_by text not null check (done_by in ('tutor', 'contact')),
  -- Null for the tutor, or if the contact was erased.
  contact_id integer,
  primary key (tutor_id, session_id, student_id),
  check (done_by = 'contact' or contact_id is null),
  foreign key (tutor_id, session_id) references sessions on delete cascade,
  foreign key (tutor_id, student_id) references students on delete cascade,
  foreign key (tutor_id, contact_id) references contacts
);
create index homework_done_student_idx on homework_done (tutor_id, student_id);
create index homework_done_contact_idx on homework_done (tutor_id, contact_id);

-- Which versions were emailed to whom. A version is in at most one email to a contact.
create table note_emails (
  tutor_id uuid not null references tutors on delete cascade,
  contact_id integer not null,
  session_id integer not null,
  student_id integer not null,
  version integer not null,
  message_id integer not null,
  primary key (tutor_id, contact_id, session_id, student_id, version),
  foreign key (tutor_id, contact_id) references contacts on delete cascade,
  -- The note follows a session that is moved.
  foreign key (tutor_id, session_id, student_id, version) references lesson_notes on update cascade on delete cascade,
  foreign key (tutor_id, message_id) references messages on delete cascade
);
create index note_emails_note_idx on note_emails (tutor_id, session_id, student_id, version);
create index note_emails_message_idx on note_emails (tutor_id, message_id);

alter table lesson_notes enable row level security;
alter table lesson_notes force row level security;
create policy tenant_isolation on lesson_notes using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
alter table homework_done enable row level security;
alter table homework_done force row level security;
create policy tenant_isolation on homework_done using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
alter table note_emails enable row level security;
alter table note_emails force row level security;
create policy tenant_isolation on note_emails using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on lesson_notes, homework_done, note_emails
  to lessonbook_app, lessonbook_maintenance;

-- With sees_notes, which is false for everyone but the student if the notes are for the student only.
create or replace view portal_access with (security_barrier) as
select a.tutor_id, a.contact_id, c.name as contact_name, c.time_zone, a.student_id, s.name as student_name,
  a.sees_lessons, a.sees_place, a.sees_money, a.may_cancel, a.may_ask,
  a.sees_notes and (not s.notes_for_student_only or coalesce(c.student_id = s.id, false)) as sees_notes
from contact_access a
join contacts c on c.tutor_id = a.tutor_id and c.id = a.contact_id
join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
join tutors t on t.tutor_id = a.tutor_id
where a.tutor_id = current_setting('app.tutor_id')::uuid
  and a.contact_id = current_setting('app.contact_id')::integer
  and (a.sees_lessons or a.sees_money
    or (a.sees_notes and (not s.notes_for_student_only or coalesce(c.student_id = s.id, false))))
  and c.erased_at is null and s.erased_at is null and s.archived_at is null
  and (
    -- The tutor's preview.
    current_setting('app.login_id') = 'preview'
    or (
      t.portal_opened_at is not null and t.deletion_scheduled_at is null and c.suspended_at is null
      and (
        exists (
          select 1 from contact_logins l
          where l.tutor_id = a.tutor_id and l.contact_id = a.contact_id
            and l.login_id = current_setting('app.login_id') and l.revoked_at is null)
        or (
          current_setting('app.login_id') = 'feed'
          and exists (
            select 1 from contact_feeds f where f.tutor_id = a.tutor_id and f.contact_id = a.contact_id)))
    ));

-- The last published version of each note. The calendar feed, which is read without a login, has no notes.
create view portal_notes with (security_barrier) as
select n.tutor_id, n.session_id, n.student_id, n.did, n.next_time, n.homework, n.due_on, n.published_at, s.date,
  s.starts_at, b.name as subject_name
from portal_access a
join lesson_notes n on n.tutor_id = a.tutor_id and n.student_id = a.student_id
join session_students x on x.tutor_id = n.tutor_id and x.session_id = n.session_id and x.student_id = n.student_id
join sessions s on s.tutor_id = n.tutor_id and s.id = n.session_id
join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
where a.sees_notes and n.published_at is not null and n.withdrawn_at is null
  and not exists (
    select 1 from lesson_notes l
    where l.tutor_id = n.tutor_id and l.session_id = n.session_id and l.student_id = n.student_id
      and l.version > n.version and l.published_at is not null)
  and current_setting('app.login_id') <> 'feed';

-- Another contact of the student is not named.
create view portal_homework with (security_barrier) as
select n.tutor_id, n.session_id, n.student_id, n.homework as text, n.due_on, n.date, n.starts_at, n.subject_name, h.done_at,
  case
    when h.done_by = 'tutor' then 'tutor'
    when h.contact_id = current_setting('app.contact_id')::integer then 'you'
    when exists (
      select 1 from contacts c where c.tutor_id = h.tutor_id and c.id = h.contact_id and c.student_id = h.student_id)
      then 'student'
    when h.done_by is not null then 'family'
  end as done_by
from portal_notes n
left join homework_done h on h.tutor_id = n.tutor_id and h.session_id = n.session_id and h.student_id = n.student_id
where n.homework is not null;

grant select on portal_notes, portal_homework to lessonbook_contact;
