/**
 * Lists the abuse cases in docs/security/trust-cases.csv with the number of tests that cover each, from the latest test
 * results. Fails when a case has a failed test or no passing one.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTestResults } from './results/test-results.ts';
import { measureCoverage } from './spec/coverage.ts';
import { ID_PATTERNS, idsInTitle } from './spec/ids-in-title.ts';
import { parseRequirements } from './spec/requirements.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const cases = parseRequirements(readFileSync(fromRoot('docs/security/trust-cases.csv'), 'utf8'));
const results = readTestResults(fromRoot('.cache/results'));
const { notPassing, failed, unknown } = measureCoverage(cases, results, ID_PATTERNS.abuse);

for (const { id, statement } of cases) {
  const tests = results.filter(({ title }) => idsInTitle(title, ID_PATTERNS.abuse).includes(id));
  console.log(`${id}  ${String(tests.length).padStart(3)} tests  ${statement}`);
}
for (const { id, statement } of notPassing) console.error(`missing  ${id}  ${statement}`);
for (const { id, title } of failed) console.error(`failed   ${id}  ${title}`);
for (const { id, title } of unknown) console.error(`unknown  ${id}  ${title}`);
console.log(`${cases.length - notPassing.length} of ${cases.length} cases have passing tests`);
process.exitCode = notPassing.length + failed.length + unknown.length > 0 ? 1 : 0;
