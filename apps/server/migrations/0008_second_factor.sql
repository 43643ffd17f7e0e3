-- Accounts that people can trust: a second factor, browsers that are known again, news about the account itself.

-- When the password or a factor was last given in this login: what is delicate asks for it again after a while.
alter table logins add column confirmed_at timestamptz;
update logins set confirmed_at = created_at;
alter table logins alter column confirmed_at set not null;

alter table directory
  -- Browsers that were known before this moment are strangers: a new password makes everyone prove themselves anew.
  add column devices_since timestamptz,
  -- The first login needs no mail that somebody has logged in.
  add column first_login_at timestamptz;

-- The password was right, the second factor is still to come. No login: only a hash of what the browser holds.
create table second_steps (
  token_hash bytea primary key,
  tutor_id uuid not null references tutors on delete cascade,
  -- Whom Google vouched for, where the account is to be connected once the factor was given.
  google_subject text,
  tries_left integer not null check (tries_left >= 0),
  expires_at timestamptz not null
);
create index second_steps_of_tutor on second_steps (tutor_id);
create index second_steps_by_expiry on second_steps (expires_at);

-- Searched by what the device calls the key, before anyone is known, so it is global.
create table passkeys (
  credential_id text primary key,
  tutor_id uuid not null references tutors on delete cascade,
  -- By which the tutor's own pages name it.
  public_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_of_tutor on passkeys (tutor_id, created_at);

-- What a device is to sign next, asked for by one browser and answered once.
create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('add', 'log-in', 'second-step', 'confirm')),
  -- A hash of what the asking browser holds: its login, its second step, or a cookie for this alone.
  holder_hash bytea not null,
  expires_at timestamptz not null
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);

-- One authenticator app for each tutor, its secret sealed. It counts once a first code has shown that it works.
create table authenticators (
  tutor_id uuid primary key references tutors on delete cascade,
  sealed_secret text not null,
  -- The newest half minute whose code was used: no code opens twice.
  last_step bigint not null default 0,
  created_at timestamptz not null,
  confirmed_at timestamptz
);

-- A code that was used is gone.
create table recovery_codes (
  tutor_id uuid not null references tutors on delete cascade,
  code_hash bytea not null,
  primary key (tutor_id, code_hash)
);

-- Mails about the account itself that wait to go out; one that went is gone.
create table security_notices (
  tutor_id uuid not null references tutors on delete cascade,
  id uuid not null,
  kind text not null,
  email text not null,
  -- A device in words, a number of codes left; never anything that a visitor wrote.
  detail text,
  created_at timestamptz not null,
  primary key (tutor_id, id)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['authenticators', 'recovery_codes', 'security_notices'] loop
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
grant select, insert, update, delete on second_steps, passkeys, passkey_challenges to lessonbook_app, lessonbook_maintenance;

-- A book that goes as a whole takes its issued invoices along; otherwise they stay as they are.
create or replace function keep_issued_lines() returns trigger language plpgsql as $$
declare
  line invoice_lines := case when tg_op = 'INSERT' then new else old end;
begin
  if tg_op = 'DELETE' and not exists (select 1 from tutors t where t.tutor_id = old.tutor_id) then
    return old;
  end if;
  if exists (select 1 from invoices i where i.tutor_id = line.tutor_id and i.id = line.invoice_id and i.issued_at is not null) then
    raise exception 'the lines of an issued invoice cannot change' using errcode = 'restrict_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
