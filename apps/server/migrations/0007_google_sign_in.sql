-- Signing in by Google. All of it is searched before anyone is known, so all of it is global.

-- Who is whom: Google's lasting name for a person, never the e-mail, which may pass to somebody else.
create table identities (
  provider text not null check (provider in ('google')),
  subject text not null,
  -- By which a job names the row.
  id uuid not null unique,
  tutor_id uuid not null references tutors on delete cascade,
  created_at timestamptz not null,
  -- The owner of a book that was there before is written to; null while that mail has not gone out.
  told_at timestamptz,
  primary key (provider, subject)
);
create index identities_of_tutor on identities (tutor_id);

-- A browser on its way to Google. The secrets of that way are derived from the state, of which only a hash is kept.
create table google_attempts (
  state_hash bytea primary key,
  -- Which browser began: a hash of what its cookie holds.
  browser_hash bytea not null,
  page text not null check (page in ('login', 'signup')),
  expires_at timestamptz not null
);
create index google_attempts_by_expiry on google_attempts (expires_at);

-- Whom Google has vouched for, until the browser that asked has come in: read by its ticket once.
create table google_tickets (
  id uuid primary key,
  token_hash bytea not null unique,
  browser_hash bytea not null,
  -- A ticket to sign in becomes one to link when the account that has the e-mail wants its password first.
  purpose text not null check (purpose in ('sign-in', 'link')),
  subject text not null,
  email text,
  email_verified boolean not null,
  -- The company or school that Google runs this address for.
  hosted_domain text,
  name text not null,
  picture text,
  expires_at timestamptz not null
);
create index google_tickets_of_browser on google_tickets (browser_hash);
create index google_tickets_by_expiry on google_tickets (expires_at);

grant select, insert, update, delete on identities, google_tickets to lessonbook_app, lessonbook_maintenance;
grant select, insert, delete on google_attempts to lessonbook_app, lessonbook_maintenance;
