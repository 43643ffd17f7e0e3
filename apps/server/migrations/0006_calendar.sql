-- Calendar: synchronisation with Google Calendar, and a private iCalendar feed.

create table calendar_connections (
  tutor_id uuid primary key references tutors on delete cascade,
  -- The refresh token, encrypted for this tutor; null once access is lost or revoked.
  encrypted_token text,
  -- The calendar created at Google. Kept when access is lost, so that connecting again reuses it.
  calendar_id text,
  -- Sessions that end before this are never sent.
  synced_from timestamptz not null,
  connected_at timestamptz not null,
  -- Google's cursor for incremental reads; null reads everything.
  sync_token text,
  initial_sync_done boolean not null default false,
  last_sync_at timestamptz,
  failure_reason text check (failure_reason in ('access_lost', 'calendar_deleted', 'unreachable', 'busy', 'refused')),
  -- Consecutive failures.
  failures integer not null default 0,
  next_try_at timestamptz,
  -- When the next sync is due; a worker that claims it moves this to the end of its lease.
  due_at timestamptz,
  -- One worker at a time; the lease of a crashed worker expires.
  leased_until timestamptz,
  channel_id text,
  channel_resource text,
  channel_expires_at timestamptz
);

-- The last known state of each session's event in the tutor's calendar.
create table calendar_events (
  tutor_id uuid not null references tutors on delete cascade,
  session_id integer not null,
  event_id text not null,
  -- Of the last known version; null while the remote version is unknown.
  etag text,
  -- Hash of the content that certainly arrived, and its times to distinguish a move from another edit.
  synced_hash text,
  synced_starts_at timestamptz,
  synced_ends_at timestamptz,
  -- Hash of a write without a response: it may have arrived.
  pending_hash text,
  -- The next write replaces whatever was changed in Google.
  overwrite_remote boolean not null default false,
  -- Deleted by us. Kept, because the tutor may restore the event in Google.
  removed boolean not null default false,
  -- Hash of content that Google rejected: not retried until the session changes.
  rejected_hash text,
  primary key (tutor_id, session_id),
  unique (tutor_id, event_id),
  foreign key (tutor_id, session_id) references sessions on delete cascade
);

-- Changes the tutor made in Google; they apply only once accepted here.
create table external_changes (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  session_id integer not null,
  kind text not null check (kind in ('moved', 'deleted')),
  starts_at timestamptz,
  ends_at timestamptz,
  created_at timestamptz not null,
  outcome text check (outcome in ('accepted', 'put_back', 'dropped')),
  primary key (tutor_id, id),
  foreign key (tutor_id, session_id) references sessions on delete cascade
);
create unique index external_changes_one_open on external_changes (tutor_id, session_id) where outcome is null;

-- Calendar consents in progress, by the hash of the OAuth state; valid only for the login that started it.
create table calendar_oauth_states (
  tutor_id uuid not null references tutors on delete cascade,
  state_hash bytea not null,
  login_hash bytea not null,
  expires_at timestamptz not null,
  primary key (tutor_id, state_hash)
);

create table calendar_feeds (
  tutor_id uuid primary key references tutors on delete cascade,
  token text not null,
  created_at timestamptz not null
);

-- Which tutor a Google push notification belongs to. Global, because it is read before the tutor is known; no personal data.
create table calendar_channels (
  channel_id text primary key,
  tutor_id uuid not null references tutors on delete cascade,
  token_hash bytea not null,
  expires_at timestamptz not null
);
create index calendar_channels_tutor_idx on calendar_channels (tutor_id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'calendar_connections', 'calendar_events', 'external_changes', 'calendar_oauth_states', 'calendar_feeds'
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
  on calendar_connections, calendar_events, external_changes, calendar_oauth_states, calendar_feeds, calendar_channels
  to lessonbook_app, lessonbook_maintenance;
