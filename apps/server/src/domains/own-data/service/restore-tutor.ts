import {
  type Column,
  type Connection,
  columnsOf,
  countOnFrom,
  deleteBook,
  erasedIn,
  findTutor,
  finishRows,
  insertRows,
  leansOn,
  livingRows,
  lockBook,
  reached,
  rowsIn,
  seesEverything,
  takenBy,
  writeDown,
} from '../queries/restore.ts';
import { NOBODYS, NOT_RESTORED, RESTORED } from '../queries/restored-tables.ts';
import { inOrder } from '../rules/in-order.ts';

export interface RestoredBook {
  tutorId: string;
  /** Rows that were written, by table. */
  rows: Record<string, number>;
  /** Who was erased since and is back: they must be erased again. */
  erasedSince: string[];
}

const TAKEN = '23505';

/** Said to the operator as it is. */
export class RestoreRefused extends Error {}

/**
 * Brings one tutor's book from a restored copy into the living database, in one transaction that touches nobody else's rows.
 * A tutor who is there is left alone unless `replace` is said; then the whole book is as in the copy, and what was written
 * since is gone.
 */
export async function restoreTutor(
  copy: Connection,
  living: Connection,
  who: string,
  options: { replace?: boolean; rehearse?: boolean } = {},
): Promise<RestoredBook> {
  for (const db of [copy, living]) {
    if (!(await seesEverything(db)))
      throw new RestoreRefused('This role does not see every row: use the maintenance role.');
  }
  await copy.query('begin isolation level repeatable read read only');
  await living.query('begin');
  try {
    const restored = await bringOver(copy, living, who, options.replace ?? false);
    await living.query(options.rehearse ? 'rollback' : 'commit');
    return restored;
  } catch (error) {
    await living.query('rollback');
    const { code, table } = error as { code?: string; table?: string };
    if (code === TAKEN)
      throw new RestoreRefused(
        `Something of "${who}" in ${table} belongs to another tutor by now.`,
      );
    throw error;
  } finally {
    await copy.query('rollback');
  }
}

async function bringOver(
  copy: Connection,
  living: Connection,
  who: string,
  replace: boolean,
): Promise<RestoredBook> {
  const columns = await sameSchema(copy, living);
  const tutorId = await findTutor(copy, who);
  if (!tutorId) throw new RestoreRefused(`The copy knows no tutor "${who}".`);
  const there = await lockBook(living, tutorId);
  if (there && !replace)
    throw new RestoreRefused(
      `"${who}" is in the living database. With --replace the whole book becomes what it is in the copy, and what was written since is gone.`,
    );
  const taken = await takenBy(copy, living, tutorId);
  if (taken.length > 0)
    throw new RestoreRefused(
      `The user name or address of "${who}" belongs to "${taken.join(', ')}" by now. Change it there first.`,
    );

  const before = there ? await reached(living, tutorId) : null;
  const erased = there ? await erasedIn(living, tutorId) : [];
  const kept = new Map<string, string>();
  for (const [table, { keep }] of Object.entries(RESTORED))
    if (there && keep) kept.set(table, await livingRows(living, table, tutorId));
  if (there) await deleteBook(living, tutorId);

  const rows: Record<string, number> = {};
  const later: [table: string, rows: string][] = [];
  for (const table of inOrder(Object.keys(RESTORED), await leansOn(living))) {
    const names = columns.filter((each) => each.table === table).map((each) => each.name);
    const own = kept.get(table);
    const first = own === undefined ? 0 : await insertRows(living, table, names, own);
    const found = await rowsIn(copy, table, tutorId);
    rows[table] = first + (await insertRows(living, table, names, found));
    later.push([table, found]);
  }
  for (const [table, found] of later) await finishRows(living, table, found);
  if (before) await countOnFrom(living, tutorId, before);
  await writeDown(living, tutorId);
  const standing = new Set(await erasedIn(living, tutorId));
  return { tutorId, rows, erasedSince: erased.filter((each) => !standing.has(each)) };
}

/** Columns of both, which must be the same, and every table of which must be known to us. */
async function sameSchema(copy: Connection, living: Connection): Promise<Column[]> {
  const [there, here] = [await columnsOf(copy), await columnsOf(living)];
  const inWords = (all: Column[]) => all.map(({ table, name, type }) => `${table}.${name} ${type}`);
  const known = new Set(inWords(here));
  const old = new Set(inWords(there));
  const different = [
    ...[...known].filter((each) => !old.has(each)),
    ...[...old].filter((each) => !known.has(each)),
  ];
  if (different.length > 0)
    throw new RestoreRefused(
      `The copy has another schema (${different[0]}): bring it up to date first, with npm run migrate on the copy.`,
    );
  const strangers = unknownTables(here);
  if (strangers.length > 0)
    throw new RestoreRefused(`Nobody has decided about ${strangers.join(', ')}.`);
  return here;
}

/** Tables that no list names; a new one must be put into one of the three. */
export function unknownTables(columns: readonly Column[]): string[] {
  const lists = [RESTORED, NOT_RESTORED, NOBODYS];
  const tables = [...new Set(columns.map((each) => each.table))];
  return tables.filter((table) => !lists.some((list) => table in list));
}
