-- Auth: the login directory, logins, Google sign-in, second factors, security e-mails.
--
-- Most tables are global, because they are searched before the tutor is known. Tokens and codes are stored as hashes.

-- Who may log in, under which username and e-mail address.
create table login_directory (
  tutor_id uuid primary key references tutors on delete cascade,
  username text not null,
  username_key text not null unique,
  email text not null,
  email_key text not null unique,
  email_verified_at timestamptz,
  -- A changed address, until its link was followed.
  pending_email text,
  password_hash text,
  -- The password of the demo account is public, so no e-mail is ever sent for it.
  is_demo boolean not null default false,
  -- Devices remembered before this are not trusted any more: set by a password change.
  devices_valid_after timestamptz,
  -- The first login causes no "new login" e-mail.
  first_login_at timestamptz
);

create table logins (
  token_hash bytea primary key,
  tutor_id uuid not null references tutors on delete cascade,
  public_id text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the password or a factor was last given in this login; sensitive actions require a recent one.
  reauthenticated_at timestamptz not null
);
create index logins_tutor_idx on logins (tutor_id, created_at);

-- Single-use links sent by e-mail.
create table email_tokens (
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
create index email_tokens_tutor_idx on email_tokens (tutor_id, purpose, created_at);

-- Failed passwords since the last login, reported to the tutor at the next one. Keyed by tutor, or by a hash of an unknown
-- username so that both take the same time. Unlogged: losing the counts in a crash is acceptable.
create unlogged table failed_logins (
  account_key text primary key,
  count integer not null,
  last_failed_at timestamptz not null
);
create index failed_logins_last_failed_at_idx on failed_logins (last_failed_at);

-- Linked Google accounts, by Google's permanent subject: an e-mail address may pass to another person.
create table identities (
  provider text not null check (provider in ('google')),
  subject text not null,
  -- The id used by jobs.
  id uuid not null unique,
  tutor_id uuid not null references tutors on delete cascade,
  created_at timestamptz not null,
  -- When the owner of an existing account was notified of the link by e-mail; null until then.
  owner_notified_at timestamptz,
  primary key (provider, subject)
);
create index identities_tutor_idx on identities (tutor_id);

-- Google sign-ins in progress. The PKCE verifier and the nonce are derived from the state.
create table google_oauth_states (
  state_hash bytea primary key,
  -- The browser that started it, by its cookie.
  browser_hash bytea not null,
  page text not null check (page in ('login', 'signup')),
  expires_at timestamptz not null
);
create index google_oauth_states_expires_at_idx on google_oauth_states (expires_at);

-- A verified Google profile, until the browser that asked for it has used it; single-use.
create table oauth_tickets (
  id uuid primary key,
  token_hash bytea not null unique,
  browser_hash bytea not null,
  -- A sign-in ticket becomes a link ticket when the account with that e-mail requires its password first.
  purpose text not null check (purpose in ('sign-in', 'link')),
  subject text not null,
  email text,
  email_verified boolean not null,
  -- The Google Workspace domain of the address.
  hosted_domain text,
  name text not null,
  picture text,
  expires_at timestamptz not null
);
create index oauth_tickets_browser_idx on oauth_tickets (browser_hash);
create index oauth_tickets_expires_at_idx on oauth_tickets (expires_at);

-- The password was correct and the second factor is missing; not a login yet.
create table mfa_challenges (
  token_hash bytea primary key,
  tutor_id uuid not null references tutors on delete cascade,
  -- The Google account to link once the second factor was given.
  google_subject text,
  attempts_left integer not null check (attempts_left >= 0),
  expires_at timestamptz not null
);
create index mfa_challenges_tutor_idx on mfa_challenges (tutor_id);
create index mfa_challenges_expires_at_idx on mfa_challenges (expires_at);

create table passkeys (
  credential_id text primary key,
  tutor_id uuid not null references tutors on delete cascade,
  -- The id used by the API.
  public_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_tutor_idx on passkeys (tutor_id, created_at);

-- WebAuthn challenges, each bound to one browser and used once.
create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null check (purpose in ('register', 'login', 'mfa', 'reauthenticate')),
  -- Hash of a secret of that browser: its login, its MFA challenge, or a cookie for this purpose.
  browser_hash bytea not null,
  expires_at timestamptz not null
);
create index passkey_challenges_expires_at_idx on passkey_challenges (expires_at);

-- One authenticator app per tutor. Active once a first code was confirmed.
create table totp_credentials (
  tutor_id uuid primary key references tutors on delete cascade,
  encrypted_secret text not null,
  -- The time step of the newest code used, so that no code works twice.
  last_counter bigint not null default 0,
  created_at timestamptz not null,
  confirmed_at timestamptz
);

-- A used code is deleted.
create table recovery_codes (
  tutor_id uuid not null references tutors on delete cascade,
  code_hash bytea not null,
  primary key (tutor_id, code_hash)
);

-- E-mails about the account's security that wait to be sent; deleted once sent.
create table security_email_outbox (
  tutor_id uuid not null references tutors on delete cascade,
  id uuid not null,
  kind text not null,
  email text not null,
  -- A device description or a number of remaining codes; never user input.
  detail text,
  created_at timestamptz not null,
  primary key (tutor_id, id)
);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'totp_credentials', 'recovery_codes', 'security_email_outbox'
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
  on login_directory, logins, email_tokens, failed_logins, identities, oauth_tickets, mfa_challenges, passkeys,
    passkey_challenges, totp_credentials, recovery_codes, security_email_outbox
  to lessonbook_app, lessonbook_maintenance;
grant select, insert, delete on google_oauth_states to lessonbook_app, lessonbook_maintenance;
