import { decrypt, type EncryptionKey, encrypt } from '../../../platform/crypto/encryption.ts';
import { deriveToken, sha256 } from '../../../platform/crypto/tokens.ts';
import { type LinkKeys, linkMacHashes } from '../../../platform/payment-and-feed-link-tokens.ts';
import { unsubscribeToken } from '../../messages/service/outbound/unsubscribe-link.ts';
import { hashNumber, toE164 } from '../../messages/service/whatsapp/eligibility.ts';
import {
  applyDeferredColumns,
  type Column,
  type Connection,
  listForeignKeys,
} from '../queries/restore-tutor.ts';
import {
  checksumRows,
  countMissingRows,
  ENCRYPTED_COLUMNS,
  type EncryptedTable,
  insertMovedRows,
  insertUnsubscribeLinks,
  listEmailRecipients,
  listPhoneNumbers,
  listSharedLinks,
  listUnsentTokens,
  readEncryptedValue,
  readMovingRows,
  updateEncryptedValue,
  updateMovedMacs,
  updateTokenHash,
} from '../queries/tutor-move-rows.ts';
import { MOVE_SPEC, NOT_MOVED } from '../queries/tutor-move-spec.ts';
import { topologicalSort } from '../rules/topological-sort.ts';

/** One whole installation: its database and its keys. */
export interface Installation extends LinkKeys {
  /** A connection of the maintenance role. Not shared, because transactions run on it. */
  readonly db: Connection;
  readonly origin: string;
  readonly encryptionKeys: readonly EncryptionKey[];
}

/** The message is shown to the operator. */
export class MoveError extends Error {}

/** Tables whose rows with the tutor's id all move. Read from the database, so that a table left out of the copy is noticed. */
export function comparedTables(columns: readonly Column[]): string[] {
  const owned = columns.filter(({ name }) => name === 'tutor_id').map(({ table }) => table);
  return [...new Set(owned)].filter((table) => !(table in NOT_MOVED));
}

/** Tables that are missing from the move spec. */
export function findTablesMissingFromMoveSpec(columns: readonly Column[]): string[] {
  const tables = [...new Set(columns.map(({ table }) => table))];
  return tables.filter((table) => !(table in MOVE_SPEC) && !(table in NOT_MOVED));
}

export const checksumTutor = (
  db: Connection,
  tutorId: string,
  columns: readonly Column[],
): Promise<Record<string, string>> => checksumRows(db, comparedTables(columns), tutorId);

export function assertSameChecksums(
  expected: Record<string, string>,
  actual: Record<string, string>,
  where: string,
): void {
  const tables = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  const different = [...tables].filter((table) => expected[table] !== actual[table]);
  if (different.length > 0)
    throw new MoveError(`The rows are not the same ${where}: ${different.join(', ')}.`);
}

/** Copies all rows inside the open transactions of both sides, compares them, and converts what depends on keys. */
export async function copyTutor(
  source: Installation,
  target: Installation,
  tutorId: string,
  columns: readonly Column[],
): Promise<Record<string, string>> {
  await insertTutor(source.db, target.db, tutorId, columns);
  const sums = await checksumTutor(source.db, tutorId, columns);
  assertSameChecksums(
    sums,
    await checksumTutor(target.db, tutorId, columns),
    'on both sides after copying',
  );
  await convertValues(source, target, tutorId);
  return sums;
}

/** Merges the numbers of the tutor's families that have replied STOP or START. The families must already be on the target. */
export async function copyOptOuts(
  source: Connection,
  target: Connection,
  tutorId: string,
  columns: readonly Column[],
): Promise<void> {
  const table = 'whatsapp_opt_outs';
  const numberHashes = await listNumberHashes(target, tutorId);
  const rows = (await readMovingRows(source, [table], tutorId, numberHashes)).get(table) ?? '[]';
  await insertMovedRows(target, table, columnNames(columns, table), rows);
}

async function listNumberHashes(db: Connection, tutorId: string): Promise<Buffer[]> {
  const phones = await listPhoneNumbers(db, tutorId);
  return phones.map((phone) => hashNumber(toE164(phone)?.slice(1) ?? ''));
}

const columnNames = (columns: readonly Column[], table: string): string[] =>
  columns.filter((column) => column.table === table).map(({ name }) => name);

async function insertTutor(
  source: Connection,
  target: Connection,
  tutorId: string,
  columns: readonly Column[],
): Promise<void> {
  const numberHashes = await listNumberHashes(source, tutorId);
  const deferred: [table: string, rows: string][] = [];
  const tables = topologicalSort(Object.keys(MOVE_SPEC), await listForeignKeys(target));
  const rowsByTable = await readMovingRows(source, tables, tutorId, numberHashes);
  for (const table of tables) {
    const { sharedKey, isFilledByTrigger } = MOVE_SPEC[table] ?? {};
    const rows = rowsByTable.get(table) ?? '[]';
    if (isFilledByTrigger || rows === '[]') continue;
    await insertMovedRows(target, table, columnNames(columns, table), rows);
    deferred.push([table, rows]);
    const missing = sharedKey ? await countMissingRows(target, table, sharedKey, rows) : 0;
    if (missing > 0) throw new MoveError(`${missing} rows of ${table} were not copied.`);
  }
  for (const [table, rows] of deferred) await applyDeferredColumns(target, table, rows);
}

async function convertValues(
  source: Installation,
  target: Installation,
  tutorId: string,
): Promise<void> {
  for (const table of Object.keys(ENCRYPTED_COLUMNS) as EncryptedTable[]) {
    const secret = await decryptFor(source, table, tutorId);
    if (secret === null) continue;
    await updateEncryptedValue(
      target.db,
      table,
      tutorId,
      encrypt(target.encryptionKeys, secret, tutorId),
    );
    if ((await decryptFor(target, table, tutorId)) !== secret)
      throw new MoveError(`A value of ${table} cannot be decrypted with the target's keys.`);
  }
  for (const { id, purpose } of await listUnsentTokens(target.db, tutorId))
    await updateTokenHash(target.db, id, sha256(deriveToken(target.secretKey, purpose, id)));
  const links = await listSharedLinks(source.db, tutorId);
  const linksWithMacs = links.map(({ publicId, kind, version, movedMacs }) => {
    const macs = [...movedMacs, ...linkMacHashes(source, kind, `${publicId} ${version}`)];
    return { publicId, macs: [...new Set(macs.map((mac) => mac.toString('hex')))] };
  });
  await updateMovedMacs(target.db, linksWithMacs);
  const recipients = await listEmailRecipients(source.db, tutorId);
  const unsubscribeLinks = recipients.map(({ messageId, address }) => {
    const token = unsubscribeToken({ config: target }, tutorId, address);
    return { messageId, tokenHash: sha256(token) };
  });
  await insertUnsubscribeLinks(target.db, tutorId, unsubscribeLinks);
}

async function decryptFor(
  { db, encryptionKeys }: Installation,
  table: EncryptedTable,
  tutorId: string,
): Promise<string | null> {
  const value = await readEncryptedValue(db, table, tutorId);
  return value === null ? null : decrypt(encryptionKeys, value, tutorId);
}

/** Fails before anything is locked if encrypted values cannot be converted. */
export async function assertConvertible(
  source: Installation,
  target: Installation,
  tutorId: string,
): Promise<void> {
  for (const table of Object.keys(ENCRYPTED_COLUMNS) as EncryptedTable[]) {
    const secret = await decryptFor(source, table, tutorId).catch((error: Error) => {
      throw new MoveError(`A value of ${table} cannot be decrypted: ${error.message}.`);
    });
    if (secret !== null && target.encryptionKeys.length === 0)
      throw new MoveError('The target has no ENCRYPTION_KEYS, but the tutor has encrypted values.');
  }
}
