-- The house: tutors as tenants, the login directory, the agenda of due work, rate limits.
--
-- Tenant tables: the key starts with tutor_id, row-level security is forced, and the policy compares
-- with app.tutor_id, which only a tenant transaction sets. Outside one the setting is empty and the
-- cast to uuid fails: closed, not open.
-- Global tables are few, small and named in the schema test: directory, logins, mail_links, agenda, rate_limits.

revoke create on schema public from public;
grant usage on schema public to lessonbook_app, lessonbook_maintenance;

create table tutors (
  tutor_id uuid primary key,
  -- Leaves the server in place of tutor_id.
  public_id text not null,
  name text not null check (length(name) between 2 and 100),
  time_zone text not null,
  trial_ends_at timestamptz not null,
  -- Rises with every write of this tutor's: a browser that sees another number knows its data is old.
  revision bigint not null default 1,
  email_notifications boolean not null default true,
  lesson_reminders boolean not null default true,
  payment_notifications boolean not null default true,
  created_at timestamptz not null
) with (fillfactor = 80);

-- Ids are counted for each tutor: the tutor's own student 1, 2, 3.
create table counters (
  tutor_id uuid not null references tutors on delete cascade,
  kind text not null,
  last_id integer not null check (last_id > 0),
  primary key (tutor_id, kind)
) with (fillfactor = 80);

-- Who may log in, under which names. Searched before anyone is known, so it is global.
create table directory (
  tutor_id uuid primary key references tutors on delete cascade,
  username text not null,
  username_key text not null unique,
  email text not null,
  email_key text not null unique,
  email_verified_at timestamptz,
  -- A changed address waits here until its link was followed.
  pending_email text,
  password_hash text,
  -- Everyone knows its password, so nothing is ever mailed for it.
  is_demo boolean not null default false
);

create table logins (
  token_hash bytea primary key,
  tutor_id uuid not null references tutors on delete cascade,
  public_id text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index logins_of_tutor on logins (tutor_id, created_at);

-- Single-use links that went out by mail. Only a hash of the token is kept.
create table mail_links (
  id uuid primary key,
  tutor_id uuid not null references tutors on delete cascade,
  purpose text not null check (purpose in ('verify-email', 'reset-password')),
  token_hash bytea not null unique,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  used_at timestamptz
);
create index mail_links_of_tutor on mail_links (tutor_id, purpose, created_at);

-- Which tutor has work of which kind due when: no personal data, so work across tutors can search it.
create table agenda (
  tutor_id uuid not null references tutors on delete cascade,
  kind text not null,
  next_due_at timestamptz not null,
  primary key (tutor_id, kind)
) with (fillfactor = 80);
create index agenda_due on agenda (kind, next_due_at);

-- Lost in a crash of the database, which is fine: it then starts counting anew.
create unlogged table rate_limits (
  key text primary key,
  -- When the bucket is empty again; see platform/rate-limit.ts.
  empty_at timestamptz not null
) with (fillfactor = 50);
create index rate_limits_empty on rate_limits (empty_at);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['tutors', 'counters'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy own_rows on %I using (tutor_id = current_setting(''app.tutor_id'')::uuid)
       with check (tutor_id = current_setting(''app.tutor_id'')::uuid)',
      tenant_table);
  end loop;
end
$$;

grant select, insert, update, delete
  on tutors, counters, directory, logins, mail_links, agenda, rate_limits
  to lessonbook_app, lessonbook_maintenance;
