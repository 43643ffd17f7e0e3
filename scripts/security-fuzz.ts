/**
 * Hostile requests: everything the API describes, called by somebody else with a tutor's ids and tokens, and with values
 * that no form sends. Again without the application's tenant check, and again without row-level security; then with faults
 * planted, which must be found.
 *   npm run hostile -- --short               about a minute
 *   npm run hostile -- --long                200,000 requests
 *   npm run hostile -- --ci                  an answer may take three seconds instead of one: CI's machine has slow hours
 *   npm run hostile -- --seed 123456         the requests of an earlier run
 *   npm run hostile -- --without app-check   only with that taken away; or rls
 *   npm run hostile -- --table               also the answers by operation
 */

import { parseArgs } from 'node:util';
import { seedFromEnvironment } from '@lessonbook/server/src/test/model/random.ts';
import { CI_SLOWDOWN } from '@lessonbook/test-env/slow-machine';
import { SLOW_MS } from './security-fuzz/assertions.ts';
import { runPhases } from './security-fuzz/phases.ts';
import { report } from './security-fuzz/report.ts';

const { values: flags } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    seed: { type: 'string' },
    without: { type: 'string' },
    table: { type: 'boolean', default: false },
    ci: { type: 'boolean', default: false },
  },
});
if (flags.without !== undefined && !['app-check', 'rls'].includes(flags.without)) {
  console.error('--without takes app-check or rls');
  process.exit(2);
}
if (flags.seed !== undefined) process.env['SEED'] = flags.seed;
const seed = seedFromEnvironment();
const start = performance.now();
const phases = await runPhases({
  seed,
  requests: flags.long ? 200_000 : 0,
  slowMs: flags.ci ? CI_SLOWDOWN * SLOW_MS : SLOW_MS,
  only: flags.without as 'app-check' | 'rls' | undefined,
});
process.exitCode = report(phases, {
  seed,
  seconds: (performance.now() - start) / 1000,
  table: flags.table,
});
