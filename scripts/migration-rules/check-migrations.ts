import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding, houseFindings } from './house-sql.ts';
import { squawkFindings } from './squawk.ts';

export interface MigrationFinding extends Finding {
  file: string;
}

export function checkMigrations(folder: string): MigrationFinding[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .flatMap((file) =>
      findingsIn(readFileSync(join(folder, file), 'utf8')).map((each) => ({ file, ...each })),
    );
}

export function findingsIn(sql: string): Finding[] {
  return [...squawkFindings(sql), ...houseFindings(sql)].toSorted(
    (one, other) => one.line - other.line,
  );
}
