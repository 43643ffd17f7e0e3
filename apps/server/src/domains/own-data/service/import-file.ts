import { IMPORT_ROWS, type ImportKind, type ImportRow } from '@lessonbook/contract/import';
import { AppError } from '../../../platform/app-error.ts';
import { readTable } from '../rules/csv-table.ts';
import { type Cells, cellsOf, matchColumns } from '../rules/import-columns.ts';

export interface FileRow {
  row: number;
  cells: Cells;
}

/** A row with what it would become; none where it is wrong, or there already. */
export interface Planned<Input> extends ImportRow {
  input?: Input;
}

/** The rows of a file whose headings say enough. */
export function openFile(
  kind: ImportKind,
  text: string,
): { rows: FileRow[]; unknownColumns: string[] } {
  const { header, rows } = readTable(text);
  const columns = matchColumns(kind, header);
  if (columns.missing.length > 0) {
    const missing = columns.missing.map((name) => `“${name}”`).join(', ');
    throw new AppError('invalid', `The first row must name the columns. Missing: ${missing}.`);
  }
  if (rows.length === 0) throw new AppError('invalid', 'There are no rows below the heading.');
  if (rows.length > IMPORT_ROWS[kind]) {
    const message = `That is more than ${IMPORT_ROWS[kind]} rows. Please split the file.`;
    throw new AppError('invalid', message);
  }
  return {
    rows: rows.map(({ row, cells }) => ({ row, cells: cellsOf(columns, cells) })),
    unknownColumns: columns.unknown,
  };
}

/** All rows or none: what is wrong stops the whole. Gives what is new. */
export function mustBeGood<Input>(planned: readonly Planned<Input>[]): Input[] {
  const wrong = planned.find(({ state }) => state === 'wrong');
  if (wrong) {
    const message = `Row ${wrong.row}: ${wrong.notes[0]}. Nothing was imported.`.replace('..', '.');
    throw new AppError('invalid', message);
  }
  return planned.flatMap(({ input }) => (input === undefined ? [] : [input]));
}
