import { NOT_RESTORED, RESTORE_SPEC, TABLES_WITHOUT_TUTOR } from '../queries/restore-spec.ts';
import {
  advanceSequences,
  applyDeferredColumns,
  bypassesRowSecurity,
  type Column,
  type Connection,
  columnsOf,
  deleteTutorRows,
  findConflictingUsernames,
  findTutor,
  foreignKeys,
  insertRows,
  listErasedPeople,
  lockTutor,
  readCurrentRows,
  readRestorableRows,
  readSequences,
  recordRestore,
} from '../queries/restore-tutor.ts';
import { topologicalSort } from '../rules/topological-sort.ts';

export interface RestoreReport {
  tutorId: string;
  /** Rows that were written, by table. */
  rows: Record<string, number>;
  /** Who was erased since and is back: they must be erased again. */
  erasedSince: string[];
}

const UNIQUE_VIOLATION = '23505';

/** Said to the operator as it is. */
export class RestoreError extends Error {}

/**
 * Brings one tutor's book from a restored copy into the living database, in one transaction that touches nobody else's rows.
 * A tutor who is there is left alone unless `replace` is said; then the whole book is as in the copy, and what was written
 * since is gone.
 */
export async function restoreTutor(
  source: Connection,
  target: Connection,
  who: string,
  options: { replace?: boolean; rehearse?: boolean } = {},
): Promise<RestoreReport> {
  for (const db of [source, target]) {
    if (!(await bypassesRowSecurity(db)))
      throw new RestoreError('This role does not see every row: use the maintenance role.');
  }
  await source.query('begin isolation level repeatable read read only');
  await target.query('begin');
  try {
    const restored = await copyTutor(source, target, who, options.replace ?? false);
    await target.query(options.rehearse ? 'rollback' : 'commit');
    return restored;
  } catch (error) {
    await target.query('rollback');
    const { code, table } = error as { code?: string; table?: string };
    if (code === UNIQUE_VIOLATION)
      throw new RestoreError(`Something of "${who}" in ${table} belongs to another tutor by now.`);
    throw error;
  } finally {
    await source.query('rollback');
  }
}

async function copyTutor(
  source: Connection,
  target: Connection,
  who: string,
  replace: boolean,
): Promise<RestoreReport> {
  const columns = await assertSameSchema(source, target);
  const tutorId = await findTutor(source, who);
  if (!tutorId) throw new RestoreError(`The copy knows no tutor "${who}".`);
  const there = await lockTutor(target, tutorId);
  if (there && !replace)
    throw new RestoreError(
      `"${who}" is in the living database. With --replace the whole book becomes what it is in the copy, and what was written since is gone.`,
    );
  const taken = await findConflictingUsernames(source, target, tutorId);
  if (taken.length > 0)
    throw new RestoreError(
      `The user name or address of "${who}" belongs to "${taken.join(', ')}" by now. Change it there first.`,
    );

  const before = there ? await readSequences(target, tutorId) : null;
  const erased = there ? await listErasedPeople(target, tutorId) : [];
  const kept = new Map<string, string>();
  for (const [table, { keepCurrent }] of Object.entries(RESTORE_SPEC))
    if (there && keepCurrent) kept.set(table, await readCurrentRows(target, table, tutorId));
  if (there) await deleteTutorRows(target, tutorId);

  const rows: Record<string, number> = {};
  const deferred: [table: string, rows: string][] = [];
  for (const table of topologicalSort(Object.keys(RESTORE_SPEC), await foreignKeys(target))) {
    const names = columns.filter((each) => each.table === table).map((each) => each.name);
    const own = kept.get(table);
    const first = own === undefined ? 0 : await insertRows(target, table, names, own);
    const found = await readRestorableRows(source, table, tutorId);
    rows[table] = first + (await insertRows(target, table, names, found));
    deferred.push([table, found]);
  }
  for (const [table, found] of deferred) await applyDeferredColumns(target, table, found);
  if (before) await advanceSequences(target, tutorId, before);
  await recordRestore(target, tutorId);
  const standing = new Set(await listErasedPeople(target, tutorId));
  return { tutorId, rows, erasedSince: erased.filter((each) => !standing.has(each)) };
}

/** Columns of both, which must be the same, and every table of which must be known to us. */
async function assertSameSchema(source: Connection, target: Connection): Promise<Column[]> {
  const [there, here] = [await columnsOf(source), await columnsOf(target)];
  const describe = (all: Column[]) =>
    all.map(({ table, name, type }) => `${table}.${name} ${type}`);
  const known = new Set(describe(here));
  const old = new Set(describe(there));
  const different = [
    ...[...known].filter((each) => !old.has(each)),
    ...[...old].filter((each) => !known.has(each)),
  ];
  if (different.length > 0)
    throw new RestoreError(
      `The copy has another schema (${different[0]}): bring it up to date first, with npm run migrate on the copy.`,
    );
  const strangers = unknownTables(here);
  if (strangers.length > 0)
    throw new RestoreError(`Nobody has decided about ${strangers.join(', ')}.`);
  return here;
}

/** Tables that no list names; a new one must be put into one of the three. */
export function unknownTables(columns: readonly Column[]): string[] {
  const lists = [RESTORE_SPEC, NOT_RESTORED, TABLES_WITHOUT_TUTOR];
  const tables = [...new Set(columns.map((each) => each.table))];
  return tables.filter((table) => !lists.some((list) => table in list));
}
