import {
  type ImportKind,
  type ImportRow,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
} from '@lessonbook/contract/import';
import { AppError } from '../../../platform/app-error.ts';
import { parseCsv } from '../rules/csv-parser.ts';
import { type CellReader, matchColumns, toCellReader } from '../rules/import-columns.ts';

export interface FileRow {
  row: number;
  readCell: CellReader;
}

/** Invalid rows, and rows that already exist, have no `input`. */
export interface PlannedRow<Input> extends ImportRow {
  input?: Input;
}

/** Throws if a required column is missing, if there are no rows, or if there are too many columns or rows. */
export function parseImportFile(
  kind: ImportKind,
  text: string,
): { rows: FileRow[]; unknownColumns: string[] } {
  const { header, rows } = parseCsv(text, {
    columns: MAX_IMPORT_COLUMNS,
    rows: MAX_IMPORT_ROWS[kind],
  });
  if (header.length > MAX_IMPORT_COLUMNS) {
    const message = `That is more than ${MAX_IMPORT_COLUMNS} columns. Please remove the ones you don't need.`;
    throw new AppError('invalid', message);
  }
  const columns = matchColumns(kind, header);
  if (columns.missing.length > 0) {
    const missing = columns.missing.map((name) => `“${name}”`).join(', ');
    throw new AppError('invalid', `The first row must name the columns. Missing: ${missing}.`);
  }
  if (rows.length === 0) throw new AppError('invalid', 'There are no rows below the heading.');
  if (rows.length > MAX_IMPORT_ROWS[kind]) {
    const message = `That is more than ${MAX_IMPORT_ROWS[kind]} rows. Please split the file.`;
    throw new AppError('invalid', message);
  }
  return {
    rows: rows.map(({ row, cells }) => ({ row, readCell: toCellReader(columns, cells) })),
    unknownColumns: columns.unknown,
  };
}

/** Returns the inputs from the new rows. Throws if any row is invalid. */
export function getNewInputsOrThrow<Input>(planned: readonly PlannedRow<Input>[]): Input[] {
  const invalid = planned.find(({ state }) => state === 'invalid');
  if (invalid) {
    const message = `Row ${invalid.row}: ${invalid.notes[0]}. Nothing was imported.`.replace(
      '..',
      '.',
    );
    throw new AppError('invalid', message);
  }
  return planned.flatMap(({ input }) => (input === undefined ? [] : [input]));
}
