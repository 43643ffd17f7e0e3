import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkProjectRules, type Finding, NEEDS_STOP } from './project-rules.ts';
import { runSquawk } from './run-squawk.ts';

export interface MigrationFinding extends Finding {
  file: string;
}

export function checkMigrations(folder: string): MigrationFinding[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .flatMap((file) =>
      lintSql(readFileSync(join(folder, file), 'utf8')).map((each) => ({ file, ...each })),
    );
}

export function lintSql(sql: string): Finding[] {
  // Squawk's rules apply only if the servers are running during the migration.
  const squawkFindings = sql.startsWith(NEEDS_STOP) ? [] : runSquawk(sql);
  return [...squawkFindings, ...checkProjectRules(sql)].toSorted((a, b) => a.line - b.line);
}
