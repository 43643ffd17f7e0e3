import { groupLessons } from '@lessonbook/contract/group-lessons';
import { type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import { timeOff } from '@lessonbook/contract/time-off';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  formatSessions,
  type LessonFixture,
  lessonBody,
  listSessionsBetween,
  weekly,
} from '../../test/lesson-fixture.ts';
import { connectAsMaintenance, createFastFixture } from '../../test/model/fast-fixture.ts';
import { isLongRun, Random, seedFromEnvironment } from '../../test/model/random.ts';
import { ModelRunner } from '../../test/model/schedule/model-runner.ts';
import { type Command, nextCommand } from '../../test/model/schedule/random-commands.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/*
 * Model-based test: runs random commands against the server over HTTP and against a model of the rules (test/model). After
 * each command, all sessions with their seats, lessons, charges and responses must match. `SEED=…` repeats a run; `LONG=1`
 * makes it longer.
 */
const SEQUENCES = Number(process.env['SEQUENCES'] ?? (isLongRun() ? 2_000 : 130));
const STEPS = 15;
const ZONES = [
  'Europe/London',
  'America/New_York',
  'Australia/Sydney',
  'Asia/Kolkata',
  'Pacific/Auckland',
];

const givenSeed = process.env['SEED'];
const seed = seedFromEnvironment();

let app: TestApp;
let adminDb: pg.Client;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  adminDb = await connectAsMaintenance(app);
});
afterAll(async () => {
  await adminDb.end();
  await app.close();
});

interface RunResult {
  commands: Command[];
  difference: string | null;
}

async function runSequence(sequence: number): Promise<RunResult> {
  const random = new Random(sequence);
  app.clock.restart();
  // Scheduled work for tutors from earlier sequences must not run when the clock advances again.
  await app.context.db.global.deleteFrom('tenant_schedule').execute();
  const zone = random.pick(ZONES);
  const runner = new ModelRunner(app, adminDb, await createFastFixture(app, zone, 6), zone);
  const commands: Command[] = [];
  while (commands.length < STEPS) {
    const command = nextCommand(random, runner.state, runner.fixtureIds);
    try {
      const difference = await runner.run(command);
      commands.push(command);
      if (difference) return { commands, difference };
    } catch (error) {
      return { commands: [...commands, command], difference: String(error) };
    }
  }
  // The screens read the same data, so checking them in every third sequence is enough.
  const difference = sequence % 3 === 0 ? await runner.checkScreens() : null;
  return { commands, difference };
}

const log = (line: string) => process.stdout.write(`[model] ${line}\n`);

test(`${SEQUENCES} random sequences of ${STEPS} commands: the server behaves like the model`, {
  timeout: isLongRun() ? 3_600_000 : 900_000,
}, async () => {
  // Runs the sequence for the given seed first, then the following ones, as in the run that reported the seed.
  log(`SEED=${seed}${givenSeed ? '' : ' (set it to repeat this run)'}`);
  const failures: string[] = [];
  let commands = 0;
  const maxFailures = Number(process.env['FAILURES'] ?? 1);
  for (let index = 0; index < SEQUENCES && failures.length < maxFailures; index++) {
    const result = await runSequence(seed + index);
    commands += result.commands.length;
    if (result.difference) failures.push(report(seed + index, result));
  }
  log(`${commands} commands`);
  expect(failures.join('\n\n')).toBe('');
});

function report(sequence: number, { commands, difference }: RunResult): string {
  const lines = commands.map((command, index) => `  ${index + 1}. ${JSON.stringify(command)}`);
  return [`SEED=${sequence}, command ${commands.length}: ${difference}`, ...lines].join('\n');
}

/* Minimal test cases for bugs found by the random runs. */

/** The weekly lesson used in these tests: Tuesdays from 17 November to 15 December 2026, ids 1 to 5 in order. */
const TUESDAYS = ['2026-11-17', '2026-11-24', '2026-12-01', '2026-12-08', '2026-12-15'];

type Edit = Partial<LessonUpdate> & Pick<LessonUpdate, 'scope' | 'sessionId' | 'date'>;

const updateLesson = (fixture: LessonFixture, lessonId: number, edit: Edit) =>
  fixture.browser.call(lessons.updateLesson, {
    params: { id: lessonId },
    body: { ...lessonBody(fixture, weekly()), ...edit },
  });

const postAction = (fixture: LessonFixture, sessionId: number, name: string, body: unknown) =>
  fixture.browser.send('POST', `/api/sessions/${sessionId}/${name}`, body);

const deleteLesson = (
  fixture: LessonFixture,
  lessonId: number,
  scope: 'following' | 'all',
  sessionId: number,
) =>
  fixture.browser.call(lessons.deleteLesson, {
    params: { id: lessonId },
    query: { scope, sessionId },
  });

async function createWeeklyFixture(change: Parameters<typeof weekly>[0] = {}) {
  app.clock.restart();
  const fixture = await createTutorWithStudentAndSubject(app);
  const { lessonId } = await addLesson(fixture, weekly(change));
  return { fixture, lessonId };
}

async function scheduledDates(fixture: LessonFixture): Promise<string[]> {
  return (await formatSessions(fixture))
    .filter((line) => line.endsWith(' scheduled'))
    .map((line) => line.slice(0, 10));
}

const readLesson = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(lessons.lesson, { params: { id } })).body;
const readSession = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;

describe('regressions found by the model', () => {
  test('a past session during time off is cancelled, not completed', async () => {
    app.clock.restart();
    const fixture = await createTutorWithStudentAndSubject(app);
    const body = { fromDate: '2026-11-02', toDate: '2026-11-06' };
    await fixture.browser.call(timeOff.createTimeOff, { body });
    const { sessionId } = await addLesson(fixture, {
      ...weekly({ pastSessions: 'taught' }),
      date: '2026-11-03',
    });
    const { status, cancelledBy } = await readSession(fixture, sessionId);
    expect([status, cancelledBy]).toEqual(['cancelled', 'tutor']);
  });

  test('moving a series by whole weeks leaves a completed session in place', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await fixture.browser.call(sessions.completeSession, { params: { id: 3 }, body: {} });
    const moved = await updateLesson(fixture, lessonId, {
      scope: 'all',
      sessionId: 2,
      date: TUESDAYS[0] ?? '',
    });
    expect(moved.status).toBe(200);
    expect((await readSession(fixture, 3)).date).toBe(TUESDAYS[2]);
  });

  test('deleting time off does not restore sessions after the end of the series', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const body = { fromDate: '2026-12-08', toDate: '2026-12-08', cancelSessionIds: [4] };
    const created = await fixture.browser.call(timeOff.createTimeOff, { body });
    const date = TUESDAYS[0] ?? '';
    await updateLesson(fixture, lessonId, {
      scope: 'all',
      sessionId: 1,
      date,
      recurringEndDate: '2026-12-01',
    });
    await fixture.browser.call(timeOff.deleteTimeOff, {
      params: { id: created.body.id },
      query: { restore: 'true' },
    });
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 3));
  });

  test('shortening a series removes a session that was charged and reopened', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 5, 'complete', {});
    await postAction(fixture, 5, 'reopen', {});
    const date = TUESDAYS[0] ?? '';
    const edit = { date, recurringEndDate: '2026-12-08' };
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 4));
  });

  test('"all" leaves past sessions unchanged when an early session was moved to a later date', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 1, 'reschedule', {
      date: '2026-12-20',
      startTime: '10:00',
      endTime: '11:00',
    });
    app.clock.advance({ days: 16 });
    // The sessions on 24 November and 1 December have ended but are not completed.
    await updateLesson(fixture, lessonId, {
      scope: 'all',
      sessionId: 4,
      date: '2026-12-08',
      fee: 50,
    });
    const rows = await listSessionsBetween(fixture, '2026-11-24', '2026-12-15');
    expect(rows.map((row) => row.fee)).toEqual([3500, 3500, 5000, 5000]);
  });

  test('changing "all" to biweekly from the second session creates a biweekly series', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const edit = { date: '2026-11-24', recurringPattern: 'biweekly' } as const;
    await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 2, ...edit });
    expect(await scheduledDates(fixture)).toEqual(['2026-11-17', '2026-12-01', '2026-12-15']);
  });

  test('removing the recurrence from a session makes it the last one', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const edit = { date: '2026-12-01', isRecurring: false, recurringEndDate: null };
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 3, ...edit });
    expect((await readSession(fixture, saved.body.sessionId ?? 0)).date).toBe('2026-12-01');
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 3));
  });

  test('notes changed for "all" replace the notes of the chosen session', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const date = '2026-11-24';
    await updateLesson(fixture, lessonId, {
      scope: 'this',
      sessionId: 2,
      date,
      notes: 'only here',
    });
    await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 2, date, notes: 'for all' });
    expect((await readSession(fixture, 2)).notes).toBe('for all');
  });

  test('notes can be cleared for one session', async () => {
    const { fixture, lessonId } = await createWeeklyFixture({ notes: 'for all' });
    await updateLesson(fixture, lessonId, {
      scope: 'this',
      sessionId: 2,
      date: '2026-11-24',
      notes: '',
    });
    expect((await readSession(fixture, 2)).notes).toBe(null);
    expect((await readSession(fixture, 3)).notes).toBe('for all');
  });

  test('a lesson moved with "all" starts on its new day', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const edit = { date: '2026-11-18', recurringEndDate: '2026-12-16' };
    await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(await readLesson(fixture, lessonId)).toMatchObject({
      date: '2026-11-18',
      recurringDay: 3,
    });
  });

  test('returns 400 for a series without sessions, since it could not be deleted', async () => {
    app.clock.restart();
    const fixture = await createTutorWithStudentAndSubject(app);
    const change = { ...weekly({ recurringEndDate: '2026-11-10' }), date: '2026-11-03' };
    const response = await fixture.browser.call(lessons.createLesson, {
      body: lessonBody(fixture, change),
    });
    expect(response.status).toBe(400);
  });

  test('changing a detached session does not duplicate the series', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await updateLesson(fixture, lessonId, {
      scope: 'this',
      sessionId: 3,
      date: '2026-12-01',
      fee: 50,
    });
    await updateLesson(fixture, lessonId, {
      scope: 'following',
      sessionId: 2,
      date: '2026-11-24',
      fee: 40,
    });
    const { lessonId: currentLessonId } = await readSession(fixture, 3);
    const edit = { date: '2026-12-01', fee: 60, acceptOverlaps: true };
    await updateLesson(fixture, currentLessonId, { scope: 'following', sessionId: 3, ...edit });
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS);
    expect((await readSession(fixture, 3)).fee).toBe(6000);
  });

  test('deleting from a detached session onwards does not extend the lesson', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await updateLesson(fixture, lessonId, {
      scope: 'this',
      sessionId: 4,
      date: '2026-12-08',
      fee: 50,
    });
    await updateLesson(fixture, lessonId, {
      scope: 'following',
      sessionId: 2,
      date: '2026-11-24',
      fee: 40,
    });
    const { lessonId: currentLessonId } = await readSession(fixture, 4);
    const before = (await readLesson(fixture, currentLessonId)).recurringEndDate;
    await deleteLesson(fixture, currentLessonId, 'following', 4);
    const after = (await readLesson(fixture, currentLessonId)).recurringEndDate;
    expect((after ?? '') <= (before ?? '')).toBe(true);
  });

  test('the chosen session is changed even if it is detached from the series', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await updateLesson(fixture, lessonId, {
      scope: 'this',
      sessionId: 3,
      date: '2026-12-01',
      fee: 50,
    });
    const edit = { date: '2026-11-18', recurringEndDate: '2026-12-16' };
    await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    const later = { date: '2026-12-01', recurringEndDate: '2026-12-16', fee: 60 };
    await updateLesson(fixture, lessonId, { scope: 'following', sessionId: 3, ...later });
    expect((await readSession(fixture, 3)).fee).toBe(6000);
  });

  test('a shortened series can be extended again', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await deleteLesson(fixture, lessonId, 'following', 4);
    const edit = { date: '2026-11-17', recurringEndDate: '2026-12-22' };
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    expect(await scheduledDates(fixture)).toContain('2026-12-22');
  });

  test('"all" can move to the date of an earlier cancelled session', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 1, 'cancel', { cancelledBy: 'carer' });
    const edit = { date: '2026-11-17', recurringEndDate: '2026-12-08' };
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 2, ...edit });
    expect(saved.status).toBe(200);
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 4));
  });

  test('the pattern can change even if a new date already has a cancelled session', async () => {
    const { fixture, lessonId } = await createWeeklyFixture({ recurringPattern: 'biweekly' });
    await postAction(fixture, 2, 'cancel', { cancelledBy: 'carer' });
    const edit = { date: '2026-11-17', recurringPattern: 'weekly' } as const;
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    const [first, , ...rest] = TUESDAYS;
    expect(await scheduledDates(fixture)).toEqual([first, ...rest]);
  });

  test('the student of a series stays if that student has a cancelled seat in one of its sessions', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const added = await fixture.browser.call(students.createStudent, { body: { name: 'Noor' } });
    const studentId = added.body.id;
    const date = TUESDAYS[2] ?? '';
    await fixture.browser.call(groupLessons.joinLesson, {
      params: { id: lessonId },
      body: { studentId, from: date },
    });
    await postAction(fixture, 3, `students/${studentId}/cancel`, { cancelledBy: 'carer' });
    await fixture.browser.call(groupLessons.leaveLesson, {
      params: { id: lessonId, studentId },
      query: { from: date },
    });
    const edit = { scope: 'all', sessionId: 1, date: TUESDAYS[0] ?? '' } as const;
    const changed = await updateLesson(fixture, lessonId, { ...edit, studentId });
    expect(changed.status).toBe(409);
    const repriced = await updateLesson(fixture, lessonId, { ...edit, fee: 50 });
    expect(repriced.status).toBe(200);
    expect((await readSession(fixture, 3)).students.map(({ fee }) => fee)).toEqual([5000, 3500]);
  });

  test('a fee for a series is rejected if a reopened session has a student who has left', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    const added = await fixture.browser.call(students.createStudent, { body: { name: 'Noor' } });
    const studentId = added.body.id;
    const date = TUESDAYS[2] ?? '';
    await fixture.browser.call(groupLessons.joinLesson, {
      params: { id: lessonId },
      body: { studentId, fee: 20, from: date },
    });
    await postAction(fixture, 3, 'complete', {});
    await fixture.browser.call(groupLessons.leaveLesson, {
      params: { id: lessonId, studentId },
      query: { from: date },
    });
    await postAction(fixture, 3, 'reopen', {});
    const edit = { scope: 'all', sessionId: 1, date: TUESDAYS[0] ?? '', fee: 50 } as const;
    expect((await updateLesson(fixture, lessonId, edit)).status).toBe(409);
    expect((await readSession(fixture, 3)).students.map(({ fee }) => fee)).toEqual([3500, 2000]);
  });

  test('a series can be shortened after the move of its last session was undone', async () => {
    const { fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 5, 'reschedule', {
      date: '2026-12-16',
      startTime: '10:00',
      endTime: '11:00',
    });
    await postAction(fixture, 6, 'undo-reschedule', {});
    const edit = { date: TUESDAYS[0] ?? '', recurringEndDate: '2026-12-08' };
    const saved = await updateLesson(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 4));
    expect((await readSession(fixture, 5)).status).toBe('cancelled');
  });

  test('a group is removed when its last two students are archived on the same day', async () => {
    app.clock.restart();
    const fixture = await createTutorWithStudentAndSubject(app);
    const added = await fixture.browser.call(students.createStudent, { body: { name: 'Noor' } });
    const studentId = added.body.id;
    const date = '2026-11-10';
    const { lessonId, sessionId } = await addLesson(fixture, { date });
    await fixture.browser.call(groupLessons.joinLesson, {
      params: { id: lessonId },
      body: { studentId, from: date },
    });
    await fixture.browser.call(students.deleteStudent, { params: { id: studentId } });
    expect((await fixture.browser.call(lessons.listLessons)).body).toHaveLength(1);
    await fixture.browser.call(students.deleteStudent, { params: { id: fixture.studentId } });
    expect((await fixture.browser.call(lessons.listLessons)).body).toEqual([]);
    // The past session stays, so that it can be completed.
    expect(await listSessionsBetween(fixture, date, date)).toMatchObject([
      { id: sessionId, status: 'scheduled' },
    ]);
  });

  test('a past session of an archived student can be completed, but not moved', async () => {
    app.clock.restart();
    const fixture = await createTutorWithStudentAndSubject(app);
    const { sessionId } = await addLesson(fixture, { date: '2026-11-10' });
    const times = { startTime: '10:00', endTime: '11:00' };
    await postAction(fixture, sessionId, 'reschedule', { date: '2026-11-12', ...times });
    const movedId = sessionId + 1;
    const params = { id: fixture.studentId };
    await fixture.browser.call(students.deleteStudent, { params });
    const moved = await postAction(fixture, movedId, 'reschedule', {
      date: '2026-11-24',
      ...times,
    });
    const undone = await postAction(fixture, movedId, 'undo-reschedule', {});
    expect([moved.status, undone.status]).toEqual([409, 409]);
    expect(moved.error.message).toBe('This lesson has been deleted.');
    expect((await postAction(fixture, movedId, 'complete', {})).status).toBe(200);
    expect((await postAction(fixture, movedId, 'reopen', {})).status).toBe(409);
  });
});
