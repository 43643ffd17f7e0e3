/**
 * Chaos test: kills the API, the worker and PostgreSQL under load and checks that no acknowledged write is lost. See
 * docs/reliability.md.
 */
import { fileURLToPath } from 'node:url';
import { type Options, readOptions, USAGE } from './src/options.ts';
import { formatOutcome, hasNoViolations, isDetected, writeResults } from './src/report.ts';
import { SIZES } from './src/run-sizes.ts';
import { runChaosTest } from './src/runner.ts';
import { saveResultsToDocs } from './src/save-results-to-docs.ts';
import { SELF_TESTS, type SelfTestName } from './src/self-test.ts';

const RESULTS = fileURLToPath(new URL('../.cache/results/chaos.json', import.meta.url));

function readOptionsOrPrintUsage(): Options | undefined {
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
  if (record)
    saveResultsToDocs(`npm run chaos -- --${size} --seed ${seed}`, formatOutcome(outcome));
  return hasNoViolations(outcome);
}

/** Resolves to true if the planted fault was detected. */
async function runSelfTest(
  name: SelfTestName,
  { size, seed, slowdown }: Options,
): Promise<boolean> {
  console.log(`\nsabotage ${name}: ${SELF_TESTS[name].description}`);
  const outcome = await runChaosTest(SIZES[size], seed, SELF_TESTS[name], slowdown);
  console.log(`\n${formatOutcome(outcome)}`);
  return isDetected(outcome, SELF_TESTS[name]);
}

async function runAllSelfTests(options: Options): Promise<boolean> {
  const detected = new Map<SelfTestName, boolean>();
  for (const name of Object.keys(SELF_TESTS) as SelfTestName[]) {
    detected.set(name, await runSelfTest(name, options));
  }
  console.log();
  for (const [name, wasDetected] of detected) {
    console.log(`${wasDetected ? 'detected    ' : 'NOT detected'} ${name}`);
  }
  return [...detected.values()].every(Boolean);
}

const options = readOptionsOrPrintUsage();
if (!options) process.exit(2);
console.log(`chaos --${options.size} --seed ${options.seed}`);
const { selfTest } = options;
const passed =
  selfTest === null
    ? await runChaos(options)
    : selfTest === 'all'
      ? await runAllSelfTests(options)
      : // A single self-test exits with 1 if the fault was detected.
        !(await runSelfTest(selfTest, options));
process.exitCode = passed ? 0 : 1;
