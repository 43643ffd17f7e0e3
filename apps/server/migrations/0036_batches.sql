-- Work on many invoices or families that a job does item by item. Deleted after a month.
create table batches (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  kind text not null check (kind in ('send_invoices', 'issue_invoices', 'send_reminders')),
  created_at timestamptz not null,
  stopped_at timestamptz,
  -- Set while no item is waiting.
  finished_at timestamptz,
  primary key (tutor_id, id)
);
create index batches_unfinished_idx on batches (tutor_id, id) where finished_at is null;

create table batch_items (
  tutor_id uuid not null references tutors on delete cascade,
  batch_id integer not null,
  position integer not null,
  family_id integer not null,
  -- Null for a reminder.
  invoice_id integer,
  state text not null check (state in ('waiting', 'done', 'failed', 'skipped', 'stopped')),
  failure_reason text,
  message_id integer,
  processed_at timestamptz,
  primary key (tutor_id, batch_id, position),
  foreign key (tutor_id, batch_id) references batches on delete cascade,
  foreign key (tutor_id, family_id) references families on delete cascade,
  -- A draft can be deleted while it waits.
  foreign key (tutor_id, invoice_id) references invoices on delete cascade,
  foreign key (tutor_id, message_id) references messages on delete set null (message_id)
);
create index batch_items_family_idx on batch_items (tutor_id, family_id);
create index batch_items_invoice_idx on batch_items (tutor_id, invoice_id) where invoice_id is not null;
create index batch_items_message_idx on batch_items (tutor_id, message_id) where message_id is not null;

alter table batches enable row level security;
alter table batches force row level security;
create policy tenant_isolation on batches using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
alter table batch_items enable row level security;
alter table batch_items force row level security;
create policy tenant_isolation on batch_items using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on batches, batch_items to lessonbook_app, lessonbook_maintenance;
