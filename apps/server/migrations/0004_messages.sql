-- Messages to families, the tutor's notifications, and the settings of both.

create table reminder_settings (
  tutor_id uuid primary key references tutors on delete cascade,
  -- Null until the tutor has reviewed the first batch: nothing is sent automatically before.
  enabled_at timestamptz,
  lead_minutes integer check (lead_minutes in (60, 120, 180, 720, 1440, 2880)),
  channels text[] not null,
  recipient text not null check (recipient in ('carer', 'student', 'both')),
  overdue_enabled boolean not null,
  overdue_days integer[] not null,
  -- The tutor's own templates by kind of message; a missing one means the default.
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
  -- Identifies the purpose of the message, so that a repeat finds the first one.
  dedupe_key text not null,
  kind text not null check (kind in ('lesson_reminder', 'lesson_change', 'payment_reminder', 'invoice', 'receipt')),
  channel text not null check (channel in ('email', 'whatsapp')),
  state text not null check (state in
    ('waiting', 'draft', 'opened', 'sent', 'delivered', 'read', 'failed', 'skipped', 'dismissed')),
  -- Created by a job from a template, so that an approved WhatsApp template can express it.
  automatic boolean not null default false,
  family_id integer,
  to_name text not null,
  address text not null,
  subject text not null,
  text text not null,
  invoice_id integer,
  payment_id integer,
  attempts integer not null default 0,
  failure_reason text,
  created_at timestamptz not null,
  sent_at timestamptz,
  -- The message id of WhatsApp, once accepted.
  vendor_id text,
  primary key (tutor_id, id),
  unique (tutor_id, dedupe_key),
  foreign key (tutor_id, family_id) references families,
  foreign key (tutor_id, invoice_id) references invoices,
  foreign key (tutor_id, payment_id) references payments
);
create index messages_family_idx on messages (tutor_id, family_id) where family_id is not null;
create index messages_invoice_idx on messages (tutor_id, invoice_id) where invoice_id is not null;
create index messages_payment_idx on messages (tutor_id, payment_id) where payment_id is not null;
create index messages_created_at_idx on messages (tutor_id, created_at);
create index messages_outbox_idx on messages (tutor_id, id) where state in ('draft', 'opened');

-- The sessions a message mentions and the start that it communicated; null means that the session does not take place. The
-- session may be deleted before a correction is sent, so the text is copied and session_id is not a foreign key.
create table message_sessions (
  tutor_id uuid not null references tutors on delete cascade,
  message_id integer not null,
  session_id integer not null,
  communicated_starts_at timestamptz,
  student_name text not null,
  summary text not null,
  primary key (tutor_id, message_id, session_id),
  foreign key (tutor_id, message_id) references messages on delete cascade
);

-- Addresses that receive no automatic messages.
create table suppressions (
  tutor_id uuid not null references tutors on delete cascade,
  channel text not null check (channel in ('email', 'whatsapp')),
  address text not null,
  reason text not null check (reason in ('bounced', 'unsubscribed')),
  created_at timestamptz not null,
  primary key (tutor_id, channel, address)
);

-- Consents to automatic WhatsApp messages, with the wording that was agreed to. An ended one stays as a record.
create table whatsapp_consents (
  tutor_id uuid not null references tutors on delete cascade,
  -- '+' and digits, normalised.
  address text not null,
  name text not null,
  wording text not null,
  given_at timestamptz not null,
  -- Withdrawn, or rejected by WhatsApp for this number.
  ended_at timestamptz,
  primary key (tutor_id, address)
);

-- STOP and START received by the WhatsApp number that all tutors share, so global. Stores a hash of the number and the time of
-- each word, because they may arrive out of order and more than once.
create table whatsapp_opt_outs (
  number_hash bytea primary key,
  opted_out_at timestamptz,
  opted_in_at timestamptz
);

create table notifications (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  -- One notification for each event, however often it is reported.
  dedupe_key text not null,
  kind text not null,
  text text not null,
  path text,
  requires_action boolean not null,
  created_at timestamptz not null,
  read_at timestamptz,
  mailed_at timestamptz,
  primary key (tutor_id, id),
  unique (tutor_id, dedupe_key)
);
create index notifications_unread_idx on notifications (tutor_id, id) where read_at is null;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'reminder_settings', 'student_reminders', 'messages', 'message_sessions', 'suppressions',
    'whatsapp_consents', 'notifications'
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
  on reminder_settings, student_reminders, messages, message_sessions, suppressions, whatsapp_consents, whatsapp_opt_outs,
    notifications
  to lessonbook_app, lessonbook_maintenance;
