-- Questions of families about a charge. Until the tutor has answered, the payer is not asked for the charge.
create table charge_queries (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  charge_id integer not null,
  contact_id integer not null,
  status text not null check (status in ('open', 'answered', 'withdrawn')),
  -- The words of the family.
  message text not null,
  -- The words of the tutor.
  answer text,
  -- The tutor's answer: whether the charge stays as it is.
  is_owed boolean,
  asked_at timestamptz not null,
  answered_at timestamptz,
  primary key (tutor_id, id),
  check ((status = 'answered') = (is_owed is not null)),
  foreign key (tutor_id, charge_id) references charges,
  foreign key (tutor_id, contact_id) references contacts on delete cascade
);
create index charge_queries_charge_idx on charge_queries (tutor_id, charge_id);
create index charge_queries_contact_idx on charge_queries (tutor_id, contact_id);
-- One question at a time.
create unique index charge_queries_open_idx on charge_queries (tutor_id, charge_id) where status = 'open';

alter table charge_queries enable row level security;
alter table charge_queries force row level security;
create policy tenant_isolation on charge_queries using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on charge_queries to lessonbook_app, lessonbook_maintenance;
