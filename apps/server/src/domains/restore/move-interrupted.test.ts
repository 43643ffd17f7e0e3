import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MOVE_FAULTS } from '../../test/move-tutor-faults.ts';
import {
  addStudentAt,
  createSmallTutor,
  killMoveAfter,
  listJobIds,
  listStudentNames,
  runMove,
  type SmallTutor,
  startInstallation,
  statusAt,
  withFault,
} from '../../test/move-tutor-test-support.ts';
import type { TestApp } from '../../test/test-app.ts';
import { finishMove, rollBackMove } from './service/move-tutor.ts';
import type { CompletedStep } from './service/tutor-move-steps.ts';

let source: TestApp;
let target: TestApp;

beforeAll(async () => {
  source = await startInstallation('home');
  target = await startInstallation('away');
});
afterAll(async () => {
  await source.close();
  await target.close();
});

/** The statuses of a read and a write at both installations. */
async function probe({ browser }: SmallTutor) {
  const results = [];
  for (const app of [source, target])
    results.push([await statusAt(browser, app), await addStudentAt(browser, app, 'Probe')]);
  return results;
}

const killAfter = (tutor: SmallTutor, step: CompletedStep) =>
  killMoveAfter(source, target, tutor.input.username, step);

/** Expects that only this installation serves the tutor and that it has every acknowledged student. */
async function expectOnlyAt(app: TestApp, tutor: SmallTutor, jobs: readonly string[]) {
  const other = app === source ? target : source;
  const names = await listStudentNames(app, tutor.id);
  expect(await statusAt(tutor.browser, app)).toBe(200);
  expect(await statusAt(tutor.browser, other)).not.toBe(200);
  expect(await addStudentAt(tutor.browser, other, 'Refused')).not.toBe(201);
  expect(await addStudentAt(tutor.browser, app, 'Accepted')).toBe(201);
  expect(await listStudentNames(app, tutor.id)).toEqual([...names, 'Accepted']);
  expect(await listJobIds(app, tutor.id)).toEqual(jobs);
  expect(await listJobIds(other, tutor.id)).toEqual([]);
}

/** The statuses of a read and a write on the source and the target after a killed move. */
const AFTER: [CompletedStep, number[][]][] = [
  [
    'draining',
    [
      [200, 503],
      [401, 401],
    ],
  ],
  [
    'locked',
    [
      [200, 503],
      [401, 401],
    ],
  ],
  [
    'copied',
    [
      [200, 503],
      [503, 503],
    ],
  ],
  [
    'moved',
    [
      [503, 503],
      [503, 503],
    ],
  ],
];

describe('a move that is killed', () => {
  test.each(AFTER)(
    'after "%s" never leaves both sides serving the tutor, and is completed by the next run',
    async (step, statuses) => {
      const tutor = await createSmallTutor(source);
      const jobs = await listJobIds(source, tutor.id);
      await killAfter(tutor, step);
      expect(await probe(tutor)).toEqual(statuses);
      await runMove(source, target, tutor.input.username);
      expect(await listStudentNames(target, tutor.id)).toEqual(['Maya']);
      await expectOnlyAt(target, tutor, jobs);
    },
  );

  test.each(AFTER.slice(0, 3))('after "%s" can be rolled back', async (step) => {
    const tutor = await createSmallTutor(source);
    const jobs = await listJobIds(source, tutor.id);
    await killAfter(tutor, step);
    await runMove(source, target, tutor.input.username, { command: rollBackMove });
    expect(await listStudentNames(target, tutor.id)).toEqual([]);
    await expectOnlyAt(source, tutor, jobs);
    await runMove(source, target, tutor.input.username);
    await expectOnlyAt(target, tutor, jobs);
  });

  test('after "moved" cannot be rolled back or finished, only completed', async () => {
    const tutor = await createSmallTutor(source);
    await killAfter(tutor, 'moved');
    const { username } = tutor.input;
    await expect(runMove(source, target, username, { command: rollBackMove })).rejects.toThrow(
      /decided/,
    );
    await expect(runMove(source, target, username, { command: finishMove })).rejects.toThrow(
      /Complete/,
    );
    await runMove(source, target, username);
    expect(await statusAt(tutor.browser, target)).toBe(200);
  });

  test.each([
    // The copy waits for this lock on the target.
    ['copying', () => target, 'lock table students in exclusive mode'],
    // The commit of the move waits for a write on the source that has begun.
    [
      'committing',
      () => source,
      `select pg_advisory_xact_lock_shared(hashtextextended('tutor ' || $1::text, 0))`,
    ],
  ])('while %s leaves nothing behind', async (when, blocked, statement) => {
    const tutor = await createSmallTutor(source);
    const jobs = await listJobIds(source, tutor.id);
    if (when === 'committing') await killAfter(tutor, 'copied');
    const blocker = new pg.Client(blocked().urls.ownerUrl);
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query(statement, statement.includes('$1') ? [tutor.id] : []);
    const move = runMove(source, target, tutor.input.username);
    const outcome = move.then(
      () => 'completed',
      (error: Error) => error.message,
    );
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = 'lessonbook_maintenance' and wait_event_type = 'Lock'`;
    const superuser = new pg.Client(blocked().urls.maintenanceUrl);
    await superuser.connect();
    await waitUntil(
      async () => (await superuser.query(kill)).rowCount === 1,
      () => 'the move does not wait for the lock',
    );
    expect(await outcome).toMatch(/terminat/);
    await blocker.query('rollback');
    await Promise.all([blocker.end(), superuser.end()]);
    expect((await probe(tutor))[0]).toEqual([200, 503]);
    await runMove(source, target, tutor.input.username);
    expect(await listStudentNames(target, tutor.id)).toEqual(['Maya']);
    await expectOnlyAt(target, tutor, jobs);
  });

  test('a second move is rejected while one is running', async () => {
    const tutor = await createSmallTutor(source);
    const { username } = tutor.input;
    const second: string[] = [];
    await runMove(source, target, username, {
      onStep: async (step) => {
        if (step !== 'locked') return;
        await runMove(source, target, username, { waitSeconds: 0 }).catch((error: Error) =>
          second.push(error.message),
        );
      },
    });
    expect(second).toEqual([expect.stringContaining('Another move')]);
    expect(await statusAt(tutor.browser, target)).toBe(200);
  });
});

describe('writes during a move', () => {
  test('the move waits for writes that have already begun, and copies them', async () => {
    const tutor = await createSmallTutor(source);
    const writer = new pg.Client(source.urls.appUrl);
    await writer.connect();
    await writer.query('begin');
    await writer.query('select check_tutor_writable($1, false)', [tutor.id]);
    await writer.query(`select set_config('app.tutor_id', $1, true)`, [tutor.id]);
    await writer.query(`update students set name = 'Changed' where tutor_id = $1`, [tutor.id]);
    const move = runMove(source, target, tutor.input.username);
    const waiting = `select 1 from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`;
    await waitUntil(
      async () => (await source.admin.query(waiting)).rowCount === 1,
      () => 'the move does not wait for the write',
    );
    await writer.query('commit');
    await writer.end();
    await move;
    expect(await listStudentNames(target, tutor.id)).toEqual(['Changed']);
  });

  test('the move waits for a running job to end, and fails if it does not', async () => {
    const tutor = await createSmallTutor(source);
    const jobs = await listJobIds(source, tutor.id);
    const setState = (state: string) =>
      withFault(
        source,
        {
          plant: `update jobs.job set state = '${state}' where id = '${jobs[0]}'`,
          remove: 'select 1',
        },
        async () => undefined,
      );
    await setState('active');
    await expect(
      runMove(source, target, tutor.input.username, { drainSeconds: 0 }),
    ).rejects.toThrow(/still running: account-mail/);
    expect((await probe(tutor))[0]).toEqual([200, 201]);
    const move = runMove(source, target, tutor.input.username, {
      onStep: (step) => (step === 'draining' ? setState('completed') : undefined),
    });
    await move;
    expect(await listJobIds(target, tutor.id)).toEqual([]);
    expect(await statusAt(tutor.browser, target)).toBe(200);
  });
});

describe('a planted fault is detected, and exactly one side serves the tutor:', () => {
  test('a table that was left out', async () => {
    const tutor = await createSmallTutor(source);
    const jobs = await listJobIds(source, tutor.id);
    await withFault(target, MOVE_FAULTS.rowsLost, () =>
      expect(runMove(source, target, tutor.input.username)).rejects.toThrow(
        /not the same.*contact_access/,
      ),
    );
    await expectOnlyAt(source, tutor, jobs);
  });

  test('a source that accepts writes during the move', async () => {
    const tutor = await createSmallTutor(source);
    const jobs = await listJobIds(source, tutor.id);
    await withFault(source, MOVE_FAULTS.noLock, () =>
      expect(
        runMove(source, target, tutor.input.username, {
          onStep: async (step) => {
            if (step === 'copied') await addStudentAt(tutor.browser, source, 'Too late');
          },
        }),
      ).rejects.toThrow(/not the same as when they were copied/),
    );
    expect(await listStudentNames(source, tutor.id)).toEqual(['Maya', 'Too late']);
    await expectOnlyAt(source, tutor, jobs);
  });

  test('a job that is inserted twice', async () => {
    const tutor = await createSmallTutor(source);
    const jobs = await listJobIds(source, tutor.id);
    await withFault(target, MOVE_FAULTS.jobDuplicated, () =>
      expect(runMove(source, target, tutor.input.username)).rejects.toThrow(
        /unexpected jobs \(account-mail\)/,
      ),
    );
    // The move is already final, so the next run completes it.
    await runMove(source, target, tutor.input.username);
    await expectOnlyAt(target, tutor, jobs);
  });
});
