-- What belongs to the tutor alone: a log of sensitive acts, everything as a file, and leaving for good.

-- What was done to the account, when and from where. Nothing about families stands here, no secret and no address of the
-- tutor's: facts are numbers and short words, so nothing has to be taken out when a person is erased.
create table audit_log (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  at timestamptz not null,
  act text not null check (length(act) between 1 and 40),
  facts jsonb not null,
  -- In words ("Firefox on Windows") and as a network; none for what happened by itself.
  device text,
  network text,
  primary key (tutor_id, id)
);

-- A file with everything, in pieces, so that any process can hand it out and none has to hold it whole.
create table exports (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  state text not null check (state in ('waiting', 'making', 'ready', 'failed')),
  asked_at timestamptz not null,
  -- Counts the tries: whoever was overtaken by another try writes nothing more.
  attempt integer not null default 0,
  kinds_done integer not null default 0,
  bytes bigint not null default 0,
  made_at timestamptz,
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
-- It is compressed already: another try at it would only cost time.
alter table export_chunks alter column bytes set storage external;

-- Of whom nothing is known any more but that there was somebody.
alter table students add column erased_at timestamptz;
alter table carers add column erased_at timestamptz;

-- When the account goes for good; none while the tutor stays.
alter table tutors add column leaving_at timestamptz;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['audit_log', 'exports', 'export_chunks'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy own_rows on %I using (tutor_id = current_setting(''app.tutor_id'')::uuid)
       with check (tutor_id = current_setting(''app.tutor_id'')::uuid)',
      tenant_table);
  end loop;
end
$$;
-- Only ever added to; it goes with the tutor alone.
grant select, insert on audit_log to lessonbook_app;
grant select, insert, update, delete on audit_log to lessonbook_maintenance;
grant select, insert, update, delete on exports, export_chunks to lessonbook_app, lessonbook_maintenance;

-- Erasing a person takes the words out of what is otherwise frozen, and leaves the figures. The database knows the one form
-- that it may take, so nothing else can be written through this door.
create or replace function keep_issued_invoice() returns trigger language plpgsql as $$
declare
  erased jsonb := jsonb_build_object('to', jsonb_build_object('name', 'Erased person', 'address', null), 'reference', 'ERASED');
  words text[] := array['voided_at', 'voided_on', 'void_reason', 'parties', 'note'];
begin
  if old.issued_at is null then
    return new;
  end if;
  if (to_jsonb(old) - array['voided_at', 'voided_on', 'void_reason'])
      is not distinct from (to_jsonb(new) - array['voided_at', 'voided_on', 'void_reason']) then
    return new;
  end if;
  if (to_jsonb(old) - words) is not distinct from (to_jsonb(new) - words)
      and old.voided_at is not distinct from new.voided_at
      and (new.note is null or new.note is not distinct from old.note)
      and (new.parties is not distinct from old.parties or new.parties = old.parties || erased) then
    return new;
  end if;
  raise exception 'invoice % is issued and cannot change', old.number using errcode = 'restrict_violation';
end $$;

create or replace function keep_issued_lines() returns trigger language plpgsql as $$
declare
  line invoice_lines := case when tg_op = 'INSERT' then new else old end;
  words text[] := array['student_name', 'description'];
begin
  if not exists (select 1 from invoices i
    where i.tutor_id = line.tutor_id and i.id = line.invoice_id and i.issued_at is not null) then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  -- The whole book goes.
  if tg_op = 'DELETE' and not exists (select 1 from tutors t where t.tutor_id = old.tutor_id) then
    return old;
  end if;
  if tg_op = 'UPDATE' and (to_jsonb(old) - words) is not distinct from (to_jsonb(new) - words)
      and (new.student_name is not distinct from old.student_name or new.student_name = 'Erased person')
      and (new.description = old.description or new.description = 'Lesson' or new.description = 'Item') then
    return new;
  end if;
  raise exception 'the lines of an issued invoice cannot change' using errcode = 'restrict_violation';
end $$;

-- The amounts stay as they are; the words beside them may name somebody.
grant update (description) on charges to lessonbook_app;
grant update (note) on payments to lessonbook_app;
