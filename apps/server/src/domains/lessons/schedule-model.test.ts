import { type LessonUpdate, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addLesson,
  createLessonFixture,
  formatSessions,
  type LessonFixture,
  lessonBody,
  listSessionsBetween,
  weekly,
} from '../../test/lesson-fixture.ts';
import { connectAsMaintenance, createFastFixture } from '../../test/model/fast-fixture.ts';
import { isLong, Random, seedFromEnvironment } from '../../test/model/random.ts';
import { type Command, nextCommand } from '../../test/model/schedule/commands.ts';
import { ModelRunner } from '../../test/model/schedule/model-runner.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/*
 * Random acts of a tutor, played against the server over HTTP and against a plain model of the rules (test/model). After
 * each step every session, lesson, charge and answer must be the same. `SEED=… ` repeats a run, `LONG=1` makes it ten
 * times as long.
 */
const SEQUENCES = Number(process.env['SEQUENCES'] ?? (isLong() ? 2_000 : 200));
const STEPS = 15;
const ZONES = [
  'Europe/London',
  'America/New_York',
  'Australia/Sydney',
  'Asia/Kolkata',
  'Pacific/Auckland',
];

const given = process.env['SEED'];
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
  // Tutors of earlier sequences must not wake up when the clock runs ahead again.
  await app.context.db.global.deleteFrom('tenant_schedule').execute();
  const zone = random.pick(ZONES);
  const runner = new ModelRunner(app, adminDb, await createFastFixture(app, zone), zone);
  const commands: Command[] = [];
  while (commands.length < STEPS) {
    const command = nextCommand(random, runner.state, runner.people);
    try {
      const difference = await runner.run(command);
      commands.push(command);
      if (difference) return { commands, difference };
    } catch (error) {
      return { commands: [...commands, command], difference: String(error) };
    }
  }
  // The screens read what was just compared; some of the sequences are enough for them.
  const difference = sequence % 3 === 0 ? await runner.checkScreens() : null;
  return { commands, difference };
}

const log = (line: string) => process.stdout.write(`[model] ${line}\n`);

test(`${SEQUENCES} random sequences of ${STEPS} steps: the server does what the rules say`, {
  timeout: isLong() ? 3_600_000 : 900_000,
}, async () => {
  // With a seed given, first the sequence of that seed, then the ones after it, as in the run that named it.
  log(`SEED=${seed}${given ? '' : ' (set it to repeat this run)'}`);
  const failures: string[] = [];
  let commands = 0;
  const most = Number(process.env['FAILURES'] ?? 1);
  for (let index = 0; index < SEQUENCES && failures.length < most; index++) {
    const played = await runSequence(seed + index);
    commands += played.commands.length;
    if (played.difference) failures.push(report(seed + index, played));
  }
  log(`${commands} steps`);
  expect(failures.join('\n\n')).toBe('');
});

function report(sequence: number, { commands, difference }: RunResult): string {
  const lines = commands.map((command, index) => `  ${index + 1}. ${JSON.stringify(command)}`);
  return [`SEED=${sequence}, step ${commands.length}: ${difference}`, ...lines].join('\n');
}

/* What the random runs found, each as short as it gets. */

/** The weekly lesson of these tests: Tuesdays from 17 November to 15 December 2026, ids 1 to 5 in order. */
const TUESDAYS = ['2026-11-17', '2026-11-24', '2026-12-01', '2026-12-08', '2026-12-15'];

type Edit = Partial<LessonUpdate> & Pick<LessonUpdate, 'scope' | 'sessionId' | 'date'>;

const put = (fixture: LessonFixture, lessonId: number, edit: Edit) =>
  fixture.browser.call(lessons.updateLesson, {
    params: { id: lessonId },
    body: { ...lessonBody(fixture, weekly()), ...edit },
  });

const postAction = (fixture: LessonFixture, sessionId: number, name: string, body: unknown) =>
  fixture.browser.send('POST', `/api/sessions/${sessionId}/${name}`, body);

const remove = (
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
  const fixture = await createLessonFixture(app);
  const { lessonId } = await addLesson(fixture, weekly(change));
  return { desk: fixture, lessonId };
}

async function scheduledDates(fixture: LessonFixture): Promise<string[]> {
  return (await formatSessions(fixture))
    .filter((line) => line.endsWith(' scheduled'))
    .map((line) => line.slice(0, 10));
}

const lessonPage = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(lessons.lesson, { params: { id } })).body;
const sessionPage = async (fixture: LessonFixture, id: number) =>
  (await fixture.browser.call(sessions.session, { params: { id } })).body;

describe('found by the model', () => {
  test('a past session is taught or called off, not both', async () => {
    app.clock.restart();
    const fixture = await createLessonFixture(app);
    const body = { fromDate: '2026-11-02', toDate: '2026-11-06' };
    await fixture.browser.call(timeOff.createTimeOff, { body });
    const { sessionId } = await addLesson(fixture, {
      ...weekly({ earlier: 'taught' }),
      date: '2026-11-03',
    });
    const { status, cancelledBy } = await sessionPage(fixture, sessionId);
    expect([status, cancelledBy]).toEqual(['cancelled', 'tutor']);
  });

  test('a series moved by whole weeks makes way around what was taught', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    await fixture.browser.call(sessions.completeSession, { params: { id: 3 }, body: {} });
    const moved = await put(fixture, lessonId, {
      scope: 'all',
      sessionId: 2,
      date: TUESDAYS[0] ?? '',
    });
    expect(moved.status).toBe(200);
    expect((await sessionPage(fixture, 3)).date).toBe(TUESDAYS[2]);
  });

  test('the end of a holiday brings back nothing beyond the end of the series', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    const body = { fromDate: '2026-12-08', toDate: '2026-12-08', cancelSessionIds: [4] };
    const off = await fixture.browser.call(timeOff.createTimeOff, { body });
    const date = TUESDAYS[0] ?? '';
    await put(fixture, lessonId, {
      scope: 'all',
      sessionId: 1,
      date,
      recurringEndDate: '2026-12-01',
    });
    await fixture.browser.call(timeOff.deleteTimeOff, {
      params: { id: off.body.id },
      query: { restore: 'true' },
    });
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 3));
  });

  test('a shorter series leaves out a session that was charged once', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 5, 'complete', {});
    await postAction(fixture, 5, 'reopen', {});
    const date = TUESDAYS[0] ?? '';
    const edit = { date, recurringEndDate: '2026-12-08' };
    const saved = await put(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 4));
  });

  test('all leaves what is past alone, also when an early session was moved ahead', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 1, 'reschedule', {
      date: '2026-12-20',
      startTime: '10:00',
      endTime: '11:00',
    });
    app.clock.forward({ days: 16 });
    // Those of 24 November and 1 December are over and wait to be ticked off.
    await put(fixture, lessonId, { scope: 'all', sessionId: 4, date: '2026-12-08', fee: 50 });
    const rows = await listSessionsBetween(fixture, '2026-11-24', '2026-12-15');
    expect(rows.map((row) => row.fee)).toEqual([35, 35, 50, 50]);
  });

  test('all to biweekly from the second session makes a biweekly series', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    const edit = { date: '2026-11-24', recurringPattern: 'biweekly' } as const;
    await put(fixture, lessonId, { scope: 'all', sessionId: 2, ...edit });
    expect(await scheduledDates(fixture)).toEqual(['2026-11-17', '2026-12-01', '2026-12-15']);
  });

  test('the session on which the repeat was unticked is the last one', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    const edit = { date: '2026-12-01', isRecurring: false, recurringEndDate: null };
    const saved = await put(fixture, lessonId, { scope: 'all', sessionId: 3, ...edit });
    expect((await sessionPage(fixture, saved.body.sessionId ?? 0)).date).toBe('2026-12-01');
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 3));
  });

  test('notes changed for all are seen on the session they were changed on', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    const date = '2026-11-24';
    await put(fixture, lessonId, { scope: 'this', sessionId: 2, date, notes: 'only here' });
    await put(fixture, lessonId, { scope: 'all', sessionId: 2, date, notes: 'for all' });
    expect((await sessionPage(fixture, 2)).notes).toBe('for all');
  });

  test('notes can be cleared for one session', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture({ notes: 'for all' });
    await put(fixture, lessonId, { scope: 'this', sessionId: 2, date: '2026-11-24', notes: '' });
    expect((await sessionPage(fixture, 2)).notes).toBe(null);
    expect((await sessionPage(fixture, 3)).notes).toBe('for all');
  });

  test('a lesson that was moved as a whole begins on its new day', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    const edit = { date: '2026-11-18', recurringEndDate: '2026-12-16' };
    await put(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(await lessonPage(fixture, lessonId)).toMatchObject({
      date: '2026-11-18',
      recurringDay: 3,
    });
  });

  test('a series that would have no session is refused, for nobody could delete it', async () => {
    app.clock.restart();
    const fixture = await createLessonFixture(app);
    const change = { ...weekly({ recurringEndDate: '2026-11-10' }), date: '2026-11-03' };
    const answer = await fixture.browser.call(lessons.createLesson, {
      body: lessonBody(fixture, change),
    });
    expect(answer.status).toBe(400);
  });

  test('a session that its series left behind does not start the series a second time', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    await put(fixture, lessonId, { scope: 'this', sessionId: 3, date: '2026-12-01', fee: 50 });
    await put(fixture, lessonId, { scope: 'following', sessionId: 2, date: '2026-11-24', fee: 40 });
    const { lessonId: its } = await sessionPage(fixture, 3);
    const edit = { date: '2026-12-01', fee: 60, acceptOverlaps: true };
    await put(fixture, its, { scope: 'following', sessionId: 3, ...edit });
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS);
    expect((await sessionPage(fixture, 3)).fee).toBe(60);
  });

  test('deleting what was left behind does not make the old lesson longer', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    await put(fixture, lessonId, { scope: 'this', sessionId: 4, date: '2026-12-08', fee: 50 });
    await put(fixture, lessonId, { scope: 'following', sessionId: 2, date: '2026-11-24', fee: 40 });
    const { lessonId: its } = await sessionPage(fixture, 4);
    const before = (await lessonPage(fixture, its)).recurringEndDate;
    await remove(fixture, its, 'following', 4);
    const after = (await lessonPage(fixture, its)).recurringEndDate;
    expect((after ?? '') <= (before ?? '')).toBe(true);
  });

  test('the session that the tutor chose is changed, also when its series had left it behind', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    await put(fixture, lessonId, { scope: 'this', sessionId: 3, date: '2026-12-01', fee: 50 });
    const edit = { date: '2026-11-18', recurringEndDate: '2026-12-16' };
    await put(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    const later = { date: '2026-12-01', recurringEndDate: '2026-12-16', fee: 60 };
    await put(fixture, lessonId, { scope: 'following', sessionId: 3, ...later });
    expect((await sessionPage(fixture, 3)).fee).toBe(60);
  });

  test('a series that was cut short can be made longer again', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    await remove(fixture, lessonId, 'following', 4);
    const edit = { date: '2026-11-17', recurringEndDate: '2026-12-22' };
    const saved = await put(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    expect(await scheduledDates(fixture)).toContain('2026-12-22');
  });

  test('all can be moved to where an earlier session was settled', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture();
    await postAction(fixture, 1, 'cancel', { cancelledBy: 'carer' });
    const edit = { date: '2026-11-17', recurringEndDate: '2026-12-08' };
    const saved = await put(fixture, lessonId, { scope: 'all', sessionId: 2, ...edit });
    expect(saved.status).toBe(200);
    expect(await scheduledDates(fixture)).toEqual(TUESDAYS.slice(0, 4));
  });

  test('another rhythm does not stop at a place that was settled', async () => {
    const { desk: fixture, lessonId } = await createWeeklyFixture({ recurringPattern: 'biweekly' });
    await postAction(fixture, 2, 'cancel', { cancelledBy: 'carer' });
    const edit = { date: '2026-11-17', recurringPattern: 'weekly' } as const;
    const saved = await put(fixture, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    const [first, , ...rest] = TUESDAYS;
    expect(await scheduledDates(fixture)).toEqual([first, ...rest]);
  });
});
