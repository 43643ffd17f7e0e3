/** A column that must not be null. */
export const NOT_NULL = Symbol('not null');
/** A row that must not exist. */
export const DELETED = Symbol('deleted');

export type Value = string | number | boolean | null | typeof NOT_NULL;
export type Row = Record<string, Value>;

export interface ExpectedRow {
  table: string;
  /** Null for tables with one row per tutor. */
  id: number | null;
  row: Row | typeof DELETED;
}

/** A marker is a unique string in a created row; these queries find rows by their markers. */
export const MARKER_QUERIES = {
  student: `select notes as marker from students where tutor_id = $1 and notes = any($2)`,
  contact: `select name as marker from contacts where tutor_id = $1 and name = any($2)`,
  subject: `select description as marker from subjects where tutor_id = $1 and description = any($2)`,
  lesson: `select title as marker from lessons where tutor_id = $1 and title = any($2) and continues_lesson_id is null`,
  'time off': `select reason as marker from time_off where tutor_id = $1 and reason = any($2)`,
  payment: `select note as marker from payments where tutor_id = $1 and note = any($2) and kind <> 'reversal'`,
  invoice: `select period_from::text as marker from invoices where tutor_id = $1 and period_from = any($2::date[])`,
  message: `select subject as marker from messages where tutor_id = $1 and subject = any($2)`,
} as const;
export type MarkerKind = keyof typeof MARKER_QUERIES;

/** How many rows contain the marker: 0 after a refusal or a deletion; 'unknown' (0 or 1) if the client gave up. */
export type MarkerCount = number | 'unknown';

/** The writes that the server acknowledged to a tutor's virtual users; filled from responses only. */
export class ExpectedState {
  readonly #rows = new Map<string, ExpectedRow>();
  readonly #markers = new Map<
    string,
    { kind: MarkerKind; marker: string; expected: MarkerCount }
  >();
  readonly #balances = new Map<number, number>();
  /** Keys that changed since the last call to `expectations`. */
  readonly #changed = {
    rows: new Set<string>(),
    markers: new Set<string>(),
    families: new Set<number>(),
  };

  /** Merges `row` into the columns already expected of this row, or expects the row to be deleted. */
  expectRow(table: string, id: number | null, row: Row | typeof DELETED): void {
    const key = `${table} ${id}`;
    const before = this.#rows.get(key)?.row;
    const previous = before === undefined || before === DELETED ? {} : before;
    this.#rows.set(key, { table, id, row: row === DELETED ? DELETED : { ...previous, ...row } });
    this.#changed.rows.add(key);
  }

  expectMarker(kind: MarkerKind, marker: string, expected: MarkerCount): void {
    const key = `${kind} ${marker}`;
    this.#markers.set(key, { kind, marker, expected });
    this.#changed.markers.add(key);
  }

  /** Records an acknowledged change to what a family owes, in pence. */
  addToBalance(familyId: number, amount: number): void {
    this.#balances.set(familyId, (this.#balances.get(familyId) ?? 0) + amount);
    this.#changed.families.add(familyId);
  }

  /** Returns all expectations, or only those since the last call. */
  expectations(includeUnchanged: boolean) {
    const select = <K, V>(map: ReadonlyMap<K, V>, changed: ReadonlySet<K>): [K, V][] =>
      includeUnchanged
        ? [...map]
        : [...changed].flatMap((key) => (map.has(key) ? [[key, map.get(key) as V]] : []));
    const selected = {
      expectedRows: select(this.#rows, this.#changed.rows).map(([, expectedRow]) => expectedRow),
      markers: select(this.#markers, this.#changed.markers).map(([, marker]) => marker),
      balances: select(this.#balances, this.#changed.families),
    };
    for (const keys of Object.values(this.#changed)) keys.clear();
    return selected;
  }
}
