import { findViolations } from '@lessonbook/server/src/invariants.ts';
import type pg from 'pg';
import {
  DELETED,
  type ExpectedRow,
  type ExpectedState,
  MARKER_QUERIES,
  type MarkerKind,
  NOT_NULL,
  type Row,
} from '../expected-state.ts';
import type { ChaosResults } from '../results.ts';

export const NOTHING_LOST = 'no acknowledged write is lost';
export const NOTHING_DUPLICATED = 'nothing is duplicated';
export const INVARIANTS_HOLD = 'all invariants hold';

/** Compares a tutor's rows with the writes acknowledged to their virtual users: all, or only those since the last check. */
export async function checkSavedData(
  maintenanceDb: pg.ClientBase,
  results: ChaosResults,
  tutor: { tutorId: string; username: string; expected: ExpectedState },
  includeUnchanged: boolean,
): Promise<number> {
  const { tutorId, username, expected: expectedState } = tutor;
  const { expectedRows, markers, balances } = expectedState.expectations(includeUnchanged);
  const report = (check: string, detail: string) =>
    results.reportViolation(check, `${username}: ${detail}`);
  for (const [table, rows] of Map.groupBy(expectedRows, (expectedRow) => expectedRow.table)) {
    for (const lost of await compareRows(maintenanceDb, tutorId, table, rows))
      report(NOTHING_LOST, lost);
  }
  for (const [kind, expectedMarkers] of Map.groupBy(markers, (marker) => marker.kind)) {
    const counts = await countMarkers(
      maintenanceDb,
      tutorId,
      kind,
      expectedMarkers.map(({ marker }) => marker),
    );
    for (const { marker, expected } of expectedMarkers) {
      const count = counts.get(marker) ?? 0;
      const difference = `${kind} ${marker} exists ${count} times, expected: ${expected}`;
      if (expected !== 'unknown' && count < expected) report(NOTHING_LOST, difference);
      if (count > (expected === 'unknown' ? 1 : expected)) report(NOTHING_DUPLICATED, difference);
    }
  }
  const actualBalances = await readBalances(
    maintenanceDb,
    tutorId,
    balances.map(([familyId]) => familyId),
  );
  for (const [familyId, expected] of balances) {
    const sum = actualBalances.get(familyId) ?? 0;
    if (sum !== expected)
      report(NOTHING_LOST, `family ${familyId} owes ${sum}, but ${expected} was acknowledged`);
  }
  for (const { rule, detail } of await findViolations(maintenanceDb, tutorId)) {
    report(INVARIANTS_HOLD, `${rule}: ${detail}`);
  }
  return expectedRows.length + markers.length + balances.length;
}

/** Values from other tables that the API returns with a row, aggregated as text. */
const DERIVED_COLUMNS: Record<string, string> = {
  sessions: ` || jsonb_build_object('seats', (
    select string_agg(concat_ws(' ', x.student_id, x.state, coalesce(x.attendance, '-'), coalesce(x.fee::text, '-')), ', '
      order by x.student_id)
    from session_students x where x.tutor_id = t.tutor_id and x.session_id = t.id))`,
  lessons: ` || jsonb_build_object('roster', (
    select string_agg(concat_ws(' ', x.student_id, x.from_date, coalesce(x.to_date::text, '-')), ', ' order by x.student_id, x.from_date)
    from lesson_students x where x.tutor_id = t.tutor_id and x.lesson_id = t.id))`,
  students: ` || jsonb_build_object('contacts', (
    select string_agg(concat_ws(' ', x.contact_id, x.sees_lessons::text, x.sees_money::text), ', ' order by x.contact_id)
    from contact_access x where x.tutor_id = t.tutor_id and x.student_id = t.id), 'payers', (
    select string_agg(concat_ws(' ', x.from_date, x.family_id, x.percent), ', ' order by x.from_date, x.position)
    from student_payers x where x.tutor_id = t.tutor_id and x.student_id = t.id))`,
};

/** The order of rows in a table that keeps several versions, because the last row is compared. */
const ORDER: Record<string, string> = { cancellation_policies: 'order by starts_on' };

async function compareRows(
  maintenanceDb: pg.ClientBase,
  tutorId: string,
  table: string,
  expectedRows: readonly ExpectedRow[],
): Promise<string[]> {
  const hasSingleRow = expectedRows.every(({ id }) => id === null);
  const { rows } = await maintenanceDb.query<{ row: Record<string, unknown> }>(
    `select to_jsonb(t)${DERIVED_COLUMNS[table] ?? ''} as row from ${table} t where tutor_id = $1 ${hasSingleRow ? '' : 'and id = any($2)'} ${ORDER[table] ?? ''}`,
    hasSingleRow ? [tutorId] : [tutorId, expectedRows.map(({ id }) => id)],
  );
  const byId = new Map(rows.map(({ row }) => [hasSingleRow ? null : (row['id'] as number), row]));
  return expectedRows.flatMap(({ id, row }) => {
    const found = byId.get(id);
    const name = `${table} ${id ?? ''}`;
    if (row === DELETED) return found ? [`${name} exists again`] : [];
    if (!found) return [`${name} is missing`];
    return findDifferences(row, found).map((difference) => `${name}: ${difference}`);
  });
}

function findDifferences(expected: Row, found: Record<string, unknown>): string[] {
  return Object.entries(expected).flatMap(([column, value]) => {
    const actual = found[column] ?? null;
    const isSame = value === NOT_NULL ? actual !== null : actual === value;
    return isSame
      ? []
      : [`${column} is ${JSON.stringify(actual)}, but ${String(value)} was acknowledged`];
  });
}

async function countMarkers(
  maintenanceDb: pg.ClientBase,
  tutorId: string,
  kind: MarkerKind,
  markers: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await maintenanceDb.query<{ marker: string; count: number }>(
    `select marker, count(*)::int as count from (${MARKER_QUERIES[kind]}) as found group by marker`,
    [tutorId, markers],
  );
  return new Map(rows.map(({ marker, count }) => [marker, count]));
}

async function readBalances(
  maintenanceDb: pg.ClientBase,
  tutorId: string,
  familyIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await maintenanceDb.query<{ family_id: number; owed: number }>(
    `select family_id, sum(amount)::int as owed from (
       select family_id, amount from charges where tutor_id = $1 and family_id = any($2)
       union all select family_id, -amount from payments where tutor_id = $1 and family_id = any($2)) as entries
     group by family_id`,
    [tutorId, familyIds],
  );
  return new Map(rows.map((row) => [row.family_id, row.owed]));
}
