/**
 * Moves tutors between two whole installations under load, kills the program at random steps, and compares the data with
 * the acknowledged writes:
 *
 *   npm run move-tutor:test                                 moves 10 tutors there and back
 *   npm run move-tutor:test -- --tutors 100                 the number used before a release
 *   npm run move-tutor:test -- --sabotage rowsLost          plants a fault that must be found: rowsLost, noLock, jobDuplicated
 */
import { parseArgs } from 'node:util';
import { findViolations } from '@lessonbook/server/src/invariants.ts';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { MOVE_FAULTS, type MoveFault } from '@lessonbook/server/src/test/move-tutor-faults.ts';
import { tableChecksums } from '@lessonbook/server/src/test/table-checksums.ts';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { startInstallations, type TestInstallation } from './move-tutor-test/installations.ts';
import { MovingTutor } from './move-tutor-test/moving-tutor-client.ts';
import { type MoveResult, moveWithKills } from './move-tutor-test/run-move-with-kills.ts';

const { values: flags } = parseArgs({
  options: {
    tutors: { type: 'string', default: '10' },
    concurrency: { type: 'string', default: '2' },
    kill: { type: 'string', default: '0.5' },
    sabotage: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const TUTORS = Number(flags.tutors);
const THINK_MS = Math.max(300, TUTORS * 15);
const QUEUE_TIMEOUT_MS = 120_000;
/** The number of final moves without load, whose rows are compared from outside the program. */
const QUIET_MOVES = 5;
/** Tables whose columns a move converts, or that record the move separately on each side. */
const EXPECTED_DIFFERENCES = ['shared_links', 'email_tokens', 'public_links', 'tutor_moves'].map(
  (name) => `public.${name}`,
);

const violations: string[] = [];
const check = (passed: boolean, result: string): void => {
  console.log(`${passed ? 'ok    ' : 'BROKEN'} ${result}`);
  if (!passed) violations.push(result);
};
const random = new Random(Number(flags.seed));

const DUE_JOBS = `select from jobs.job
  where data->>'tutorId' is not null and state < 'completed' and start_after <= now()`;

const checksums = ({ app }: TestInstallation, tutorIs: string) => {
  const url = new URL(app.postgres.adminUrl);
  url.pathname = new URL(app.databaseUrls.appUrl).pathname;
  return tableChecksums(url.href, { tutorIs });
};

const { source, target, stop } = await startInstallations();
try {
  console.log(`${TUTORS} tutors, seed ${flags.seed}`);
  const tutors: MovingTutor[] = [];
  for (let count = 0; count < TUTORS; count += 1)
    tutors.push(await MovingTutor.create(source, target));

  if (flags.sabotage) {
    const fault = MOVE_FAULTS[flags.sabotage as MoveFault];
    await (fault.in === 'source' ? source : target).superuser.query(fault.plant);
  }
  const end = new AbortController();
  const load = tutors.map((tutor) =>
    tutor.run(new Random(random.between(1, 1_000_000_000)), THINK_MS, end.signal),
  );
  const results: MoveResult[] = [];
  for (const [from, to] of [
    [source, target],
    [target, source],
  ] as const)
    await forEachConcurrently(tutors, Number(flags.concurrency), async ({ username }) => {
      const result = await moveWithKills({ from, to, username }, random, Number(flags.kill));
      results.push(result);
      if (result.failure)
        check(false, `${username} to ${to.name}: ${result.failure.slice(0, 300)}`);
    });
  end.abort();
  await Promise.all(load);

  const count = (pick: (result: MoveResult) => number) =>
    results.reduce((sum, result) => sum + pick(result), 0);
  const seconds = results.flatMap((result) => result.seconds ?? []);
  console.log(
    `${results.length} moves, ${count((each) => each.kills)} kills, ${count((each) => each.rolledBack)} rolled back; ` +
      `from the first to the last step, without kills: ${describeSpread(seconds, 1)}`,
  );
  const pauses = tutors.flatMap((tutor) => tutor.pauses);
  console.log(
    `writes that waited: ${describeSpread(pauses, 1000)} (with kills, until the next start)`,
  );
  for (const violation of tutors.flatMap((tutor) => tutor.violations)) check(false, violation);
  if (violations.length > 0) printServerErrors();
  await checkData(tutors);
  if (!flags.sabotage) await checkQuietMoves(tutors.slice(0, QUIET_MOVES));
} finally {
  await stop();
}
console.log(violations.length === 0 ? 'passed' : `failed; violations: ${violations.length}`);
const isExpected = flags.sabotage ? violations.length > 0 : violations.length === 0;
process.exitCode = isExpected ? 0 : 1;

/** The servers log only errors. Errors from requests that were refused because of a move are left out. */
function printServerErrors(): void {
  for (const { name, app } of [source, target])
    for (const server of [...app.apis, ...app.workers]) {
      const lines = server.output().split('\n');
      for (const line of lines.filter((each) => each !== '' && !each.includes('"code":"LB001"')))
        console.log(`${name}, ${server.name}: ${line.slice(0, 1_000)}`);
    }
}

/** Checks that every acknowledged write exists once, in only one installation, and that every email was sent once. */
async function checkData(tutors: readonly MovingTutor[]): Promise<void> {
  for (const { admin, name } of [source, target]) {
    await waitUntil(
      async () => (await admin.query(DUE_JOBS)).rowCount === 0,
      () => `jobs are still due at ${name}`,
      QUEUE_TIMEOUT_MS,
    ).catch((error: Error) => check(false, error.message));
    const broken = await findViolations(admin);
    check(broken.length === 0, `${broken.length} violated invariants at ${name}`);
  }
  const received = [...source.app.mailbox.emails(), ...target.app.mailbox.emails()].filter(
    ({ subject }) => subject.startsWith('Your business details'),
  );
  let [writes, lost, repeated, misplaced, emails, missing] = [0, 0, 0, 0, 0, 0];
  for (const { username, email, acknowledged, emailsCaused } of tutors) {
    const owners = await findServing(username);
    misplaced += owners.length === 1 ? 0 : 1;
    const names = owners[0] ? await listNames(owners[0], username) : [];
    writes += acknowledged.length;
    lost += acknowledged.filter((name) => !names.includes(name)).length;
    repeated += names.length - new Set(names).size;
    const own = received.filter(({ to }) => to.includes(email));
    emails += own.length;
    missing += Math.abs(emailsCaused - new Set(own.map(({ messageId }) => messageId)).size);
  }
  const reads = tutors.reduce((sum, tutor) => sum + tutor.reads, 0);
  check(
    lost === 0 && writes > 0,
    `${lost} of ${writes} acknowledged writes were lost (${reads} reads)`,
  );
  check(repeated === 0, `${repeated} writes were repeated`);
  check(misplaced === 0, `${misplaced} tutors are served by neither or both installations`);
  const duplicates = emails - new Set(received.map(({ messageId }) => messageId)).size;
  check(missing === 0 && emails > 0, `${missing} of ${emails} emails are missing or unexpected`);
  check(duplicates === 0, `${duplicates} emails were sent twice`);
}

/** Moves tutors without load and compares the rows in both databases from outside the program. */
async function checkQuietMoves(tutors: readonly MovingTutor[]): Promise<void> {
  let different = 0;
  for (const { username } of tutors) {
    const { rows } = await source.admin.query<{ id: string }>(
      'select tutor_id as id from login_directory where username = $1',
      [username],
    );
    const tutorIs = rows[0]?.id ?? '';
    const before = await checksums(source, tutorIs);
    await moveWithKills({ from: source, to: target, username }, random, 0);
    const after = await checksums(target, tutorIs);
    const names = Object.keys(before).filter((name) => !EXPECTED_DIFFERENCES.includes(name));
    different += names.filter((name) => before[name] !== after[name]).length;
  }
  check(different === 0, `${different} tables differ after ${tutors.length} moves without load`);
}

async function findServing(username: string): Promise<TestInstallation[]> {
  const serving: TestInstallation[] = [];
  for (const installation of [source, target]) {
    const { rowCount } = await installation.admin.query(
      `select from login_directory d left join tutor_moves m using (tutor_id)
       where d.username = $1 and coalesce(m.state, 'active') = 'active'`,
      [username],
    );
    if (rowCount === 1) serving.push(installation);
  }
  return serving;
}

async function listNames({ admin }: TestInstallation, username: string): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    `select s.name from students s join login_directory d using (tutor_id) where d.username = $1`,
    [username],
  );
  return rows.map(({ name }) => name);
}

async function forEachConcurrently<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

function describeSpread(values: readonly number[], divisor: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    ((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / divisor).toFixed(2);
  return `${sorted.length}, median ${at(0.5)} s, worst ${at(1)} s`;
}
