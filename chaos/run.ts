/** Proves that saved means saved: kills everything while tutors work, and compares. See docs/reliability.md. */
import { fileURLToPath } from 'node:url';
import { type Options, readOptions, USAGE } from './src/options.ts';
import { SIZES } from './src/plan.ts';
import { formatOutcome, hasNoFaults, isDetected, writeResults } from './src/report.ts';
import { runChaosTest } from './src/runner.ts';
import { saveResults } from './src/save-results.ts';
import { SELF_TESTS, type SelfTestName } from './src/self-test.ts';

const RESULTS = fileURLToPath(new URL('../.cache/results/chaos.json', import.meta.url));

function optionsOrUsage(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return undefined;
  }
}

async function runChaos({ size, seed, record, slowdown }: Options): Promise<boolean> {
  const outcome = await runChaosTest(SIZES[size], seed, null, slowdown);
  console.log(`\n${formatOutcome(outcome)}`);
  writeResults(RESULTS, outcome);
  if (record) saveResults(`npm run chaos -- --${size} --seed ${seed}`, formatOutcome(outcome));
  return hasNoFaults(outcome);
}

/** True if it was noticed. */
async function runSelfTest(
  name: SelfTestName,
  { size, seed, slowdown }: Options,
): Promise<boolean> {
  console.log(`\nsabotage ${name}: ${SELF_TESTS[name].what}`);
  const outcome = await runChaosTest(SIZES[size], seed, SELF_TESTS[name], slowdown);
  console.log(`\n${formatOutcome(outcome)}`);
  return isDetected(outcome, SELF_TESTS[name]);
}

async function runAllSelfTests(options: Options): Promise<boolean> {
  const noticed = new Map<SelfTestName, boolean>();
  for (const name of Object.keys(SELF_TESTS) as SelfTestName[]) {
    noticed.set(name, await runSelfTest(name, options));
  }
  console.log();
  for (const [name, was] of noticed) console.log(`${was ? 'noticed    ' : 'NOT noticed'} ${name}`);
  return [...noticed.values()].every(Boolean);
}

const options = optionsOrUsage();
if (!options) process.exit(2);
console.log(`chaos --${options.size} --seed ${options.seed}`);
const { selfTest } = options;
const good =
  selfTest === null
    ? await runChaos(options)
    : selfTest === 'all'
      ? await runAllSelfTests(options)
      : // A sabotaged run fails, as any other in which something is broken.
        !(await runSelfTest(selfTest, options));
process.exitCode = good ? 0 : 1;
