import { parseCsv } from './parse-csv.ts';

export interface Requirement {
  id: string;
  /** The part of the id before the number, such as AUTH. */
  area: string;
  statement: string;
}

/** Parses a list of requirements: a CSV file with one row for each statement that a test must cover. */
export function parseRequirements(csv: string): Requirement[] {
  const [header = [], ...rows] = parseCsv(csv);
  const idColumn = header.indexOf('id');
  const statementColumn = header.indexOf('statement');
  return rows.map((row) => {
    const id = row[idColumn] ?? '';
    return { id, area: id.replace(/-\d+$/, ''), statement: row[statementColumn] ?? '' };
  });
}
