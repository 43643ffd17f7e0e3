/** Checks the architecture: import boundaries and the allowed files and folders. */
import { fileURLToPath } from 'node:url';
import { checkArchitecture } from './arch-lint/check-architecture.ts';

const root = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url));
const problems = checkArchitecture(root);

for (const { path, line, message } of problems) console.log(`${path}:${line}\n  ${message}\n`);
console.log(
  problems.length === 0 ? 'No architecture problems.' : `Architecture problems: ${problems.length}`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
