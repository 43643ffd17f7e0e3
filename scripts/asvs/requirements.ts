import { parseCsv } from '../spec/ledger.ts';

/** How a requirement is answered for: by tests, by a page, by whoever runs the server, or not yet. */
export const KINDS = ['test', 'document', 'deployment', 'gap'] as const;
export type Kind = (typeof KINDS)[number];

export interface Requirement {
  /** As the standard numbers it: V6.2.1. */
  req: string;
  level: string;
  kind: Kind;
  /** Test files, or headings of pages (docs/….md#heading), with spaces between; nothing for a gap. */
  shownBy: string[];
  note: string;
}

/** Reads docs/security/asvs.csv: one row for each requirement of levels 1 and 2 that applies to us. */
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
