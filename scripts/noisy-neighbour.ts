/**
 * Noisy neighbour: tutor A, the demo account and an anonymous visitor call operations with their largest allowed input,
 * one request at a time and then 20 at once, while tutor B's calls are measured. See docs/reliability.md.
 *   npm run neighbour                     about a minute: the named cases and ten operations drawn by seed
 *   npm run neighbour -- --long           every operation, with at least 200 of tutor B's calls for each
 *   npm run neighbour -- --ci             allows three times the delay, since the CI machine can be slow
 *   npm run neighbour -- --seed 123456    repeats the draw of an earlier run
 *   npm run neighbour -- --only 'F01|F02' only the cases whose name contains one of these texts
 *   npm run neighbour -- --profile        names the functions behind each stall
 *   npm run neighbour -- --sabotage       plants operations without limits, which must be detected
 */

import { parseArgs } from 'node:util';
import { seedFromEnvironment } from '@lessonbook/server/src/test/model/random.ts';
import { CI_SLOWDOWN } from '@lessonbook/test-env/ci-slowdown';
import { isSabotageDetected } from './noisy-neighbour/find-faults.ts';
import { saveCaseResults } from './noisy-neighbour/report.ts';
import { runNoisyNeighbour } from './noisy-neighbour/run.ts';

const { values: flags } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    ci: { type: 'boolean', default: false },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
    sabotage: { type: 'boolean', default: false },
  },
});
if (flags.seed !== undefined) process.env['SEED'] = flags.seed;
const seed = seedFromEnvironment();
console.log(`neighbour --${flags.long ? 'long' : 'short'} --seed ${seed}`);
const start = performance.now();
const cases = await runNoisyNeighbour({
  seed,
  isLong: flags.long,
  slowdown: flags.ci ? CI_SLOWDOWN : 1,
  profile: flags.profile,
  only: flags.only,
  sabotage: flags.sabotage,
});
const failed = cases.filter(({ faults }) => faults.length > 0);
const seconds = Math.round((performance.now() - start) / 1000);
console.log(
  `\nneighbour: seed ${seed}, ${seconds} s, ${cases.length - failed.length} cases passed, ${failed.length} failed`,
);
for (const { name } of failed) console.log(`failed  ${name}`);
if (flags.sabotage) {
  const isDetected = isSabotageDetected(cases);
  console.log(isDetected ? 'detected' : 'NOT detected');
  process.exitCode = isDetected ? 0 : 1;
} else {
  saveCaseResults(cases);
  process.exitCode = failed.length === 0 && cases.length > 0 ? 0 : 1;
}
