import type { ImportKind } from '@lessonbook/contract/import';

/** Accepted column headings. Case, spaces and dashes are ignored. */
const COLUMN_ALIASES: Record<ImportKind, Record<string, readonly string[]>> = {
  students: {
    name: ['name', 'student', 'student name', 'full name'],
    phone: ['phone', 'student phone', 'mobile', 'telephone'],
    email: ['email', 'e-mail', 'student email', 'mail'],
    subject: ['subject', 'subjects'],
    notes: ['notes', 'note', 'comment', 'comments'],
    carerName: ['carer', 'carer name', 'parent', 'parent name', 'guardian', 'guardian name'],
    carerRelationship: ['relationship', 'carer relationship', 'relation'],
    carerPhone: ['carer phone', 'parent phone', 'guardian phone'],
    carerEmail: ['carer email', 'carer e-mail', 'parent email', 'guardian email'],
  },
  lessons: {
    student: ['student', 'student name', 'name'],
    subject: ['subject'],
    date: ['date', 'first date', 'day'],
    start: ['start', 'start time', 'from', 'begins'],
    end: ['end', 'end time', 'to', 'ends'],
    fee: ['fee', 'price', 'amount'],
    until: ['weekly until', 'until', 'repeat until', 'repeats until'],
  },
};

const REQUIRED_COLUMNS: Record<ImportKind, readonly string[]> = {
  students: ['name'],
  lessons: ['student', 'subject', 'date', 'start', 'end'],
};

const normalizeHeading = (heading: string): string =>
  heading.toLowerCase().replaceAll(/[\s_-]+/g, '');

const fieldsByHeading = (kind: ImportKind): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(COLUMN_ALIASES[kind]).flatMap(([field, names]) =>
      names.map((name) => [normalizeHeading(name), field] as const),
    ),
  );
const FIELDS_BY_HEADING: Record<ImportKind, ReadonlyMap<string, string>> = {
  students: fieldsByHeading('students'),
  lessons: fieldsByHeading('lessons'),
};

export interface ColumnMapping {
  /** Column index by field name. */
  indexes: ReadonlyMap<string, number>;
  unknown: string[];
  missing: string[];
}

/** If two headings match the same field, the first one is used. */
export function matchColumns(kind: ImportKind, header: readonly string[]): ColumnMapping {
  const indexes = new Map<string, number>();
  const unknown: string[] = [];
  for (const [index, heading] of header.entries()) {
    const field = FIELDS_BY_HEADING[kind].get(normalizeHeading(heading));
    if (field && !indexes.has(field)) indexes.set(field, index);
    else if (heading !== '') unknown.push(heading);
  }
  const missing = REQUIRED_COLUMNS[kind].filter((name) => !indexes.has(name));
  return { indexes, unknown, missing };
}

export type CellReader = (name: string) => string;

export const toCellReader =
  ({ indexes }: ColumnMapping, cells: readonly string[]): CellReader =>
  (name) =>
    cells[indexes.get(name) ?? -1] ?? '';
