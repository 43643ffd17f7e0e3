-- Messages to families, the tutor's inbox, and the choices that both obey.

create table reminder_settings (
  tutor_id uuid primary key references tutors on delete cascade,
  -- Nothing goes out by itself before the tutor has seen the first batch and said so.
  started_at timestamptz,
  lead_minutes integer check (lead_minutes in (60, 120, 180, 720, 1440, 2880)),
  channels text[] not null,
  recipient text not null check (recipient in ('carer', 'student', 'both')),
  chase boolean not null,
  chase_days integer[] not null,
  -- The tutor's own words by kind of message; what is missing is the proposal.
  templates jsonb not null
);

create table student_reminders (
  tutor_id uuid not null references tutors on delete cascade,
  student_id integer not null,
  lead_minutes integer check (lead_minutes in (60, 120, 180, 720, 1440, 2880)),
  channels text[] not null,
  recipient text not null check (recipient in ('carer', 'student', 'both')),
  primary key (tutor_id, student_id),
  foreign key (tutor_id, student_id) references students
);

create table messages (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  -- What it is meant to do, once: a repeat of the same intent finds the first one.
  intent text not null,
  kind text not null check (kind in ('lesson_reminder', 'lesson_change', 'payment_reminder', 'invoice', 'receipt')),
  channel text not null check (channel in ('email', 'whatsapp')),
  state text not null check (state in
    ('waiting', 'draft', 'opened', 'sent', 'delivered', 'read', 'failed', 'skipped', 'dismissed')),
  -- Made by the clock and not by the tutor's hand: its words are the template's, so an approved template may say them.
  automatic boolean not null default false,
  family_id integer,
  to_name text not null,
  address text not null,
  subject text not null,
  text text not null,
  invoice_id integer,
  payment_id integer,
  attempts integer not null default 0,
  problem text,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- WhatsApp's name for it, once taken there.
  vendor_id text,
  primary key (tutor_id, id),
  unique (tutor_id, intent),
  foreign key (tutor_id, family_id) references families,
  foreign key (tutor_id, invoice_id) references invoices,
  foreign key (tutor_id, payment_id) references payments
);
create index messages_of_family on messages (tutor_id, family_id) where family_id is not null;
create index messages_of_invoice on messages (tutor_id, invoice_id) where invoice_id is not null;
create index messages_of_payment on messages (tutor_id, payment_id) where payment_id is not null;
create index messages_by_time on messages (tutor_id, created_at);
create index messages_in_tray on messages (tutor_id, id) where state in ('draft', 'opened');

-- Which lessons a message speaks of, and what its reader believes since: when each begins, or that it does not take place.
-- The lesson itself may be gone by the time it has to be corrected, so the words are kept here and the id may lead nowhere.
create table message_sessions (
  tutor_id uuid not null references tutors on delete cascade,
  message_id integer not null,
  session_id integer not null,
  told_at timestamptz,
  student text not null,
  line text not null,
  primary key (tutor_id, message_id, session_id),
  foreign key (tutor_id, message_id) references messages on delete cascade
);

-- Addresses that nothing automatic goes to any more.
create table suppressions (
  tutor_id uuid not null references tutors on delete cascade,
  channel text not null check (channel in ('email', 'whatsapp')),
  address text not null,
  reason text not null check (reason in ('bounced', 'unsubscribed')),
  created_at timestamptz not null,
  primary key (tutor_id, channel, address)
);

-- Who agreed to WhatsApp messages that go by themselves, and to which words. An ended one stays as the record of it.
create table whatsapp_consents (
  tutor_id uuid not null references tutors on delete cascade,
  -- '+' and digits, however the number was written.
  address text not null,
  name text not null,
  wording text not null,
  given_at timestamptz not null,
  -- Withdrawn, or WhatsApp said that the number takes no messages of ours.
  ended_at timestamptz,
  primary key (tutor_id, address)
);

-- Numbers that wrote STOP or START to the server's WhatsApp number, which all tutors share; so global. Only a hash of the
-- number is here, with when each word was last said: they may arrive in any order, and more than once.
create table stopped_numbers (
  number_hash bytea primary key,
  stopped_at timestamptz,
  started_at timestamptz
);
grant select, insert, update, delete on stopped_numbers to lessonbook_app, lessonbook_maintenance;

create table notifications (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  -- One notice for each occasion, however often it is said.
  occasion text not null,
  kind text not null,
  text text not null,
  path text,
  needs_you boolean not null,
  created_at timestamptz not null,
  read_at timestamptz,
  mailed_at timestamptz,
  primary key (tutor_id, id),
  unique (tutor_id, occasion)
);
create index notifications_unread on notifications (tutor_id, id) where read_at is null;

-- The evenings of those who signed up before there was an inbox.
insert into agenda (tutor_id, kind, next_due_at) select tutor_id, 'day', now() from directory
on conflict do nothing;

alter table public_links drop constraint public_links_kind_check,
  add constraint public_links_kind_known check (kind in ('balance', 'invoice', 'unsubscribe', 'whatsapp'));

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'reminder_settings', 'student_reminders', 'messages', 'message_sessions', 'suppressions', 'whatsapp_consents', 'notifications'
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
