import { NOT_RESTORED, RESTORE_SPEC, TABLES_WITHOUT_TUTOR_DATA } from '../queries/restore-spec.ts';
import {
  advanceSequences,
  applyDeferredColumns,
  bypassesRowSecurity,
  type Column,
  type Connection,
  deleteTutorRows,
  findConflictingUsernames,
  findTutor,
  insertRows,
  listColumns,
  listErasedPeople,
  listForeignKeys,
  lockTutor,
  readCurrentRows,
  readRestorableRows,
  readSequences,
  recordRestore,
} from '../queries/restore-tutor.ts';
import { topologicalSort } from '../rules/topological-sort.ts';

export interface RestoreReport {
  tutorId: string;
  /** Number of rows written, by table. */
  rows: Record<string, number>;
  /** People erased after the copy was made. The restore brings back their data, so they must be erased again. */
  erasedSince: string[];
}

const UNIQUE_VIOLATION = '23505';

/** The message is shown to the operator. */
export class RestoreError extends Error {}

/**
 * Copies one tutor's data from a restored copy into the live database, in one transaction that changes no other tutor's
 * rows. Fails if the tutor already exists, unless `replace` is set; in that case, all changes since the copy are lost.
 */
export async function restoreTutor(
  source: Connection,
  target: Connection,
  account: string,
  options: { replace?: boolean; dryRun?: boolean } = {},
): Promise<RestoreReport> {
  for (const db of [source, target]) {
    if (!(await bypassesRowSecurity(db)))
      throw new RestoreError('This role cannot see every row. Use the maintenance role.');
  }
  await source.query('begin isolation level repeatable read read only');
  await target.query('begin');
  try {
    const restored = await copyTutor(source, target, account, options.replace ?? false);
    await target.query(options.dryRun ? 'rollback' : 'commit');
    return restored;
  } catch (error) {
    await target.query('rollback');
    const { code, table } = error as { code?: string; table?: string };
    if (code === UNIQUE_VIOLATION)
      throw new RestoreError(
        `A row for "${account}" in ${table} conflicts with another tutor's row.`,
      );
    throw error;
  } finally {
    await source.query('rollback');
  }
}

async function copyTutor(
  source: Connection,
  target: Connection,
  account: string,
  replace: boolean,
): Promise<RestoreReport> {
  const columns = await assertSameSchema(source, target);
  const tutorId = await findTutor(source, account);
  if (!tutorId) throw new RestoreError(`The copy has no tutor "${account}".`);
  const exists = await lockTutor(target, tutorId);
  if (exists && !replace)
    throw new RestoreError(
      `"${account}" exists in the live database. With --replace, all of their data is replaced by the copy and later changes are lost.`,
    );
  const conflicting = await findConflictingUsernames(source, target, tutorId);
  if (conflicting.length > 0)
    throw new RestoreError(
      `The username or address of "${account}" is now used by "${conflicting.join(', ')}". Change it there first.`,
    );

  const sequencesBefore = exists ? await readSequences(target, tutorId) : null;
  const erased = exists ? await listErasedPeople(target, tutorId) : [];
  const kept = new Map<string, string>();
  for (const [table, { keepCurrent }] of Object.entries(RESTORE_SPEC))
    if (exists && keepCurrent) kept.set(table, await readCurrentRows(target, table, tutorId));
  if (exists) await deleteTutorRows(target, tutorId);

  const rows: Record<string, number> = {};
  const deferred: [table: string, rows: string][] = [];
  for (const table of topologicalSort(Object.keys(RESTORE_SPEC), await listForeignKeys(target))) {
    const names = columns.filter((column) => column.table === table).map(({ name }) => name);
    const current = kept.get(table);
    const keptCount = current === undefined ? 0 : await insertRows(target, table, names, current);
    const restorable = await readRestorableRows(source, table, tutorId);
    rows[table] = keptCount + (await insertRows(target, table, names, restorable));
    deferred.push([table, restorable]);
  }
  for (const [table, restorable] of deferred) await applyDeferredColumns(target, table, restorable);
  if (sequencesBefore) await advanceSequences(target, tutorId, sequencesBefore);
  await recordRestore(target, tutorId);
  const stillErased = new Set(await listErasedPeople(target, tutorId));
  return { tutorId, rows, erasedSince: erased.filter((person) => !stillErased.has(person)) };
}

/** Returns the columns. Throws if the schemas differ or a table is not in any of the lists. */
async function assertSameSchema(source: Connection, target: Connection): Promise<Column[]> {
  const [sourceColumns, targetColumns] = [await listColumns(source), await listColumns(target)];
  const toSignatures = (all: Column[]) =>
    all.map(({ table, name, type }) => `${table}.${name} ${type}`);
  const inTarget = new Set(toSignatures(targetColumns));
  const inSource = new Set(toSignatures(sourceColumns));
  const [difference] = [
    ...[...inTarget].filter((column) => !inSource.has(column)),
    ...[...inSource].filter((column) => !inTarget.has(column)),
  ];
  if (difference !== undefined)
    throw new RestoreError(
      `The copy has a different schema (${difference}). Run npm run migrate on the copy first.`,
    );
  const unknown = findUnlistedTables(targetColumns);
  if (unknown.length > 0)
    throw new RestoreError(`Tables missing from the restore spec: ${unknown.join(', ')}.`);
  return targetColumns;
}

/** Tables that are not in any of the three lists. */
export function findUnlistedTables(columns: readonly Column[]): string[] {
  const lists = [RESTORE_SPEC, NOT_RESTORED, TABLES_WITHOUT_TUTOR_DATA];
  const tables = [...new Set(columns.map((column) => column.table))];
  return tables.filter((table) => !lists.some((list) => table in list));
}
