-- Core: tutors (the tenants), per-tenant ids, due work, idempotency keys, public links, rate limits.
--
-- This file and 0002 to 0008 are the baseline. From here on migrations go forward only: a change is a new file.
--
-- Tenant tables: the key starts with tutor_id, row-level security is forced, and the policy compares tutor_id with the
-- setting app.tutor_id, which only a tenant transaction sets. Without it the cast to uuid fails, so access fails closed.
-- Global tables have no policy. They are few and small, and schema.test.ts lists each with its reason.

revoke create on schema public from public;
grant usage on schema public to lessonbook_app, lessonbook_maintenance;

create table tutors (
  tutor_id uuid primary key,
  -- Exposed outside the server instead of tutor_id.
  public_id text not null,
  name text not null check (length(name) between 2 and 100),
  time_zone text not null,
  trial_ends_at timestamptz not null,
  -- Incremented with every write of the tutor, so that clients detect stale data.
  revision bigint not null default 1,
  email_notifications boolean not null default true,
  lesson_reminders boolean not null default true,
  payment_notifications boolean not null default true,
  -- When the account will be deleted; null unless the tutor asked for it.
  deletion_scheduled_at timestamptz,
  created_at timestamptz not null
) with (fillfactor = 80);

-- Ids are counted per tutor: each tutor has a student 1, 2, 3.
create table id_sequences (
  tutor_id uuid not null references tutors on delete cascade,
  kind text not null,
  last_id integer not null check (last_id > 0),
  primary key (tutor_id, kind)
) with (fillfactor = 80);

-- The first response to a request that a client may repeat.
create table idempotency_keys (
  tutor_id uuid not null references tutors on delete cascade,
  key text not null check (length(key) between 8 and 200),
  request_hash bytea not null,
  reply text not null,
  created_at timestamptz not null,
  primary key (tutor_id, key)
);

-- When each tutor has work of each kind due. Global and without personal data, so that workers can search all tutors.
create table tenant_schedule (
  tutor_id uuid not null references tutors on delete cascade,
  kind text not null,
  next_due_at timestamptz not null,
  primary key (tutor_id, kind)
) with (fillfactor = 80);
create index tenant_schedule_due_idx on tenant_schedule (kind, next_due_at);

-- Links that work without a login. Global, because the tutor is not known yet; stores only a hash of the token.
create table public_links (
  token_hash bytea primary key,
  tutor_id uuid not null references tutors on delete cascade,
  kind text not null check (kind in ('balance', 'invoice', 'unsubscribe', 'whatsapp', 'feed')),
  target_id integer not null,
  created_at timestamptz not null
);
create index public_links_target_idx on public_links (tutor_id, kind, target_id);

-- Unlogged: losing the counts in a crash is acceptable.
create unlogged table rate_limits (
  key text primary key,
  -- When the bucket is empty again; see platform/http/rate-limiter.ts.
  empty_at timestamptz not null
) with (fillfactor = 50);
create index rate_limits_empty_at_idx on rate_limits (empty_at);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'tutors', 'id_sequences', 'idempotency_keys'
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
  on tutors, id_sequences, idempotency_keys, tenant_schedule, public_links, rate_limits
  to lessonbook_app, lessonbook_maintenance;
