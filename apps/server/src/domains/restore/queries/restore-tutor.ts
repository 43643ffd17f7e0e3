import type pg from 'pg';
import { RESTORE_SPEC } from './restore-spec.ts';

/** To a database, past the policies: as maintenance, or as the superuser of a copy. */
export type Connection = pg.ClientBase;

export interface Column {
  table: string;
  name: string;
  type: string;
}

/** Every column of every table of ours. */
export async function columnsOf(db: Connection): Promise<Column[]> {
  const { rows } = await db.query<Column>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1, a.attnum`,
  );
  return rows;
}

/** Which table leans on which, by foreign keys; a table that leans on itself is written in one statement. */
export async function foreignKeys(db: Connection): Promise<{ table: string; on: string }[]> {
  const { rows } = await db.query<{ table: string; on: string }>(
    `select distinct c.relname as table, f.relname as on
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
     where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and c.oid <> f.oid`,
  );
  return rows;
}

export async function bypassesRowSecurity(db: Connection): Promise<boolean> {
  const { rows } = await db.query<{ ok: boolean }>(
    'select rolbypassrls or rolsuper as ok from pg_roles where rolname = current_user',
  );
  return rows[0]?.ok === true;
}

/** By user name, address or id. */
export async function findTutor(db: Connection, who: string): Promise<string | null> {
  const { rows } = await db.query<{ tutorId: string }>(
    `select tutor_id as "tutorId" from login_directory
     where username_key = lower($1) or email_key = lower($1) or tutor_id::text = $1`,
    [who],
  );
  return rows[0]?.tutorId ?? null;
}

/** Who has the tutor's name or address by now. */
export async function findConflictingUsernames(
  source: Connection,
  target: Connection,
  tutorId: string,
) {
  const names = await source.query<{ username: string; email: string }>(
    'select username_key as username, email_key as email from login_directory where tutor_id = $1',
    [tutorId],
  );
  const { rows } = await target.query<{ username: string }>(
    'select username from login_directory where tutor_id <> $1 and (username_key = $2 or email_key = $3)',
    [tutorId, names.rows[0]?.username, names.rows[0]?.email],
  );
  return rows.map((row) => row.username);
}

/** With the tutor's lock, so that nothing is written while the book is being changed. */
export async function lockTutor(db: Connection, tutorId: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from tutors where tutor_id = $1 for update', [
    tutorId,
  ]);
  return rowCount === 1;
}

/** All rows of the tutor's in one table as one text of JSON, which JavaScript never reads: figures stay exact. */
export async function readRestorableRows(
  db: Connection,
  table: string,
  tutorId: string,
): Promise<string> {
  const { rows = 'true', change = `'{}'` } = RESTORE_SPEC[table] ?? {};
  const found = await db.query<{ rows: string }>(
    `select coalesce(jsonb_agg(to_jsonb(t) || (${change})::jsonb), '[]')::text as rows
     from ${table} t where t.tutor_id = $1 and (${rows})`,
    [tutorId],
  );
  return found.rows[0]?.rows ?? '[]';
}

/** As they are, without the changes that a restore makes. */
export async function readCurrentRows(
  db: Connection,
  table: string,
  tutorId: string,
): Promise<string> {
  const { rows } = await db.query<{ rows: string }>(
    `select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} t where t.tutor_id = $1`,
    [tutorId],
  );
  return rows[0]?.rows ?? '[]';
}

export async function insertRows(
  db: Connection,
  table: string,
  columns: readonly string[],
  rows: string,
): Promise<number> {
  const { deferredColumns = [], keepCurrent } = RESTORE_SPEC[table] ?? {};
  const names = columns.join(', ');
  const first = columns.map((name) => (deferredColumns.includes(name) ? 'null' : name)).join(', ');
  const { rowCount } = await db.query(
    `insert into ${table} (${names}) select ${first} from jsonb_populate_recordset(null::${table}, $1::jsonb)
     ${keepCurrent ? 'on conflict do nothing' : ''}`,
    [rows],
  );
  return rowCount ?? 0;
}

/** What freezes a row, when everything around it is there. */
export async function applyDeferredColumns(
  db: Connection,
  table: string,
  rows: string,
): Promise<void> {
  const last = RESTORE_SPEC[table]?.deferredColumns;
  if (!last) return;
  await db.query(
    `update ${table} t set ${last.map((name) => `${name} = r.${name}`).join(', ')}
     from jsonb_populate_recordset(null::${table}, $1::jsonb) r where t.tutor_id = r.tutor_id and t.id = r.id`,
    [rows],
  );
}

/** Hangs on the tutor's row: all of it goes. */
export async function deleteTutorRows(db: Connection, tutorId: string): Promise<void> {
  await db.query('delete from tutors where tutor_id = $1', [tutorId]);
}

/** People who were erased since the copy was made, and come back with it. */
export async function listErasedPeople(db: Connection, tutorId: string): Promise<string[]> {
  const { rows } = await db.query<{ who: string }>(
    `select 'student ' || id as who from students where tutor_id = $1 and erased_at is not null
     union all select 'carer ' || id from carers where tutor_id = $1 and erased_at is not null order by 1`,
    [tutorId],
  );
  return rows.map((row) => row.who);
}

export interface SequenceState {
  revision: string;
  invoice: number;
  counters: string;
}

/** How far the living book has counted: families hold invoices with those numbers. */
export async function readSequences(db: Connection, tutorId: string): Promise<SequenceState> {
  const { rows } = await db.query<SequenceState>(
    `select t.revision::text as revision, coalesce(b.next_invoice_number, 1) as invoice,
       (select coalesce(jsonb_agg(to_jsonb(c)), '[]')::text from id_sequences c where c.tutor_id = t.tutor_id) as counters
     from tutors t left join business_settings b on b.tutor_id = t.tutor_id where t.tutor_id = $1`,
    [tutorId],
  );
  return rows[0] as SequenceState;
}

/** No number that was given away is given away again. */
export async function advanceSequences(
  db: Connection,
  tutorId: string,
  from: SequenceState,
): Promise<void> {
  await db.query(
    `update tutors set revision = greatest(revision, $2::bigint + 1) where tutor_id = $1`,
    [tutorId, from.revision],
  );
  await db.query(
    `update business_settings set next_invoice_number = greatest(next_invoice_number, $2) where tutor_id = $1`,
    [tutorId, from.invoice],
  );
  await db.query(
    `insert into id_sequences (tutor_id, kind, last_id)
     select tutor_id, kind, last_id from jsonb_populate_recordset(null::id_sequences, $1::jsonb)
     on conflict (tutor_id, kind) do update set last_id = greatest(id_sequences.last_id, excluded.last_id)`,
    [from.counters],
  );
}

export async function recordRestore(db: Connection, tutorId: string): Promise<void> {
  await db.query(
    `with next as (
       insert into id_sequences (tutor_id, kind, last_id) values ($1, 'audit', 1)
       on conflict (tutor_id, kind) do update set last_id = id_sequences.last_id + 1 returning last_id)
     insert into audit_log (tutor_id, id, occurred_at, action, metadata) select $1, last_id, now(), 'book_restored', '{}' from next`,
    [tutorId],
  );
}
