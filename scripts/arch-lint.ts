/** Checks the walls of the house: who may import whom, and which files may stand where. */
import { fileURLToPath } from 'node:url';
import { checkArchitecture } from './arch-lint/check-architecture.ts';

const root = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url));
const problems = checkArchitecture(root);

for (const { path, line, message } of problems) console.log(`${path}:${line}\n  ${message}\n`);
console.log(
  problems.length === 0 ? 'All house rules hold.' : `${problems.length} against the house rules.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
