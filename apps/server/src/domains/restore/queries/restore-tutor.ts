import type pg from 'pg';
import { RESTORE_SPEC } from './restore-spec.ts';

/** A connection that bypasses row-level security: the maintenance role, or a superuser on the copy. */
export type Connection = pg.ClientBase;

export interface Column {
  table: string;
  name: string;
  type: string;
}

export async function listColumns(db: Connection): Promise<Column[]> {
  const { rows } = await db.query<Column>(
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1, a.attnum`,
  );
  return rows;
}

/**
 * Foreign keys between tables, excluding self-references, because each table is written in one statement, and deferred
 * ones, which are checked at the end.
 */
export async function listForeignKeys(
  db: Connection,
): Promise<{ table: string; dependsOn: string }[]> {
  const { rows } = await db.query<{ table: string; dependsOn: string }>(
    `select distinct c.relname as table, f.relname as "dependsOn"
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
     where k.contype = 'f' and not k.condeferred and c.relnamespace = 'public'::regnamespace and c.oid <> f.oid`,
  );
  return rows;
}

export async function bypassesRowSecurity(db: Connection): Promise<boolean> {
  const { rows } = await db.query<{ ok: boolean }>(
    'select rolbypassrls or rolsuper as ok from pg_roles where rolname = current_user',
  );
  return rows[0]?.ok === true;
}

/** Finds a tutor by username, email address or id. */
export async function findTutor(db: Connection, account: string): Promise<string | null> {
  const { rows } = await db.query<{ tutorId: string }>(
    `select tutor_id as "tutorId" from login_directory
     where username_key = lower($1) or email_key = lower($1) or tutor_id::text = $1`,
    [account],
  );
  return rows[0]?.tutorId ?? null;
}

/** Usernames of other tutors who now use this tutor's username or email address. */
export async function findConflictingUsernames(
  source: Connection,
  target: Connection,
  tutorId: string,
) {
  const login = await source.query<{ username: string; email: string }>(
    'select username_key as username, email_key as email from login_directory where tutor_id = $1',
    [tutorId],
  );
  const { rows } = await target.query<{ username: string }>(
    'select username from login_directory where tutor_id <> $1 and (username_key = $2 or email_key = $3)',
    [tutorId, login.rows[0]?.username, login.rows[0]?.email],
  );
  return rows.map((row) => row.username);
}

/** Takes the tutor's lock to prevent concurrent writes. Returns whether the tutor exists. */
export async function lockTutor(db: Connection, tutorId: string): Promise<boolean> {
  const { rowCount } = await db.query('select 1 from tutors where tutor_id = $1 for update', [
    tutorId,
  ]);
  return rowCount === 1;
}

/** The tutor's rows in one table, as JSON text. JavaScript never parses the text, so numbers stay exact. */
export async function readRestorableRows(
  db: Connection,
  table: string,
  tutorId: string,
): Promise<string> {
  const { condition = 'true', overrides = `'{}'` } = RESTORE_SPEC[table] ?? {};
  const result = await db.query<{ rows: string }>(
    `select coalesce(jsonb_agg(to_jsonb(t) || (${overrides})::jsonb), '[]')::text as rows
     from ${table} t where t.tutor_id = $1 and (${condition})`,
    [tutorId],
  );
  return result.rows[0]?.rows ?? '[]';
}

/** Returns the rows unchanged, without applying `overrides` from the restore spec. */
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
  onConflict = RESTORE_SPEC[table]?.keepCurrent ? 'on conflict do nothing' : '',
): Promise<number> {
  const { deferredColumns = [] } = RESTORE_SPEC[table] ?? {};
  const names = columns.join(', ');
  const values = columns.map((name) => (deferredColumns.includes(name) ? 'null' : name)).join(', ');
  const { rowCount } = await db.query(
    `insert into ${table} (${names}) select ${values} from jsonb_populate_recordset(null::${table}, $1::jsonb)
     ${onConflict}`,
    [rows],
  );
  return rowCount ?? 0;
}

/** Sets the columns that make a row read-only, once all rows have been inserted. */
export async function applyDeferredColumns(
  db: Connection,
  table: string,
  rows: string,
): Promise<void> {
  const { deferredColumns } = RESTORE_SPEC[table] ?? {};
  if (!deferredColumns) return;
  await db.query(
    `update ${table} t set ${deferredColumns.map((name) => `${name} = r.${name}`).join(', ')}
     from jsonb_populate_recordset(null::${table}, $1::jsonb) r where t.tutor_id = r.tutor_id and t.id = r.id`,
    [rows],
  );
}

/** The tutor's rows in other tables are deleted by cascade. */
export async function deleteTutorRows(db: Connection, tutorId: string): Promise<void> {
  await db.query('delete from tutors where tutor_id = $1', [tutorId]);
}

export async function listErasedPeople(db: Connection, tutorId: string): Promise<string[]> {
  const { rows } = await db.query<{ person: string }>(
    `select 'student ' || id as person from students where tutor_id = $1 and erased_at is not null
     union all select 'carer ' || id from contacts
       where tutor_id = $1 and student_id is null and erased_at is not null order by 1`,
    [tutorId],
  );
  return rows.map((row) => row.person);
}

export interface SequenceState {
  revision: string;
  nextInvoiceNumber: number;
  idSequences: string;
}

/** Reads the sequences in the live database, because families already have invoices with these numbers. */
export async function readSequences(db: Connection, tutorId: string): Promise<SequenceState> {
  const { rows } = await db.query<SequenceState>(
    `select t.revision::text as revision, coalesce(b.next_invoice_number, 1) as "nextInvoiceNumber",
       (select coalesce(jsonb_agg(to_jsonb(c)), '[]')::text from id_sequences c where c.tutor_id = t.tutor_id) as "idSequences"
     from tutors t left join business_settings b on b.tutor_id = t.tutor_id where t.tutor_id = $1`,
    [tutorId],
  );
  return rows[0] as SequenceState;
}

/** Advances the restored sequences, so that no number is used twice. */
export async function advanceSequences(
  db: Connection,
  tutorId: string,
  previous: SequenceState,
): Promise<void> {
  await db.query(
    `update tutors set revision = greatest(revision, $2::bigint + 1) where tutor_id = $1`,
    [tutorId, previous.revision],
  );
  await db.query(
    `update business_settings set next_invoice_number = greatest(next_invoice_number, $2) where tutor_id = $1`,
    [tutorId, previous.nextInvoiceNumber],
  );
  await db.query(
    `insert into id_sequences (tutor_id, kind, last_id)
     select tutor_id, kind, last_id from jsonb_populate_recordset(null::id_sequences, $1::jsonb)
     on conflict (tutor_id, kind) do update set last_id = greatest(id_sequences.last_id, excluded.last_id)`,
    [previous.idSequences],
  );
}

export async function recordRestore(db: Connection, tutorId: string): Promise<void> {
  await db.query(
    `with next as (
       insert into id_sequences (tutor_id, kind, last_id) values ($1, 'audit', 1)
       on conflict (tutor_id, kind) do update set last_id = id_sequences.last_id + 1 returning last_id)
     insert into audit_log (tutor_id, id, occurred_at, action, metadata) select $1, last_id, now(), 'data_restored', '{}' from next`,
    [tutorId],
  );
}
