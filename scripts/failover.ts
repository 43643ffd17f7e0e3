/**
 * Kills machines and etcd and cuts network connections in a PostgreSQL cluster under load, and checks that no
 * acknowledged write is lost. Runs the configuration in deploy/ha in network namespaces. Needs root and Debian's
 * patroni, etcd and haproxy.
 *
 *   npm run failover -- --short            four faults, at most four minutes
 *   npm run failover -- --long             54 faults of all kinds, about 40 minutes
 *   npm run failover -- --control          the same cluster without synchronous replication, which must lose writes
 *     --seed n      repeats the faults of an earlier run
 *     --only a,b    runs these kinds of faults (scripts/failover/fault-plan.ts), --count of them
 *     --minutes n   injects no fault after this time
 *     --ci          allows three times as long for recovery
 */
import { parseArgs } from 'node:util';
import { NOTHING_LOST } from '@lessonbook/chaos/src/checks/saved-data.ts';
import { CI_SLOWDOWN } from '@lessonbook/test-env/ci-slowdown';
import { Cluster } from './failover/cluster.ts';
import { isFaultKind, planFaults } from './failover/fault-plan.ts';
import { findMissingPrograms } from './failover/find-missing-programs.ts';
import { formatOutcome } from './failover/report.ts';
import { FailoverRun } from './failover/run.ts';
import { lockRun, unlockRun } from './failover/run-lock.ts';

const { values: flags } = parseArgs({
  options: {
    short: { type: 'boolean' },
    long: { type: 'boolean' },
    control: { type: 'boolean', default: false },
    ci: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    count: { type: 'string', default: '54' },
    only: { type: 'string' },
    minutes: { type: 'string', default: '90' },
  },
});
const only = (flags.only?.split(',') ?? []).filter(isFaultKind);
const seed = Number(flags.seed);
const slowdown = flags.ci ? CI_SLOWDOWN : 1;

const missing = findMissingPrograms();
if (missing.length > 0 || process.getuid?.() !== 0) {
  console.error(
    `npm run failover needs root and these programs: ${missing.join(', ')}\n` +
      'apt-get install iproute2 patroni etcd-server etcd-client haproxy postgresql python3-psycopg2 python3-etcd',
  );
  process.exit(2);
}

lockRun();
const cluster = new Cluster(!flags.control);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    cluster.stop();
    unlockRun();
    process.exit(1);
  });

async function runFaults(): Promise<boolean> {
  const run = new FailoverRun(cluster, { seed, slowdown });
  const endAt = performance.now() + Number(flags.minutes) * 60_000;
  const outcome = await run.run(
    planFaults({ size: flags.long ? 'long' : 'short', only }, Number(flags.count), seed),
    endAt,
  );
  console.log(`\n${formatOutcome(outcome)}`);
  return outcome.results.violations.length === 0;
}

/** Returns true if the loss was detected. */
async function runControl(): Promise<boolean> {
  const run = new FailoverRun(cluster, { seed, slowdown, actionPauseMs: 0 });
  const { results, timed } = await run.runControl();
  const lost = results.violations.filter(({ check }) => check === NOTHING_LOST).length;
  console.log(
    `${lost > 0 ? 'detected' : 'NOT detected'}: ${lost} differences after ${results.acknowledged + timed} acknowledged writes`,
  );
  return lost > 0;
}

console.log(
  `failover ${flags.control ? '--control' : flags.long ? '--long' : '--short'} --seed ${seed}`,
);
try {
  await cluster.start();
  process.exitCode = (await (flags.control ? runControl() : runFaults())) ? 0 : 1;
} finally {
  cluster.stop();
  unlockRun();
}
