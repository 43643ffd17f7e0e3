/** Measures the speed of the product against its goals: see docs/performance.md. */
import { once } from 'node:events';
import { benchReminders } from './src/burst.ts';
import { benchEarnings } from './src/earnings.ts';
import type { Served } from './src/measure.ts';
import { type Options, readOptions, USAGE } from './src/options.ts';
import { benchRead } from './src/read.ts';
import { machineInWords, record } from './src/record.ts';
import { inWords, isMet } from './src/report.ts';
import { startServer } from './src/server.ts';
import { benchWrite } from './src/write.ts';

function optionsOrUsage(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return undefined;
  }
}

const asked = optionsOrUsage();
if (!asked) process.exit(2);
const options = asked;
const postgres = await startServer();

async function keep(served: Served[]): Promise<void> {
  if (!options.keep) return;
  for (const { book, api } of served) console.log(`${api.origin}  ${book.urls.appUrl}`);
  console.log('Running until Ctrl-C');
  await once(process, 'SIGINT');
}

try {
  const bench = {
    read: benchRead,
    write: benchWrite,
    report: benchEarnings,
    reminders: benchReminders,
  }[options.kind];
  const outcome = await bench(postgres, options, keep);
  const result = inWords(outcome);
  console.log(`\n${machineInWords()}\n\n${result}`);
  if (options.record) record(options.kind, options.command, result);
  process.exitCode = outcome.goals.every(isMet) ? 0 : 1;
} finally {
  await postgres.stop();
}
