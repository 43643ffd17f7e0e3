import { type Connection, insertRows } from './restore-tutor.ts';
import { MOVE_SPEC } from './tutor-move-spec.ts';

/* What is copied and compared when a tutor moves. Rows stay text, so numbers stay exact. */

/** Rows are hashed and copied as text, which depends on these settings. */
export async function setTextFormat(db: Connection): Promise<void> {
  await db.query(`set timezone = 'UTC'; set bytea_output = 'hex'; set extra_float_digits = 1`);
}

/** The rows to copy, by table, as JSON. One statement, because a move waits for every round trip. */
export async function readMovingRows(
  db: Connection,
  tables: readonly string[],
  tutorId: string,
  numberHashes: readonly Buffer[],
): Promise<Map<string, string>> {
  const selects = tables.map((table) => {
    const { condition = 't.tutor_id = $1', overrides = `'{}'` } = MOVE_SPEC[table] ?? {};
    return `select '${table}' as "table",
      coalesce(jsonb_agg(to_jsonb(t) || (${overrides})::jsonb), '[]')::text as rows from ${table} t where ${condition}`;
  });
  const { rows } = await db.query<{ table: string; rows: string }>(
    `with parameters as (select $1::uuid, $2::bytea[]) ${selects.join(' union all ')}`,
    [tutorId, numberHashes],
  );
  return new Map(rows.map((row) => [row.table, row.rows]));
}

export async function insertMovedRows(
  db: Connection,
  table: string,
  columns: readonly string[],
  rows: string,
): Promise<number> {
  const { sharedKey, onConflict } = MOVE_SPEC[table] ?? {};
  return insertRows(
    db,
    table,
    columns,
    rows,
    onConflict ?? (sharedKey ? 'on conflict do nothing' : ''),
  );
}

/** Counts the rows that are missing from the table, looking them up by their key. */
export async function countMissingRows(
  db: Connection,
  table: string,
  key: readonly string[],
  rows: string,
): Promise<number> {
  const { rows: result } = await db.query<{ missing: number }>(
    `select count(*)::int as missing from jsonb_populate_recordset(null::${table}, $1::jsonb) r
     where not exists (select from ${table} t where ${key.map((name) => `t.${name} = r.${name}`).join(' and ')})`,
    [rows],
  );
  return result[0]?.missing ?? 0;
}

/** Checksums of the tutor's rows by table, regardless of the order of the rows and excluding the converted columns. */
export async function checksumRows(
  db: Connection,
  tables: readonly string[],
  tutorId: string,
): Promise<Record<string, string>> {
  const selects = tables.map((table) => {
    const converted = (MOVE_SPEC[table]?.converted ?? []).join(',');
    return `select '${table}' as "table", count(*) || ' rows, ' ||
        encode(sha256(convert_to(coalesce(string_agg(r.row, E'\\n' order by r.row collate "C"), ''), 'UTF8')), 'hex') as sum
      from (select (to_jsonb(t) - '{${converted}}'::text[])::text as row from ${table} t where t.tutor_id = $1) r`;
  });
  const { rows } = await db.query<{ table: string; sum: string }>(selects.join(' union all '), [
    tutorId,
  ]);
  return Object.fromEntries(rows.map(({ table, sum }) => [table, sum]));
}

/** Phone numbers of the tutor's families, as they were entered. */
export async function listPhoneNumbers(db: Connection, tutorId: string): Promise<string[]> {
  const { rows } = await db.query<{ phone: string }>(
    `select phone from contacts where tutor_id = $1 and phone is not null
     union select address from whatsapp_consents where tutor_id = $1`,
    [tutorId],
  );
  return rows.map(({ phone }) => phone);
}

/**
 * Each address with the id of the first email to it. Drafts and failed emails may still be sent, and will contain an
 * unsubscribe link that is made with the target's key.
 */
export async function listEmailRecipients(
  db: Connection,
  tutorId: string,
): Promise<{ messageId: number; address: string }[]> {
  const { rows } = await db.query<{ messageId: number; address: string }>(
    `select min(id) as "messageId", lower(address) as address from messages
     where tutor_id = $1 and channel = 'email' and address is not null group by lower(address)`,
    [tutorId],
  );
  return rows;
}

export async function insertUnsubscribeLinks(
  db: Connection,
  tutorId: string,
  links: readonly { messageId: number; tokenHash: Buffer }[],
): Promise<void> {
  await db.query(
    `insert into public_links (token_hash, tutor_id, kind, target_id, created_at)
     select l.token_hash, $1, 'unsubscribe', l.message_id, now()
     from unnest($2::bytea[], $3::int[]) as l(token_hash, message_id) on conflict do nothing`,
    [tutorId, links.map(({ tokenHash }) => tokenHash), links.map(({ messageId }) => messageId)],
  );
}

/** Columns with one encrypted value for each tutor. */
export const ENCRYPTED_COLUMNS = {
  totp_credentials: 'encrypted_secret',
  calendar_connections: 'encrypted_token',
} as const;
export type EncryptedTable = keyof typeof ENCRYPTED_COLUMNS;

export async function readEncryptedValue(
  db: Connection,
  table: EncryptedTable,
  tutorId: string,
): Promise<string | null> {
  const { rows } = await db.query<{ value: string | null }>(
    `select ${ENCRYPTED_COLUMNS[table]} as value from ${table} where tutor_id = $1`,
    [tutorId],
  );
  return rows[0]?.value ?? null;
}

export async function updateEncryptedValue(
  db: Connection,
  table: EncryptedTable,
  tutorId: string,
  value: string,
): Promise<void> {
  await db.query(`update ${table} set ${ENCRYPTED_COLUMNS[table]} = $2 where tutor_id = $1`, [
    tutorId,
    value,
  ]);
}

export async function listUnsentTokens(
  db: Connection,
  tutorId: string,
): Promise<{ id: string; purpose: string }[]> {
  const { rows } = await db.query<{ id: string; purpose: string }>(
    'select id, purpose from email_tokens where tutor_id = $1 and sent_at is null',
    [tutorId],
  );
  return rows;
}

export async function updateTokenHash(db: Connection, id: string, hash: Buffer): Promise<void> {
  await db.query('update email_tokens set token_hash = $2 where id = $1', [id, hash]);
}

export interface MovingLink {
  publicId: string;
  kind: string;
  version: number;
  movedMacs: Buffer[];
}

export async function listSharedLinks(db: Connection, tutorId: string): Promise<MovingLink[]> {
  const { rows } = await db.query<MovingLink>(
    `select public_id as "publicId", kind, version, moved_macs as "movedMacs" from shared_links where tutor_id = $1`,
    [tutorId],
  );
  return rows;
}

export async function updateMovedMacs(
  db: Connection,
  links: readonly { publicId: string; macs: readonly string[] }[],
): Promise<void> {
  await db.query(
    `update shared_links s set moved_macs = array(
       select decode(mac, 'hex') from jsonb_array_elements_text(l.macs) as mac)
     from jsonb_to_recordset($1::jsonb) as l("publicId" text, macs jsonb) where s.public_id = l."publicId"`,
    [JSON.stringify(links)],
  );
}

/** Deletes what remains of a tutor who is served elsewhere. Rows in most tables are deleted by cascade. */
export async function deleteMovedTutor(db: Connection, tutorId: string): Promise<void> {
  const { rows } = await db.query<{ hashes: Buffer[] | null }>(
    'select array_agg(address_hash) as hashes from contact_directory where tutor_id = $1',
    [tutorId],
  );
  await db.query(
    `delete from webhook_events where account_id in (
       select account_id from stripe_account_index where tutor_id = $1)`,
    [tutorId],
  );
  await db.query('delete from tutors where tutor_id = $1', [tutorId]);
  // Families stay signed in here if another tutor has their address.
  await db.query(
    `delete from portal_logins p where p.address_hash = any($1)
       and not exists (select from contact_directory d where d.address_hash = p.address_hash)`,
    [rows[0]?.hashes ?? []],
  );
  await db.query(`delete from address_reports where tutor_hash = sha256(convert_to($1, 'UTF8'))`, [
    tutorId,
  ]);
  await db.query('delete from failed_logins where account_key = $1', [tutorId]);
  await db.query(`delete from jobs.job where data->>'tutorId' = $1`, [tutorId]);
}
