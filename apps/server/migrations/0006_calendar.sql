-- The tutor's calendar at Google, kept in step, and a private feed for every other calendar program.

-- How often an appointment was changed: calendar programs believe the higher number. Counted here, because many statements
-- change sessions and none may forget it.
alter table sessions add column sequence integer not null default 0;

create function count_session_change() returns trigger language plpgsql as $$
begin
  new.sequence := old.sequence + 1;
  return new;
end
$$;
create trigger sessions_sequence before update on sessions for each row
  when ((old.starts_at, old.ends_at, old.status, old.title, old.place) is distinct from
        (new.starts_at, new.ends_at, new.status, new.title, new.place))
  execute function count_session_change();

create table calendar_links (
  tutor_id uuid primary key references tutors on delete cascade,
  -- The key to the tutor's calendar, sealed for this tutor; none once it is lost or given back.
  sealed_token text,
  -- What Google calls the calendar we made. Kept when access is lost: whoever connects again finds the same lessons.
  calendar_id text,
  -- Lessons that end before this were never sent.
  since timestamptz not null,
  connected_at timestamptz not null,
  -- Where the last reading ended; none asks for everything.
  sync_token text,
  -- The first filling is done.
  filled boolean not null default false,
  last_sync_at timestamptz,
  problem text check (problem in ('access_lost', 'calendar_deleted', 'unreachable', 'busy', 'refused')),
  -- In a row, without one that went well between.
  failures integer not null default 0,
  next_try_at timestamptz,
  -- When it is to be looked at again; a worker that takes it up moves this to the end of its lease.
  due_at timestamptz,
  -- One worker at a time; whoever dies with it is waited for until then.
  leased_until timestamptz,
  channel_id text,
  channel_resource text,
  channel_expires_at timestamptz
);

-- What stands in the tutor's calendar for a session, as far as we know.
create table calendar_events (
  tutor_id uuid not null references tutors on delete cascade,
  session_id integer not null,
  event_id text not null,
  -- Of the version we know; none while we do not know what is there.
  etag text,
  -- What was sent last and certainly arrived: a fingerprint of all, and the times to tell a move from a touch-up.
  sent text,
  sent_starts_at timestamptz,
  sent_ends_at timestamptz,
  -- What was on its way when nothing more was heard: it may have arrived.
  sending text,
  -- The book has the last word: whatever was done to it in Google is written over.
  forced boolean not null default false,
  -- We took it out. Remembered, because the tutor may take it out of Google's bin again.
  removed boolean not null default false,
  -- What Google refused: not tried again until the lesson is another.
  refused text,
  primary key (tutor_id, session_id),
  unique (tutor_id, event_id),
  foreign key (tutor_id, session_id) references sessions on delete cascade
);

-- Done in Google by the tutor's own hand; counts only once it is accepted here.
create table calendar_proposals (
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
create unique index calendar_proposals_open on calendar_proposals (tutor_id, session_id) where outcome is null;

-- A consent that was begun, known by the hash of its state and good for the login that began it.
create table calendar_consents (
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
alter table public_links drop constraint public_links_kind_known,
  add constraint public_links_kind_known
    check (kind in ('balance', 'invoice', 'unsubscribe', 'whatsapp', 'feed')) not valid;
alter table public_links validate constraint public_links_kind_known;

-- Whose calendar a call of Google's is about: looked up before anyone is known, so global. Nothing personal is here.
create table calendar_channels (
  channel_id text primary key,
  tutor_id uuid not null references tutors on delete cascade,
  token_hash bytea not null,
  expires_at timestamptz not null
);
create index calendar_channels_of_tutor on calendar_channels (tutor_id);
grant select, insert, update, delete on calendar_channels to lessonbook_app, lessonbook_maintenance;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'calendar_links', 'calendar_events', 'calendar_proposals', 'calendar_consents', 'calendar_feeds'
  ] loop
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
