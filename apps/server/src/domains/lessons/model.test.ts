import { type LessonChange, lessons } from '@lessonbook/contract/lessons';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../../test/house.ts';
import { Player } from '../../test/model/player.ts';
import { lookInside, quickBook } from '../../test/model/quick-book.ts';
import { isLong, Random, seedFromEnvironment } from '../../test/model/random.ts';
import { nextStep, type Step } from '../../test/model/steps.ts';
import {
  addLesson,
  type Desk,
  diary,
  lessonBody,
  openDesk,
  rowsBetween,
  weekly,
} from '../../test/teaching.ts';

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

let house: House;
let inside: pg.Client;
beforeAll(async () => {
  house = await openHouse({ RATE_LIMIT_FACTOR: '1000' });
  inside = await lookInside(house);
});
afterAll(async () => {
  await inside.end();
  await house.close();
});

interface Played {
  steps: Step[];
  difference: string | null;
}

async function playSequence(sequence: number): Promise<Played> {
  const random = new Random(sequence);
  house.clock.restart();
  // Tutors of earlier sequences must not wake up when the clock runs ahead again.
  await house.context.db.global.deleteFrom('tenant_schedule').execute();
  const zone = random.pick(ZONES);
  const player = new Player(house, inside, await quickBook(house, zone), zone);
  const steps: Step[] = [];
  while (steps.length < STEPS) {
    const step = nextStep(random, player.state, player.people);
    try {
      const difference = await player.play(step);
      steps.push(step);
      if (difference) return { steps, difference };
    } catch (error) {
      return { steps: [...steps, step], difference: String(error) };
    }
  }
  // The screens read what was just compared; some of the sequences are enough for them.
  const difference = sequence % 3 === 0 ? await player.readEverything() : null;
  return { steps, difference };
}

const say = (line: string) => process.stdout.write(`[model] ${line}\n`);

test(`${SEQUENCES} random sequences of ${STEPS} steps: the server does what the rules say`, {
  timeout: isLong() ? 3_600_000 : 900_000,
}, async () => {
  // With a seed given, first the sequence of that seed, then the ones after it, as in the run that named it.
  say(`SEED=${seed}${given ? '' : ' (set it to repeat this run)'}`);
  const failures: string[] = [];
  let steps = 0;
  const most = Number(process.env['FAILURES'] ?? 1);
  for (let index = 0; index < SEQUENCES && failures.length < most; index++) {
    const played = await playSequence(seed + index);
    steps += played.steps.length;
    if (played.difference) failures.push(report(seed + index, played));
  }
  say(`${steps} steps`);
  expect(failures.join('\n\n')).toBe('');
});

function report(sequence: number, { steps, difference }: Played): string {
  const lines = steps.map((step, index) => `  ${index + 1}. ${JSON.stringify(step)}`);
  return [`SEED=${sequence}, step ${steps.length}: ${difference}`, ...lines].join('\n');
}

/* What the random runs found, each as short as it gets. */

/** The weekly lesson of these tests: Tuesdays from 17 November to 15 December 2026, ids 1 to 5 in order. */
const TUESDAYS = ['2026-11-17', '2026-11-24', '2026-12-01', '2026-12-08', '2026-12-15'];

type Edit = Partial<LessonChange> & Pick<LessonChange, 'scope' | 'sessionId' | 'date'>;

const put = (desk: Desk, lessonId: number, edit: Edit) =>
  desk.browser.call(lessons.updateLesson, {
    params: { id: lessonId },
    body: { ...lessonBody(desk, weekly()), ...edit },
  });

const act = (desk: Desk, sessionId: number, name: string, body: unknown) =>
  desk.browser.send('POST', `/api/sessions/${sessionId}/${name}`, body);

const remove = (desk: Desk, lessonId: number, scope: 'following' | 'all', sessionId: number) =>
  desk.browser.call(lessons.deleteLesson, {
    params: { id: lessonId },
    query: { scope, sessionId },
  });

async function weeklyDesk(change: Parameters<typeof weekly>[0] = {}) {
  house.clock.restart();
  const desk = await openDesk(house);
  const { lessonId } = await addLesson(desk, weekly(change));
  return { desk, lessonId };
}

async function scheduledDates(desk: Desk): Promise<string[]> {
  return (await diary(desk))
    .filter((line) => line.endsWith(' scheduled'))
    .map((line) => line.slice(0, 10));
}

const lessonPage = async (desk: Desk, id: number) =>
  (await desk.browser.call(lessons.lesson, { params: { id } })).body;
const sessionPage = async (desk: Desk, id: number) =>
  (await desk.browser.call(sessions.session, { params: { id } })).body;

describe('found by the model', () => {
  test('a past session is taught or called off, not both', async () => {
    house.clock.restart();
    const desk = await openDesk(house);
    const body = { fromDate: '2026-11-02', toDate: '2026-11-06' };
    await desk.browser.call(timeOff.createTimeOff, { body });
    const { sessionId } = await addLesson(desk, {
      ...weekly({ earlier: 'taught' }),
      date: '2026-11-03',
    });
    const { status, cancelledBy } = await sessionPage(desk, sessionId);
    expect([status, cancelledBy]).toEqual(['cancelled', 'tutor']);
  });

  test('a series moved by whole weeks makes way around what was taught', async () => {
    const { desk, lessonId } = await weeklyDesk();
    await desk.browser.call(sessions.completeSession, { params: { id: 3 }, body: {} });
    const moved = await put(desk, lessonId, {
      scope: 'all',
      sessionId: 2,
      date: TUESDAYS[0] ?? '',
    });
    expect(moved.status).toBe(200);
    expect((await sessionPage(desk, 3)).date).toBe(TUESDAYS[2]);
  });

  test('the end of a holiday brings back nothing beyond the end of the series', async () => {
    const { desk, lessonId } = await weeklyDesk();
    const body = { fromDate: '2026-12-08', toDate: '2026-12-08', cancelSessionIds: [4] };
    const off = await desk.browser.call(timeOff.createTimeOff, { body });
    const date = TUESDAYS[0] ?? '';
    await put(desk, lessonId, {
      scope: 'all',
      sessionId: 1,
      date,
      recurringEndDate: '2026-12-01',
    });
    await desk.browser.call(timeOff.deleteTimeOff, {
      params: { id: off.body.id },
      query: { restore: 'true' },
    });
    expect(await scheduledDates(desk)).toEqual(TUESDAYS.slice(0, 3));
  });

  test('a shorter series leaves out a session that was charged once', async () => {
    const { desk, lessonId } = await weeklyDesk();
    await act(desk, 5, 'complete', {});
    await act(desk, 5, 'reopen', {});
    const date = TUESDAYS[0] ?? '';
    const edit = { date, recurringEndDate: '2026-12-08' };
    const saved = await put(desk, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    expect(await scheduledDates(desk)).toEqual(TUESDAYS.slice(0, 4));
  });

  test('all leaves what is past alone, also when an early session was moved ahead', async () => {
    const { desk, lessonId } = await weeklyDesk();
    await act(desk, 1, 'reschedule', {
      date: '2026-12-20',
      startTime: '10:00',
      endTime: '11:00',
    });
    house.clock.forward({ days: 16 });
    // Those of 24 November and 1 December are over and wait to be ticked off.
    await put(desk, lessonId, { scope: 'all', sessionId: 4, date: '2026-12-08', fee: 50 });
    const rows = await rowsBetween(desk, '2026-11-24', '2026-12-15');
    expect(rows.map((row) => row.fee)).toEqual([35, 35, 50, 50]);
  });

  test('all to biweekly from the second session makes a biweekly series', async () => {
    const { desk, lessonId } = await weeklyDesk();
    const edit = { date: '2026-11-24', recurringPattern: 'biweekly' } as const;
    await put(desk, lessonId, { scope: 'all', sessionId: 2, ...edit });
    expect(await scheduledDates(desk)).toEqual(['2026-11-17', '2026-12-01', '2026-12-15']);
  });

  test('the session on which the repeat was unticked is the last one', async () => {
    const { desk, lessonId } = await weeklyDesk();
    const edit = { date: '2026-12-01', isRecurring: false, recurringEndDate: null };
    const saved = await put(desk, lessonId, { scope: 'all', sessionId: 3, ...edit });
    expect((await sessionPage(desk, saved.body.sessionId ?? 0)).date).toBe('2026-12-01');
    expect(await scheduledDates(desk)).toEqual(TUESDAYS.slice(0, 3));
  });

  test('notes changed for all are seen on the session they were changed on', async () => {
    const { desk, lessonId } = await weeklyDesk();
    const date = '2026-11-24';
    await put(desk, lessonId, { scope: 'this', sessionId: 2, date, notes: 'only here' });
    await put(desk, lessonId, { scope: 'all', sessionId: 2, date, notes: 'for all' });
    expect((await sessionPage(desk, 2)).notes).toBe('for all');
  });

  test('notes can be cleared for one session', async () => {
    const { desk, lessonId } = await weeklyDesk({ notes: 'for all' });
    await put(desk, lessonId, { scope: 'this', sessionId: 2, date: '2026-11-24', notes: '' });
    expect((await sessionPage(desk, 2)).notes).toBe(null);
    expect((await sessionPage(desk, 3)).notes).toBe('for all');
  });

  test('a lesson that was moved as a whole begins on its new day', async () => {
    const { desk, lessonId } = await weeklyDesk();
    const edit = { date: '2026-11-18', recurringEndDate: '2026-12-16' };
    await put(desk, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(await lessonPage(desk, lessonId)).toMatchObject({
      date: '2026-11-18',
      recurringDay: 3,
    });
  });

  test('a series that would have no session is refused, for nobody could delete it', async () => {
    house.clock.restart();
    const desk = await openDesk(house);
    const change = { ...weekly({ recurringEndDate: '2026-11-10' }), date: '2026-11-03' };
    const answer = await desk.browser.call(lessons.createLesson, {
      body: lessonBody(desk, change),
    });
    expect(answer.status).toBe(400);
  });

  test('a session that its series left behind does not start the series a second time', async () => {
    const { desk, lessonId } = await weeklyDesk();
    await put(desk, lessonId, { scope: 'this', sessionId: 3, date: '2026-12-01', fee: 50 });
    await put(desk, lessonId, { scope: 'following', sessionId: 2, date: '2026-11-24', fee: 40 });
    const { lessonId: its } = await sessionPage(desk, 3);
    const edit = { date: '2026-12-01', fee: 60, acceptOverlaps: true };
    await put(desk, its, { scope: 'following', sessionId: 3, ...edit });
    expect(await scheduledDates(desk)).toEqual(TUESDAYS);
    expect((await sessionPage(desk, 3)).fee).toBe(60);
  });

  test('deleting what was left behind does not make the old lesson longer', async () => {
    const { desk, lessonId } = await weeklyDesk();
    await put(desk, lessonId, { scope: 'this', sessionId: 4, date: '2026-12-08', fee: 50 });
    await put(desk, lessonId, { scope: 'following', sessionId: 2, date: '2026-11-24', fee: 40 });
    const { lessonId: its } = await sessionPage(desk, 4);
    const before = (await lessonPage(desk, its)).recurringEndDate;
    await remove(desk, its, 'following', 4);
    const after = (await lessonPage(desk, its)).recurringEndDate;
    expect((after ?? '') <= (before ?? '')).toBe(true);
  });

  test('the session that the tutor chose is changed, also when its series had left it behind', async () => {
    const { desk, lessonId } = await weeklyDesk();
    await put(desk, lessonId, { scope: 'this', sessionId: 3, date: '2026-12-01', fee: 50 });
    const edit = { date: '2026-11-18', recurringEndDate: '2026-12-16' };
    await put(desk, lessonId, { scope: 'all', sessionId: 1, ...edit });
    const later = { date: '2026-12-01', recurringEndDate: '2026-12-16', fee: 60 };
    await put(desk, lessonId, { scope: 'following', sessionId: 3, ...later });
    expect((await sessionPage(desk, 3)).fee).toBe(60);
  });

  test('a series that was cut short can be made longer again', async () => {
    const { desk, lessonId } = await weeklyDesk();
    await remove(desk, lessonId, 'following', 4);
    const edit = { date: '2026-11-17', recurringEndDate: '2026-12-22' };
    const saved = await put(desk, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    expect(await scheduledDates(desk)).toContain('2026-12-22');
  });

  test('all can be moved to where an earlier session was settled', async () => {
    const { desk, lessonId } = await weeklyDesk();
    await act(desk, 1, 'cancel', { cancelledBy: 'carer' });
    const edit = { date: '2026-11-17', recurringEndDate: '2026-12-08' };
    const saved = await put(desk, lessonId, { scope: 'all', sessionId: 2, ...edit });
    expect(saved.status).toBe(200);
    expect(await scheduledDates(desk)).toEqual(TUESDAYS.slice(0, 4));
  });

  test('another rhythm does not stop at a place that was settled', async () => {
    const { desk, lessonId } = await weeklyDesk({ recurringPattern: 'biweekly' });
    await act(desk, 2, 'cancel', { cancelledBy: 'carer' });
    const edit = { date: '2026-11-17', recurringPattern: 'weekly' } as const;
    const saved = await put(desk, lessonId, { scope: 'all', sessionId: 1, ...edit });
    expect(saved.status).toBe(200);
    const [first, , ...rest] = TUESDAYS;
    expect(await scheduledDates(desk)).toEqual([first, ...rest]);
  });
});
