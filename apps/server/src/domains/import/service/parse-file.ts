import {
  type ImportInput,
  type ImportPreview,
  type ImportRow,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
} from '@lessonbook/contract/import';
import { AppError } from '../../../platform/app-error.ts';
import { parseCsv } from '../rules/csv-parser.ts';
import { ICS_FIELDS, readIcs } from '../rules/ics-rows.ts';
import { type CellReader, matchColumns, toCellReader } from '../rules/import-columns.ts';

export interface FileRow {
  row: number;
  readCell: CellReader;
  /** Notes on content of the file that is not imported. */
  notes: string[];
}

/** Rows that are imported have an `input`. */
export interface PlannedRow<Input> extends ImportRow {
  input?: Input;
}

export interface ParsedFile extends Pick<ImportPreview, 'columns' | 'missingFields'> {
  rows: FileRow[];
  isCalendar: boolean;
}

/** Throws if there are no rows, or too many columns or rows. Without a required column, there are no rows. */
export function parseImportFile(
  { kind, text, columns: chosen }: Pick<ImportInput, 'kind' | 'text' | 'columns'>,
  timeZone: string,
): ParsedFile {
  const events = readIcs(text, timeZone);
  if (events) {
    if (kind === 'students')
      throw new AppError('invalid', 'This is a calendar. Choose “Lessons” to import it.');
    assertRowCount(kind, events.length);
    const rows = events.map(({ row, cells, notes }) => ({
      row,
      notes,
      readCell: toCellReader(ICS_FIELDS, cells),
    }));
    return { rows, columns: [], missingFields: [], isCalendar: true };
  }
  const { header, rows } = parseCsv(text, {
    columns: MAX_IMPORT_COLUMNS,
    rows: MAX_IMPORT_ROWS[kind],
  });
  if (header.length > MAX_IMPORT_COLUMNS) {
    const message = `That is more than ${MAX_IMPORT_COLUMNS} columns. Please remove the ones you don't need.`;
    throw new AppError('invalid', message);
  }
  assertRowCount(kind, rows.length);
  const { fields, missing } = matchColumns(kind, header, chosen);
  return {
    rows:
      missing.length > 0
        ? []
        : rows.map(({ row, cells }) => ({ row, notes: [], readCell: toCellReader(fields, cells) })),
    columns: header.map((heading, index) => ({ heading, field: fields[index] ?? null })),
    missingFields: missing,
    isCalendar: false,
  };
}

function assertRowCount(kind: ImportInput['kind'], count: number): void {
  if (count === 0) throw new AppError('invalid', 'There are no rows below the heading.');
  if (count <= MAX_IMPORT_ROWS[kind]) return;
  const message = `That is more than ${MAX_IMPORT_ROWS[kind]} rows. Please split the file.`;
  throw new AppError('invalid', message);
}

export function assertNoMissingFields({ missingFields }: ParsedFile): void {
  if (missingFields.length === 0) return;
  const missing = missingFields.map((label) => `“${label}”`).join(', ');
  throw new AppError('invalid', `The file has no column for ${missing}.`);
}
