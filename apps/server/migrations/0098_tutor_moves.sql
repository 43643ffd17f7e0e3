-- Moves of tutors between two installations. Each side has one row for each tutor who has moved or is moving; the states
-- are described in domains/restore/rules/move-state.ts. Not a foreign key, because the row stays when the tutor has left.
create table tutor_moves (
  tutor_id uuid primary key,
  -- The same on both sides.
  move_id uuid not null,
  state text not null check (state in ('draining', 'locked', 'moved', 'finished', 'copied', 'active')),
  -- The public address of the other installation.
  other_origin text not null,
  -- Jobs that were taken out of the queue, until they are inserted on the other side or put back.
  waiting_jobs jsonb not null default '[]',
  -- Of the copied rows, by table.
  checksums jsonb,
  started_at timestamptz not null,
  changed_at timestamptz not null
);
grant select on tutor_moves to lessonbook_app;
grant select, insert, update, delete on tutor_moves to lessonbook_maintenance;

-- While a tutor is moving, reads go on until the other installation has everything.
create function check_tutor_readable(tutor uuid) returns void language plpgsql stable as $$
begin
  if exists (select from tutor_moves where tutor_id = tutor and state in ('moved', 'finished', 'copied')) then
    raise exception 'tutor % is served by another installation', tutor using errcode = 'LB001';
  end if;
end
$$;

-- The shared lock makes a move wait for transactions that have begun. The second statement sees what was committed while
-- the first one waited. Jobs that are running may end while the tutor is drained.
create function check_tutor_writable(tutor uuid, is_worker boolean) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('tutor ' || tutor, 0));
  if exists (
    select from tutor_moves
    where tutor_id = tutor and state <> 'active' and not (is_worker and state = 'draining')
  ) then
    raise exception 'tutor % is being moved', tutor using errcode = 'LB001';
  end if;
end
$$;

-- For tables that are written without setting the tutor. A move itself writes as lessonbook_maintenance.
create function reject_moving_tutor() returns trigger language plpgsql as $$
declare
  tutor uuid := case when tg_op = 'DELETE' then old.tutor_id else new.tutor_id end;
begin
  if current_user = 'lessonbook_app' then
    perform check_tutor_writable(tutor, true);
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
