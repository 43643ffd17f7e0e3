import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkProjectRules, type Finding } from './project-rules.ts';
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
  return [...runSquawk(sql), ...checkProjectRules(sql)].toSorted((a, b) => a.line - b.line);
}
