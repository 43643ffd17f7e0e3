/** Refuses migrations that would hold up or break the server that is still running: see CONTRIBUTING, "Add a migration". */
import { fileURLToPath } from 'node:url';
import { checkMigrations } from './migration-lint/check-migrations.ts';

const folder =
  process.argv[2] ?? fileURLToPath(new URL('../apps/server/migrations/', import.meta.url));
const findings = checkMigrations(folder);
for (const { file, line, rule, message } of findings)
  console.log(`${file}:${line}\n  ${rule}: ${message}\n`);
console.log(
  findings.length === 0
    ? 'All migrations keep to the rules.'
    : `${findings.length} against the rules for migrations.`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
