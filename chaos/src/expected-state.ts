/** A column that must not be null, whatever it holds. */
export const NOT_NULL = Symbol('set');
/** A row that must be there no more. */
export const DELETED = Symbol('gone');

export type Value = string | number | boolean | null | typeof NOT_NULL;
export type Row = Record<string, Value>;

export interface ExpectedRow {
  table: string;
  /** Null where a tutor has one row. */
  id: number | null;
  row: Row | typeof DELETED;
}

/** Where the marks of made things stand. */
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

/** Once: acknowledged. Never: refused, or deleted since. Perhaps: given up without an answer. */
export type Occurrence = 'once' | 'never' | 'perhaps';

/** What a tutor's browsers were told is saved. Nothing but answers is written down here. */
export class ExpectedState {
  readonly #facts = new Map<string, ExpectedRow>();
  readonly #marks = new Map<string, { place: MarkKind; mark: string; times: Occurrence }>();
  readonly #balances = new Map<number, number>();
  readonly #fresh = {
    facts: new Set<string>(),
    marks: new Set<string>(),
    families: new Set<number>(),
  };

  /** Adds to what is known of a row. */
  expectRow(table: string, id: number | null, row: Row | typeof DELETED): void {
    const key = `${table} ${id}`;
    const before = this.#facts.get(key)?.row;
    const known = before === undefined || before === DELETED ? {} : before;
    this.#facts.set(key, { table, id, row: row === DELETED ? DELETED : { ...known, ...row } });
    this.#fresh.facts.add(key);
  }

  expectMark(place: MarkKind, mark: string, times: Occurrence): void {
    this.#marks.set(`${place} ${mark}`, { place, mark, times });
    this.#fresh.marks.add(`${place} ${mark}`);
  }

  /** What a family owes more or less by what was acknowledged, in pence. */
  addToBalance(familyId: number, amount: number): void {
    this.#balances.set(familyId, (this.#balances.get(familyId) ?? 0) + amount);
    this.#fresh.families.add(familyId);
  }

  /** Everything, or what came since this was last asked. */
  expectations(all: boolean) {
    const wanted = <K, V>(map: ReadonlyMap<K, V>, fresh: ReadonlySet<K>): [K, V][] =>
      all
        ? [...map]
        : [...fresh].flatMap((key) => (map.has(key) ? [[key, map.get(key) as V]] : []));
    const taken = {
      facts: wanted(this.#facts, this.#fresh.facts).map(([, fact]) => fact),
      marks: wanted(this.#marks, this.#fresh.marks).map(([, mark]) => mark),
      balances: wanted(this.#balances, this.#fresh.families),
    };
    for (const fresh of Object.values(this.#fresh)) fresh.clear();
    return taken;
  }
}
