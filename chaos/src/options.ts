import { parseArgs } from 'node:util';
import { CI_SLOWDOWN } from '@lessonbook/test-env/ci-slowdown';
import { isSelfTestName, SELF_TESTS, type SelfTestName } from './self-test.ts';

export interface Options {
  size: 'short' | 'long';
  seed: number;
  selfTest: SelfTestName | 'all' | null;
  record: boolean;
  /** How many times slower than an idle machine this one may be. */
  slowdown: number;
}

export const USAGE = `npm run chaos -- --short | --long [--seed n] [--ci] [--record] [--sabotage name]

  --short     a few thousand operations and a dozen kills, within 75 s
  --long      more than 100,000 operations and 300 kills
  --seed n    repeats the operations, kills and vendor faults of an earlier run; their timing can differ
  --ci        allows three times as long for recovery, since the CI machine can be slow
  --record    writes the result to docs/reliability.md
  --sabotage  plants a fault that the run must detect; 'all' tries each fault in turn
              ${Object.keys(SELF_TESTS).join(', ')}`;

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      short: { type: 'boolean' },
      long: { type: 'boolean' },
      seed: { type: 'string' },
      sabotage: { type: 'string' },
      record: { type: 'boolean' },
      ci: { type: 'boolean' },
    },
  });
  if (values.short && values.long) throw new Error('Use either --short or --long');
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed);
  if (!Number.isSafeInteger(seed)) throw new Error(`--seed must be a whole number`);
  const selfTest = values.sabotage ?? null;
  if (selfTest !== null && selfTest !== 'all' && !isSelfTestName(selfTest)) {
    throw new Error(`Unknown sabotage "${selfTest}"`);
  }
  const size = values.long ? 'long' : 'short';
  const slowdown = values.ci ? CI_SLOWDOWN : 1;
  return { size, seed, selfTest, record: values.record ?? false, slowdown };
}
