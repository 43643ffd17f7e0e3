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
  `All your Lessonbook records, as of ${day}.

json/   one file for each type of record, for use with other software
csv/    the same records, for spreadsheets

- Amounts are in the smallest unit of the currency: 3500 in GBP is £35.00.
- Times ending in Z are in UTC. Columns such as date and start_time are in your own time zone.
- Columns ending in _id refer to a row in another file: the student_id of a lesson is the id of
  the student.
- In csv/, a cell that a spreadsheet could mistake for a formula starts with an apostrophe.
- Passwords, keys and private links aren't included, because anyone who had them could use your
  account or see a family's page.

Record types: ${EXPORT_TABLES.map(({ table }) => table).join(', ')}.

This file contains families' personal data. Please keep it safe, and delete it when you no longer
need it.
`;
