-- needs-stop
-- The previous release reads from suppressions who has unsubscribed; these rows move to their own table.

-- The kinds of reminders that the owner of an email address has stopped. They apply to all channels of that person.
create table reminder_opt_outs (
  tutor_id uuid not null references tutors on delete cascade,
  -- In lower case.
  address text not null,
  kind text not null check (kind in ('lesson_reminder', 'payment_reminder')),
  created_at timestamptz not null,
  primary key (tutor_id, address, kind)
);

-- Forced row-level security would hide the rows from the owner role; it is forced again below.
alter table suppressions no force row level security;
insert into reminder_opt_outs (tutor_id, address, kind, created_at)
select s.tutor_id, s.address, k.kind, s.created_at
from suppressions s cross join (values ('lesson_reminder'), ('payment_reminder')) as k (kind)
where s.reason = 'unsubscribed';
delete from suppressions where reason = 'unsubscribed';
alter table suppressions
  drop constraint suppressions_reason_check,
  add constraint suppressions_reason_check check (reason = 'bounced');
alter table suppressions force row level security;

alter table messages
  -- The recipient's time zone; null means the tutor's.
  add column time_zone text;

alter table notifications
  -- The id of the family, message, session or payment that the notification is about.
  add column target_id integer,
  -- When the tutor marked it as done.
  add column resolved_at timestamptz;
create index notifications_unresolved_idx on notifications (tutor_id, id) where requires_action and resolved_at is null;

alter table reminder_opt_outs enable row level security;
alter table reminder_opt_outs force row level security;
create policy tenant_isolation on reminder_opt_outs using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on reminder_opt_outs to lessonbook_app, lessonbook_maintenance;
