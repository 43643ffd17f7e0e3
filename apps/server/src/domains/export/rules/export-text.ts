import { EXPORT_TABLES } from './export-tables.ts';

type Value = string | number | boolean | Date | null | object;

/** Formats a value for CSV: arrays and objects as JSON, timestamps as ISO 8601. */
export function toCell(value: Value | undefined): string | number {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

export const readmeText = (day: string): string =>
  `Everything in your Lessonbook, as of ${day}.

json/   one file for each kind of thing, complete, for programs
csv/    the same for spreadsheets

- Amounts are in the smallest unit of their currency: 3500 GBP is £35.00.
- Times that end in Z are in UTC. Columns such as start_time and date are as on your wall.
- Columns that end in _id say which row of another file is meant: the student_id of a lesson is
  the id of a student.
- In csv/ a cell that a spreadsheet would take for a formula begins with an apostrophe.
- Not in here, because anyone who has them could act for you or see what a family sees: passwords,
  keys and private links.

Kinds: ${EXPORT_TABLES.map(({ table }) => table).join(', ')}.

This file holds personal data of families. Please keep it safe, and delete it when you no longer
need it.
`;
