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

/** Quoted fields may contain commas, line breaks and doubled quotes. */
export function parseCsv(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

  while (field.lastIndex < csv.length) {
    const match = field.exec(csv);
    if (!match) throw new Error(`Invalid CSV after row ${rows.length}`);
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
