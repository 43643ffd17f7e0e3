import { findViolations } from '@lessonbook/server/src/invariants.ts';
import type pg from 'pg';
import {
  DELETED,
  type ExpectedRow,
  type ExpectedState,
  MARK_QUERIES,
  type MarkKind,
  NOT_NULL,
  type Row,
} from '../expected-state.ts';
import type { ChaosResults } from '../results.ts';

export const NOTHING_LOST = 'no acknowledged write is lost';
export const NOTHING_DUPLICATED = 'nothing is duplicated';
export const INVARIANTS_HOLD = 'all invariants hold';

/** Compares a tutor's rows with the writes acknowledged to its browsers: all of them, or only those since the last check. */
export async function checkSavedData(
  adminDb: pg.ClientBase,
  results: ChaosResults,
  tutor: { tutorId: string; username: string; expected: ExpectedState },
  all: boolean,
): Promise<number> {
  const { tutorId, username, expected: expectedState } = tutor;
  const { facts, marks, balances } = expectedState.expectations(all);
  const report = (check: string, detail: string) => results.fault(check, `${username}: ${detail}`);
  for (const [table, rows] of Map.groupBy(facts, (fact) => fact.table)) {
    for (const lost of await compareRows(adminDb, tutorId, table, rows)) report(NOTHING_LOST, lost);
  }
  for (const [kind, expectedMarks] of Map.groupBy(marks, (mark) => mark.kind)) {
    const counts = await countMarks(
      adminDb,
      tutorId,
      kind,
      expectedMarks.map(({ mark }) => mark),
    );
    for (const { mark, times } of expectedMarks) {
      const count = counts.get(mark) ?? 0;
      if (times === 'once' && count === 0) report(NOTHING_LOST, `${kind} ${mark} is missing`);
      if (times === 'never' && count > 0)
        report(NOTHING_DUPLICATED, `${kind} ${mark} was refused or deleted, but exists`);
      if (count > 1) report(NOTHING_DUPLICATED, `${kind} ${mark} exists ${count} times`);
    }
  }
  const sums = await readBalances(
    adminDb,
    tutorId,
    balances.map(([familyId]) => familyId),
  );
  for (const [familyId, expected] of balances) {
    const sum = sums.get(familyId) ?? 0;
    if (sum !== expected)
      report(NOTHING_LOST, `family ${familyId} owes ${sum}, acknowledged ${expected}`);
  }
  for (const { rule, detail } of await findViolations(adminDb, tutorId)) {
    report(INVARIANTS_HOLD, `${rule}: ${detail}`);
  }
  return facts.length + marks.length + balances.length;
}

async function compareRows(
  adminDb: pg.ClientBase,
  tutorId: string,
  table: string,
  facts: readonly ExpectedRow[],
): Promise<string[]> {
  const single = facts.every(({ id }) => id === null);
  const { rows } = await adminDb.query<{ row: Record<string, unknown> }>(
    `select to_jsonb(t) as row from ${table} t where tutor_id = $1 ${single ? '' : 'and id = any($2)'}`,
    single ? [tutorId] : [tutorId, facts.map(({ id }) => id)],
  );
  const byId = new Map(rows.map(({ row }) => [single ? null : (row['id'] as number), row]));
  return facts.flatMap(({ id, row }) => {
    const found = byId.get(id);
    const name = `${table} ${id ?? ''}`;
    if (row === DELETED) return found ? [`${name} exists again`] : [];
    if (!found) return [`${name} is missing`];
    return differences(row, found).map((difference) => `${name}: ${difference}`);
  });
}

function differences(expected: Row, found: Record<string, unknown>): string[] {
  return Object.entries(expected).flatMap(([column, value]) => {
    const actual = found[column] ?? null;
    const same = value === NOT_NULL ? actual !== null : actual === value;
    return same ? [] : [`${column} is ${JSON.stringify(actual)}, acknowledged ${String(value)}`];
  });
}

async function countMarks(
  adminDb: pg.ClientBase,
  tutorId: string,
  kind: MarkKind,
  marks: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await adminDb.query<{ mark: string; count: number }>(
    `select mark, count(*)::int as count from (${MARK_QUERIES[kind]}) as found group by mark`,
    [tutorId, marks],
  );
  return new Map(rows.map(({ mark, count }) => [mark, count]));
}

async function readBalances(
  adminDb: pg.ClientBase,
  tutorId: string,
  familyIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await adminDb.query<{ family_id: number; owed: number }>(
    `select family_id, sum(amount)::int as owed from (
       select family_id, amount from charges where tutor_id = $1 and family_id = any($2)
       union all select family_id, -amount from payments where tutor_id = $1 and family_id = any($2)) as entries
     group by family_id`,
    [tutorId, familyIds],
  );
  return new Map(rows.map((row) => [row.family_id, row.owed]));
}
