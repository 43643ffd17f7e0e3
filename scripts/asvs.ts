/**
 * Checks how each applicable OWASP ASVS 5.0 requirement is covered: by tests, from the results of the latest full `npm test`
 * and `npm run e2e`, or by pages in docs/. Fails when a listed test or page does not exist.
 *   npm run asvs             counts by kind
 *   npm run asvs -- --gaps   also lists the gaps and how to close them
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { APPLICABLE_COUNTS, checkRequirements } from './asvs/check.ts';
import { findHeadingAnchors } from './asvs/markdown-anchors.ts';
import { parseAsvsRequirements } from './asvs/parse-requirements.ts';
import { readTestResults } from './results/test-results.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values: flags } = parseArgs({
  options: {
    gaps: { type: 'boolean', default: false },
    list: { type: 'string', default: join(root, 'docs/security/asvs.csv') },
    results: { type: 'string', default: join(root, '.cache/results') },
  },
});

const list = parseAsvsRequirements(readFileSync(flags.list, 'utf8'));
const { counts, faults } = checkRequirements(list, {
  results: readTestResults(flags.results),
  anchorsOf: (page) =>
    existsSync(join(root, page))
      ? findHeadingAnchors(readFileSync(join(root, page), 'utf8'))
      : undefined,
  applicableCounts: APPLICABLE_COUNTS,
});

for (const [kind, count] of Object.entries(counts))
  console.log(`${kind.padEnd(12)} ${String(count).padStart(4)} of ${list.length}`);
if (flags.gaps) {
  for (const { req, kind, note } of list) if (kind === 'gap') console.log(`gap  ${req}  ${note}`);
}
for (const fault of faults) console.error(`fault  ${fault}`);
process.exitCode = faults.length > 0 ? 1 : 0;
