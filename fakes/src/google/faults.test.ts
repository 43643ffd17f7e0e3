import { connect as openSocket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  apiError,
  connectWithCalendar,
  expectConforming,
  LESSON,
  startHarness,
  type TestHarness,
} from './test-harness.ts';

let harness: TestHarness;
let tutor: Awaited<ReturnType<typeof connectWithCalendar>>;

beforeEach(async () => {
  harness = await startHarness();
  tutor = await connectWithCalendar(harness.fake);
});
afterEach(() => harness.close());

const insert = (id: string, options: object = {}) =>
  tutor.google.events.insert(
    { calendarId: tutor.calendarId, requestBody: { ...LESSON, id } },
    options,
  );

const read = () => tutor.google.calendars.get({ calendarId: tutor.calendarId });

async function ids(): Promise<string[]> {
  const [books] = await harness.fake.control.report(tutor.user);
  return books?.calendars[0]?.events.map(({ id }) => id) ?? [];
}

describe('quotas', () => {
  test('hold for each user, by the minute, and are counted', async () => {
    const { control } = harness.fake;
    const other = await connectWithCalendar(harness.fake, 'bo@gmail.example');
    await control.setQuotas({ perUserPerMinute: 5 });
    for (let at = 0; at < 4; at += 1) await read();
    await expect(read()).rejects.toMatchObject({
      status: 403,
      response: {
        data: {
          error: {
            code: 403,
            message: 'User Rate Limit Exceeded',
            errors: [{ domain: 'usageLimits', reason: 'userRateLimitExceeded' }],
          },
        },
      },
    });
    await other.google.calendars.get({ calendarId: other.calendarId });
    await control.setQuotas({ status: 429 });
    await expect(read()).rejects.toMatchObject(apiError(429, 'userRateLimitExceeded'));
    await control.advanceClock(60_000);
    await read();
    const report = await control.quotaUsage();
    expect(report.busiest).toEqual({
      project: 7,
      users: { [tutor.user]: 5, 'bo@gmail.example': 2 },
    });
    // With `forceRefreshOnFailure` a 403 makes the library refresh and ask once more, at once.
    expect(report.refused).toBe(3);
    const own = report.minutes.filter(({ user }) => user === tutor.user);
    expect(own.reduce((sum, { served }) => sum + served, 0)).toBe(6);
    expect(own.at(-1)).toMatchObject({ served: 1, refused: 0 });
    await expectConforming(harness);
  });

  test('hold for the project too', async () => {
    const project = await startHarness({ quotas: { perProjectPerMinute: 2 } });
    const one = await connectWithCalendar(project.fake);
    await one.google.calendars.get({ calendarId: one.calendarId });
    await expect(connectWithCalendar(project.fake, 'bo@gmail.example')).rejects.toMatchObject(
      apiError(403, 'rateLimitExceeded'),
    );
    await project.close();
  });
});

describe('faults on demand', () => {
  test.each([
    [403, 'rateLimitExceeded'],
    [404, 'notFound'],
    [409, 'duplicate'],
    [410, 'deleted'],
    [412, 'conditionNotMet'],
    [429, 'rateLimitExceeded'],
    [500, 'backendError'],
    [503, 'backendError'],
  ])('%i befalls as many requests as asked, and does nothing', async (status, reason) => {
    // With `forceRefreshOnFailure` a 403 makes the library refresh and ask once more, at once.
    const times = status === 403 ? 2 : 1;
    await harness.fake.control.addFault({ kind: 'status', status, times, path: '/events$' });
    await read();
    await expect(insert('lesson1')).rejects.toMatchObject(apiError(status, reason));
    expect(await ids()).toEqual([]);
    await insert('lesson1');
    expect(await harness.fake.control.faults()).toEqual([]);
    await expectConforming(harness);
  });

  test('the reason can be chosen, and the path', async () => {
    const { control } = harness.fake;
    const reason = 'fullSyncRequired';
    await control.addFault({
      kind: 'status',
      status: 410,
      reason,
      path: '/events$',
      method: 'GET',
    });
    await insert('lesson1');
    const list = () => tutor.google.events.list({ calendarId: tutor.calendarId });
    await expect(list()).rejects.toMatchObject(apiError(410, reason));
    await expect(list()).rejects.toMatchObject(apiError(410, reason));
    await control.clearFaults();
    await list();
  });

  test('no answer at all', async () => {
    await harness.fake.control.addFault({ kind: 'hang', times: 1 });
    await expect(insert('lesson1', { timeout: 60 })).rejects.toThrow();
    expect(await ids()).toEqual([]);
  });

  test('a dropped connection, with nothing done or with all done', async () => {
    const { control } = harness.fake;
    await control.addFault({ kind: 'reset', times: 1 });
    await expect(insert('lesson1')).rejects.toThrow();
    expect(await ids()).toEqual([]);
    await control.addFault({ kind: 'done-then-reset', times: 1 });
    await expect(insert('lesson1')).rejects.toThrow();
    expect(await ids()).toEqual(['lesson1']);
    await expect(insert('lesson1')).rejects.toMatchObject(apiError(409, 'duplicate'));
    const statuses = (await control.calls()).map(({ operation, status }) => [operation, status]);
    expect(statuses.slice(-3)).toEqual([
      ['events.insert', null],
      ['events.insert', null],
      ['events.insert', 409],
    ]);
  });

  test('a slow answer', async () => {
    await harness.fake.control.addFault({ kind: 'slow', ms: 50, times: 1 });
    const before = performance.now();
    await read();
    expect(performance.now() - before).toBeGreaterThanOrEqual(45);
  });

  test('the token endpoint can fail as well', async () => {
    const { control } = harness.fake;
    await control.expireAccessTokens();
    await control.addFault({ kind: 'status', status: 400, path: '^/token$', times: 1 });
    await expect(read()).rejects.toMatchObject({
      response: { data: { error: 'invalid_grant' } },
    });
    // The SDK tries a failed refresh again by itself.
    await control.addFault({ kind: 'status', status: 503, path: '^/token$', times: 1 });
    await read();
  });

  test('it stops although a request hangs', async () => {
    const other = await startHarness();
    await other.fake.control.addFault({ kind: 'hang' });
    const { port } = new URL(other.fake.url);
    const socket = openSocket(Number(port), '127.0.0.1');
    socket.write('GET /calendar/v3/colors HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const ended = new Promise((resolve) => {
      socket.once('close', resolve);
      socket.on('error', () => {});
    });
    await other.close();
    await expect(ended).resolves.toBeDefined();
  });
});
