import { connect as openSocket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  apiError,
  connectWithCalendar,
  expectConformance,
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

async function eventIds(): Promise<string[]> {
  const [report] = await harness.fake.control.report(tutor.user);
  return report?.calendars[0]?.events.map(({ id }) => id) ?? [];
}

describe('quotas', () => {
  test('limit requests per user per minute and count usage', async () => {
    const { control } = harness.fake;
    const other = await connectWithCalendar(harness.fake, 'bo@gmail.example');
    await control.setQuotas({ perUserPerMinute: 5 });
    for (let index = 0; index < 4; index += 1) await read();
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
    expect(report.peak).toEqual({
      project: 7,
      users: { [tutor.user]: 5, 'bo@gmail.example': 2 },
    });
    // With `forceRefreshOnFailure`, the library refreshes the token and retries immediately after a 403.
    expect(report.refused).toBe(3);
    const ownMinutes = report.minutes.filter(({ user }) => user === tutor.user);
    expect(ownMinutes.reduce((sum, { served }) => sum + served, 0)).toBe(6);
    expect(ownMinutes.at(-1)).toMatchObject({ served: 1, refused: 0 });
    await expectConformance(harness);
  });

  test('limit requests per project', async () => {
    const project = await startHarness({ quotas: { perProjectPerMinute: 2 } });
    const tutorA = await connectWithCalendar(project.fake);
    await tutorA.google.calendars.get({ calendarId: tutorA.calendarId });
    await expect(connectWithCalendar(project.fake, 'bo@gmail.example')).rejects.toMatchObject(
      apiError(403, 'rateLimitExceeded'),
    );
    await project.close();
  });
});

describe('faults', () => {
  test.each([
    [403, 'rateLimitExceeded'],
    [404, 'notFound'],
    [409, 'duplicate'],
    [410, 'deleted'],
    [412, 'conditionNotMet'],
    [429, 'rateLimitExceeded'],
    [500, 'backendError'],
    [503, 'backendError'],
  ])('%i affects the given number of requests and changes nothing', async (status, reason) => {
    // With `forceRefreshOnFailure`, the library refreshes the token and retries immediately after a 403.
    const times = status === 403 ? 2 : 1;
    await harness.fake.control.addFault({ kind: 'status', status, times, path: '/events$' });
    await read();
    await expect(insert('lesson1')).rejects.toMatchObject(apiError(status, reason));
    expect(await eventIds()).toEqual([]);
    await insert('lesson1');
    expect(await harness.fake.control.faults()).toEqual([]);
    await expectConformance(harness);
  });

  test('can be limited to a method and path, with a chosen reason', async () => {
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

  test('can hang without a response', async () => {
    await harness.fake.control.addFault({ kind: 'hang', times: 1 });
    await expect(insert('lesson1', { timeout: 60 })).rejects.toThrow();
    expect(await eventIds()).toEqual([]);
  });

  test('can reset the connection before or after processing the request', async () => {
    const { control } = harness.fake;
    await control.addFault({ kind: 'reset', times: 1 });
    await expect(insert('lesson1')).rejects.toThrow();
    expect(await eventIds()).toEqual([]);
    await control.addFault({ kind: 'done-then-reset', times: 1 });
    await expect(insert('lesson1')).rejects.toThrow();
    expect(await eventIds()).toEqual(['lesson1']);
    await expect(insert('lesson1')).rejects.toMatchObject(apiError(409, 'duplicate'));
    const statuses = (await control.calls()).map(({ operation, status }) => [operation, status]);
    expect(statuses.slice(-3)).toEqual([
      ['events.insert', null],
      ['events.insert', null],
      ['events.insert', 409],
    ]);
  });

  test('can delay a response', async () => {
    await harness.fake.control.addFault({ kind: 'slow', ms: 50, times: 1 });
    const before = performance.now();
    await read();
    expect(performance.now() - before).toBeGreaterThanOrEqual(45);
  });

  test('also affect the token endpoint', async () => {
    const { control } = harness.fake;
    await control.expireAccessTokens();
    await control.addFault({ kind: 'status', status: 400, path: '^/token$', times: 1 });
    await expect(read()).rejects.toMatchObject({
      response: { data: { error: 'invalid_grant' } },
    });
    // The SDK retries a failed refresh.
    await control.addFault({ kind: 'status', status: 503, path: '^/token$', times: 1 });
    await read();
  });

  test('the fake can be stopped while a request hangs', async () => {
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
