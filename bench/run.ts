/** Benchmarks the product against its performance goals. See docs/performance.md. */
import { once } from 'node:events';
import type { BenchTarget } from './src/bench-targets.ts';
import { benchWrite } from './src/create-lesson-benchmark.ts';
import { benchEarnings } from './src/earnings-report-benchmark.ts';
import { benchLargeTutor } from './src/large-tutor-benchmark.ts';
import { type Options, readOptions, USAGE } from './src/options.ts';
import { startPostgresServer } from './src/postgres-server.ts';
import { benchRead } from './src/read-benchmark.ts';
import { benchReminders } from './src/reminder-benchmark.ts';
import { formatOutcome, isMet } from './src/report.ts';
import { describeMachine, saveResultsToDocs } from './src/save-results-to-docs.ts';
import { benchSearch } from './src/search-benchmark.ts';
import { benchCompare } from './src/version-comparison-benchmark.ts';

function readOptionsOrPrintUsage(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return undefined;
  }
}

const parsed = readOptionsOrPrintUsage();
if (!parsed) process.exit(2);
const options = parsed;
const postgres = await startPostgresServer();

async function keepRunningIfRequested(targets: BenchTarget[]): Promise<void> {
  if (!options.keep) return;
  for (const { db, api } of targets) console.log(`${api.origin}  ${db.urls.appUrl}`);
  console.log('Running until Ctrl-C');
  await once(process, 'SIGINT');
}

try {
  const bench = {
    read: benchRead,
    write: benchWrite,
    report: benchEarnings,
    reminders: benchReminders,
    'large-tutor': benchLargeTutor,
    search: benchSearch,
    compare: benchCompare,
  }[options.kind];
  const outcome = await bench(postgres, options, keepRunningIfRequested);
  const result = formatOutcome(outcome);
  console.log(`\n${describeMachine()}\n\n${result}`);
  if (options.record) saveResultsToDocs(options.kind, options.command, result);
  process.exitCode = outcome.goals.every(isMet) ? 0 : 1;
} finally {
  await postgres.stop();
}
