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
import { fillLargeBook } from './restore/large-book.ts';
import { findPrograms, WITHOUT_PROGRAMS } from './restore/programs.ts';
import { Rehearsal } from './restore/rehearsal.ts';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean' },
    long: { type: 'boolean', default: false },
    synchronous: { type: 'boolean', default: false },
    seed: { type: 'string' },
  },
});
const programs = findPrograms();
if (!programs) throw new Error(WITHOUT_PROGRAMS);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const GOALS = { lossSeconds: 1, backSeconds: 60, largeBytes: 2 * 2 ** 30 };

const started = performance.now();
function say(words: string): void {
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${words}`);
}

/** What was read or written lately is in memory; after the loss of a machine it would not be. */
async function makeCold(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  await promisify(execFile)('sync');
  for (const file of files)
    await promisify(execFile)('dd', [`if=${file}`, 'iflag=nocache', 'count=0', 'status=none']);
}

say(`seed ${seed}, ${programs}`);
const life = await Rehearsal.begin({
  programs,
  seed,
  synchronous: values.synchronous,
  ...(values.long
    ? {
        settings: ['shared_buffers=1GB', 'max_wal_size=4GB', 'maintenance_work_mem=512MB'],
        fill: fillLargeBook,
        beforeRestore: makeCold,
      }
    : {}),
});
const missed: string[] = [];
try {
  say('the book is filled, the API serves');
  await life.backUp('ada');
  say(`base backup under load, verified: ${life.baseSeconds.toFixed(1)} s`);
  await life.write(2_000);
  const marker = await life.standStill();
  await life.write(2_000);
  const amid = Date.now();
  await life.write(values.long ? 20_000 : 2_000);
  const waits = life.writers.journal
    .flatMap(({ sentAt, ackedAt }) => (ackedAt === null ? [] : [ackedAt - sentAt]))
    .toSorted((one, other) => one - other);
  say(
    `the machine is lost; writes were acknowledged after ${waits[waits.length >> 1]} ms (median)`,
  );
  const outcome = await life.loseAndReturn();
  const { loss } = outcome;
  say(`database of ${(outcome.databaseBytes / 2 ** 30).toFixed(2)} GiB`);
  say(
    `${loss.missing} of ${loss.acknowledged} acknowledged writes lost: ${loss.seconds.toFixed(3)} s`,
  );
  say(
    `back in ${outcome.secondsBack.toFixed(1)} s, of which ${outcome.secondsRestoring.toFixed(1)} s restoring`,
  );
  if (loss.seconds > GOALS.lossSeconds) missed.push('more than a second was lost');
  if (outcome.secondsBack > GOALS.backSeconds) missed.push('it took more than a minute');
  if (outcome.doubled !== 0) missed.push(`${outcome.doubled} are there twice`);
  if (outcome.faults.length > 0) missed.push(`invariants: ${JSON.stringify(outcome.faults)}`);
  if (values.long && outcome.databaseBytes < GOALS.largeBytes) missed.push('smaller than 2 GB');

  const quiet = await life.at(marker.moment);
  const tables = Object.keys(marker.sums);
  const different = tables.filter((name) => quiet.sums[name] !== marker.sums[name]);
  say(
    `a quiet moment in ${quiet.seconds.toFixed(1)} s: ${tables.length} tables compared, ${different.length} differ`,
  );
  if (different.length > 0) missed.push(`other rows in ${different.join(', ')}`);
  const then = await life.at(amid);
  say(
    `a moment amid the writing in ${then.seconds.toFixed(1)} s: ${then.wrong(amid).length} against the journal`,
  );
  missed.push(...then.wrong(amid));
  missed.push(...[...quiet.faults, ...then.faults].map(({ rule }) => rule));

  // Shown to be able to fail: the receiver stops, the writers do not.
  await life.backUp('bea');
  await life.write(500);
  if (values.synchronous) {
    say('a receiver that stops would stop the writers: not rehearsed');
  } else {
    await life.backups.stopStreaming();
    await sleep(5_000);
    const blind = await life.loseAndReturn();
    say(
      `with the receiver stopped 5 s before: ${blind.loss.missing} lost, ${blind.loss.seconds.toFixed(1)} s`,
    );
    if (blind.loss.seconds < 4) missed.push('a stopped receiver was not noticed');
  }
} finally {
  await life.end();
}
for (const words of missed) console.log(`MISSED  ${words}`);
say(missed.length === 0 ? 'all goals met' : `${missed.length} missed (seed ${seed})`);
process.exitCode = missed.length === 0 ? 0 : 1;
