/** A column that must not be null. */
export const NOT_NULL = Symbol('set');
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

/** A mark is a unique text in a created row; these queries find rows by their marks. */
export const MARK_QUERIES = {
  student: `select notes as mark from students where tutor_id = $1 and notes = any($2)`,
  subject: `select description as mark from subjects where tutor_id = $1 and description = any($2)`,
  lesson: `select title as mark from lessons where tutor_id = $1 and title = any($2) and continues_lesson_id is null`,
  'time off': `select reason as mark from time_off where tutor_id = $1 and reason = any($2)`,
  payment: `select note as mark from payments where tutor_id = $1 and note = any($2) and kind <> 'reversal'`,
  invoice: `select period_from::text as mark from invoices where tutor_id = $1 and period_from = any($2::date[])`,
  message: `select subject as mark from messages where tutor_id = $1 and subject = any($2)`,
} as const;
export type MarkKind = keyof typeof MARK_QUERIES;

/** Once: acknowledged. Never: refused, or deleted since. Perhaps: abandoned without a response. */
export type Occurrence = 'once' | 'never' | 'perhaps';

/** The writes that the server acknowledged to a tutor's browsers; filled from responses only. */
export class ExpectedState {
  readonly #facts = new Map<string, ExpectedRow>();
  readonly #marks = new Map<string, { kind: MarkKind; mark: string; times: Occurrence }>();
  readonly #balances = new Map<number, number>();
  /** Keys that changed since the last call to `expectations`. */
  readonly #changed = {
    facts: new Set<string>(),
    marks: new Set<string>(),
    families: new Set<number>(),
  };

  /** Merges `row` into the columns already expected of this row, or expects the row to be deleted. */
  expectRow(table: string, id: number | null, row: Row | typeof DELETED): void {
    const key = `${table} ${id}`;
    const before = this.#facts.get(key)?.row;
    const known = before === undefined || before === DELETED ? {} : before;
    this.#facts.set(key, { table, id, row: row === DELETED ? DELETED : { ...known, ...row } });
    this.#changed.facts.add(key);
  }

  expectMark(kind: MarkKind, mark: string, times: Occurrence): void {
    this.#marks.set(`${kind} ${mark}`, { kind, mark, times });
    this.#changed.marks.add(`${kind} ${mark}`);
  }

  /** Records an acknowledged change to what a family owes, in pence. */
  addToBalance(familyId: number, amount: number): void {
    this.#balances.set(familyId, (this.#balances.get(familyId) ?? 0) + amount);
    this.#changed.families.add(familyId);
  }

  /** Returns all expectations, or only those since the last call. */
  expectations(all: boolean) {
    const select = <K, V>(map: ReadonlyMap<K, V>, changed: ReadonlySet<K>): [K, V][] =>
      all
        ? [...map]
        : [...changed].flatMap((key) => (map.has(key) ? [[key, map.get(key) as V]] : []));
    const selected = {
      facts: select(this.#facts, this.#changed.facts).map(([, fact]) => fact),
      marks: select(this.#marks, this.#changed.marks).map(([, mark]) => mark),
      balances: select(this.#balances, this.#changed.families),
    };
    for (const keys of Object.values(this.#changed)) keys.clear();
    return selected;
  }
}
