/**
 * Rehearses the loss of the machine and the way back, on a server with production durability:
 *
 *   npm run restore                     a small database
 *   npm run restore -- --long           2 GB, with a cold disk
 *   npm run restore -- --synchronous    nothing is acknowledged before the receiver has it
 *   npm run restore -- --seed=123       the same moments again
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { seedLargeDatabase } from './restore/large-database.ts';
import { BINARIES_MISSING, findPostgresBinDir } from './restore/postgres-binaries.ts';
import { RestoreScenario } from './restore/scenario.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean' },
    long: { type: 'boolean', default: false },
    synchronous: { type: 'boolean', default: false },
    seed: { type: 'string' },
  },
});
const binDir = findPostgresBinDir();
if (!binDir) throw new Error(BINARIES_MISSING);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const GOALS = { lossSeconds: 1, backSeconds: 60, largeBytes: 2 * 2 ** 30 };

const started = performance.now();
function log(words: string): void {
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${words}`);
}

/** What was read or written lately is in memory; after the loss of a machine it would not be. */
async function dropFileCache(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  await promisify(execFile)('sync');
  for (const file of files)
    await promisify(execFile)('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']);
}

log(`seed ${seed}, ${binDir}`);
const scenario = await RestoreScenario.start({
  binDir,
  seed,
  synchronous: values.synchronous,
  ...(values.long
    ? {
        settings: ['shared_buffers=1GB', 'max_wal_size=4GB', 'maintenance_work_mem=512MB'],
        seedDatabase: seedLargeDatabase,
        beforeRestore: dropFileCache,
      }
    : {}),
});
const missedGoals: string[] = [];
try {
  log('the book is filled, the API serves');
  await scenario.backUp('ada');
  log(`base backup under load, verified: ${scenario.baseSeconds.toFixed(1)} s`);
  await scenario.write(2_000);
  const marker = await scenario.createRestorePoint();
  await scenario.write(2_000);
  const amid = Date.now();
  await scenario.write(values.long ? 20_000 : 2_000);
  const waits = scenario.writers.entries
    .flatMap(({ sentAt, ackedAt }) => (ackedAt === null ? [] : [ackedAt - sentAt]))
    .toSorted((one, other) => one - other);
  log(
    `the machine is lost; writes were acknowledged after ${waits[waits.length >> 1]} ms (median)`,
  );
  const outcome = await scenario.destroyAndRestore();
  const { loss } = outcome;
  log(`database of ${(outcome.databaseBytes / 2 ** 30).toFixed(2)} GiB`);
  log(
    `${loss.missing} of ${loss.acknowledged} acknowledged writes lost: ${loss.seconds.toFixed(3)} s`,
  );
  log(
    `back in ${outcome.recoverySeconds.toFixed(1)} s, of which ${outcome.restoreSeconds.toFixed(1)} s restoring`,
  );
  if (loss.seconds > GOALS.lossSeconds) missedGoals.push('more than a second was lost');
  if (outcome.recoverySeconds > GOALS.backSeconds) missedGoals.push('it took more than a minute');
  if (outcome.duplicates !== 0) missedGoals.push(`${outcome.duplicates} are there twice`);
  if (outcome.faults.length > 0) missedGoals.push(`invariants: ${JSON.stringify(outcome.faults)}`);
  if (values.long && outcome.databaseBytes < GOALS.largeBytes)
    missedGoals.push('smaller than 2 GB');

  const quiet = await scenario.restoreTo(marker.time);
  const tables = Object.keys(marker.checksums);
  const different = tables.filter((name) => quiet.sums[name] !== marker.checksums[name]);
  log(
    `a quiet moment in ${quiet.seconds.toFixed(1)} s: ${tables.length} tables compared, ${different.length} differ`,
  );
  if (different.length > 0) missedGoals.push(`other rows in ${different.join(', ')}`);
  const then = await scenario.restoreTo(amid);
  log(
    `a moment amid the writing in ${then.seconds.toFixed(1)} s: ${then.wrong(amid).length} against the journal`,
  );
  missedGoals.push(...then.wrong(amid));
  missedGoals.push(...[...quiet.faults, ...then.faults].map(({ rule }) => rule));

  // Shown to be able to fail: the receiver stops, the writers do not.
  await scenario.backUp('bea');
  await scenario.write(500);
  if (values.synchronous) {
    log('a receiver that stops would stop the writers: not rehearsed');
  } else {
    await scenario.backups.stopStreaming();
    await sleep(5_000);
    const blind = await scenario.destroyAndRestore();
    log(
      `with the receiver stopped 5 s before: ${blind.loss.missing} lost, ${blind.loss.seconds.toFixed(1)} s`,
    );
    if (blind.loss.seconds < 4) missedGoals.push('a stopped receiver was not noticed');
  }
} finally {
  await scenario.stop();
}
for (const words of missedGoals) console.log(`MISSED  ${words}`);
log(missedGoals.length === 0 ? 'all goals met' : `${missedGoals.length} missed (seed ${seed})`);
process.exitCode = missedGoals.length === 0 ? 0 : 1;
