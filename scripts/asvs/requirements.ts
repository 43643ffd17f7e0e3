import { parseCsv } from '../spec/ledger.ts';

/** How a requirement is covered: by tests, by a page, by the operator's deployment, or not yet. */
export const KINDS = ['test', 'document', 'deployment', 'gap'] as const;
export type Kind = (typeof KINDS)[number];

export interface Requirement {
  /** The number in the standard, such as V6.2.1. */
  req: string;
  level: string;
  kind: Kind;
  /** Test files or page headings (docs/….md#heading), separated by spaces in the CSV file; empty for a gap. */
  shownBy: string[];
  note: string;
}

/** Parses docs/security/asvs.csv: one row for each applicable requirement at levels 1 and 2. */
export function parseRequirements(csv: string): Requirement[] {
  const [header = [], ...rows] = parseCsv(csv);
  const column = (row: readonly string[], name: string) => row[header.indexOf(name)] ?? '';
  return rows.map((row) => ({
    req: column(row, 'req'),
    level: column(row, 'level'),
    kind: column(row, 'kind') as Kind,
    shownBy: column(row, 'shown_by').split(' ').filter(Boolean),
    note: column(row, 'note'),
  }));
}
