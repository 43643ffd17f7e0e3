import { parseCsv } from '../spec/parse-csv.ts';

/** How a requirement is covered: by tests, by a page, by the operator's deployment, or not yet. */
export const COVERAGE_KINDS = ['test', 'document', 'deployment', 'gap'] as const;
export type CoverageKind = (typeof COVERAGE_KINDS)[number];

export interface AsvsRequirement {
  /** The number in the standard, such as V6.2.1. */
  req: string;
  level: string;
  kind: CoverageKind;
  /** Test files or page headings (docs/….md#heading), separated by spaces in the CSV file; empty for a gap. */
  coveredBy: string[];
  note: string;
}

/** Parses docs/security/asvs.csv: one row for each applicable requirement at levels 1 and 2. */
export function parseAsvsRequirements(csv: string): AsvsRequirement[] {
  const [header = [], ...rows] = parseCsv(csv);
  const column = (row: readonly string[], name: string) => row[header.indexOf(name)] ?? '';
  return rows.map((row) => ({
    req: column(row, 'req'),
    level: column(row, 'level'),
    kind: column(row, 'kind') as CoverageKind,
    coveredBy: column(row, 'shown_by').split(' ').filter(Boolean),
    note: column(row, 'note'),
  }));
}
