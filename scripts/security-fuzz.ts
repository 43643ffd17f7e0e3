/**
 * Security fuzzing: calls every documented operation with another tutor's ids and tokens and with malformed values. Repeats
 * this without the application's tenant filter, without row-level security, and with seeded bugs, which it must detect.
 *   npm run fuzz -- --short               about a minute
 *   npm run fuzz -- --long                200,000 requests
 *   npm run fuzz -- --ci                  allows three seconds for a response instead of one, since the CI machine can be slow
 *   npm run fuzz -- --seed 123456         repeats the requests of an earlier run
 *   npm run fuzz -- --without app-check   runs only the phase without the tenant filter
 *   npm run fuzz -- --without rls         runs only the phase without row-level security
 *   npm run fuzz -- --table               also prints the responses for each operation
 */

import { parseArgs } from 'node:util';
import { seedFromEnvironment } from '@lessonbook/server/src/test/model/random.ts';
import { CI_SLOWDOWN } from '@lessonbook/test-env/ci-slowdown';
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
  minRequests: flags.long ? 200_000 : 0,
  slowMs: flags.ci ? CI_SLOWDOWN * SLOW_MS : SLOW_MS,
  only: flags.without as 'app-check' | 'rls' | undefined,
});
process.exitCode = report(phases, {
  seed,
  seconds: (performance.now() - start) / 1000,
  table: flags.table,
});
