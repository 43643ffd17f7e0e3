-- Audit: the log of sensitive actions, its retention, and the export of all of a tutor's data.

-- Actions on the account. Contains no data about families, no secrets and no addresses: metadata holds numbers and short
-- strings, so erasing a person changes nothing here.
create table audit_log (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  occurred_at timestamptz not null,
  action text not null check (length(action) between 1 and 40),
  metadata jsonb not null,
  -- A description ("Firefox on Windows") and a masked IP address; null for actions without a request.
  device text,
  network text,
  primary key (tutor_id, id)
);

-- An export file is stored in chunks, so that any process can serve it without holding it in memory.
create table exports (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  state text not null check (state in ('waiting', 'making', 'ready', 'failed')),
  requested_at timestamptz not null,
  -- Incremented by each attempt: a worker whose attempt was superseded writes nothing more.
  attempt integer not null default 0,
  tables_done integer not null default 0,
  bytes bigint not null default 0,
  completed_at timestamptz,
  expires_at timestamptz not null,
  primary key (tutor_id, id)
);

create table export_chunks (
  tutor_id uuid not null references tutors on delete cascade,
  export_id integer not null,
  position integer not null,
  bytes bytea not null check (length(bytes) <= 1048576),
  primary key (tutor_id, export_id, position),
  foreign key (tutor_id, export_id) references exports on delete cascade
);
-- Already compressed.
alter table export_chunks alter column bytes set storage external;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'audit_log', 'exports', 'export_chunks'
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

-- The application appends to the audit log and deletes entries after two years. The database enforces the retention period
-- itself, with its own clock.
grant select, insert, delete on audit_log to lessonbook_app;
create policy audit_log_retention on audit_log as restrictive for delete to lessonbook_app
  using (occurred_at < now() - interval '2 years');
grant select, insert, update, delete on audit_log to lessonbook_maintenance;
grant select, insert, update, delete on exports, export_chunks to lessonbook_app, lessonbook_maintenance;
