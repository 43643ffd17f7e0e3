/**
 * Reports how much of the specification is covered by passing tests, from the latest test results.
 *   npm run spec                 counts by area
 *   npm run spec -- --missing    also lists the statements without a passing test
 *   npm run spec -- --json       counts as JSON
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readTestResults } from './results/test-results.ts';
import { type Coverage, measureCoverage } from './spec/coverage.ts';
import { parseRequirements } from './spec/requirements.ts';

const { values: flags } = parseArgs({
  options: {
    missing: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    requirements: { type: 'string', default: fromRoot('docs/spec-ledger.csv') },
    results: { type: 'string', default: fromRoot('.cache/results') },
  },
});

const requirements = parseRequirements(readFileSync(flags.requirements, 'utf8'));
const coverage = measureCoverage(requirements, readTestResults(flags.results));

if (flags.json) console.log(JSON.stringify(coverage.areas));
else printTable(coverage);

if (flags.missing) {
  for (const { id, statement } of coverage.notPassing) console.log(`missing  ${id}  ${statement}`);
}
for (const { id, title } of coverage.failed) console.error(`failed   ${id}  ${title}`);
for (const { id, title } of coverage.unknown) console.error(`unknown  ${id}  ${title}`);

process.exitCode = coverage.failed.length + coverage.unknown.length > 0 ? 1 : 0;

function printTable({ areas }: Coverage): void {
  const rows = Object.entries(areas);
  for (const [area, { passing, total }] of rows) printRow(area, passing, total);
  const passing = rows.reduce((sum, [, area]) => sum + area.passing, 0);
  const total = rows.reduce((sum, [, area]) => sum + area.total, 0);
  printRow('all', passing, total);
}

function printRow(name: string, passing: number, total: number): void {
  console.log(`${name.padEnd(8)} ${String(passing).padStart(4)} of ${String(total).padStart(4)}`);
}

function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
