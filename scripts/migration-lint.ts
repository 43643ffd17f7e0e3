/** Rejects migrations that would block or break the running server: see CONTRIBUTING, "Add a migration". */
import { fileURLToPath } from 'node:url';
import { checkMigrations } from './migration-lint/check-migrations.ts';

const folder =
  process.argv[2] ?? fileURLToPath(new URL('../apps/server/migrations/', import.meta.url));
const findings = checkMigrations(folder);
for (const { file, line, rule, message } of findings)
  console.log(`${file}:${line}\n  ${rule}: ${message}\n`);
console.log(
  findings.length === 0
    ? 'No problems in migrations.'
    : `Problems in migrations: ${findings.length}`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
