/** Proves that saved means saved: kills everything while tutors work, and compares. See docs/reliability.md. */
import { fileURLToPath } from 'node:url';
import { type Options, readOptions, USAGE } from './src/options.ts';
import { SIZES } from './src/plan.ts';
import { writeDown } from './src/record.ts';
import { inWords, isClean, isNoticed, writeResults } from './src/report.ts';
import { SABOTAGES, type SabotageName } from './src/sabotage.ts';
import { storm } from './src/storm.ts';

const RESULTS = fileURLToPath(new URL('../.cache/results/chaos.json', import.meta.url));

function optionsOrUsage(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return undefined;
  }
}

async function plain({ form, seed, record, slowdown }: Options): Promise<boolean> {
  const outcome = await storm(SIZES[form], seed, null, slowdown);
  console.log(`\n${inWords(outcome)}`);
  writeResults(RESULTS, outcome);
  if (record) writeDown(`npm run chaos -- --${form} --seed ${seed}`, inWords(outcome));
  return isClean(outcome);
}

/** True if it was noticed. */
async function sabotaged(name: SabotageName, { form, seed, slowdown }: Options): Promise<boolean> {
  console.log(`\nsabotage ${name}: ${SABOTAGES[name].what}`);
  const outcome = await storm(SIZES[form], seed, SABOTAGES[name], slowdown);
  console.log(`\n${inWords(outcome)}`);
  return isNoticed(outcome, SABOTAGES[name]);
}

async function everySabotage(options: Options): Promise<boolean> {
  const noticed = new Map<SabotageName, boolean>();
  for (const name of Object.keys(SABOTAGES) as SabotageName[]) {
    noticed.set(name, await sabotaged(name, options));
  }
  console.log();
  for (const [name, was] of noticed) console.log(`${was ? 'noticed    ' : 'NOT noticed'} ${name}`);
  return [...noticed.values()].every(Boolean);
}

const options = optionsOrUsage();
if (!options) process.exit(2);
console.log(`chaos --${options.form} --seed ${options.seed}`);
const { sabotage } = options;
const good =
  sabotage === null
    ? await plain(options)
    : sabotage === 'all'
      ? await everySabotage(options)
      : // A sabotaged run fails, as any other in which something is broken.
        !(await sabotaged(sabotage, options));
process.exitCode = good ? 0 : 1;
