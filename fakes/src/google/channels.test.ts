import { afterEach, beforeEach, expect, test } from 'vitest';
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
  harness = await startHarness({ seed: 3 });
  tutor = await connectWithCalendar(harness.fake);
});
afterEach(async () => {
  await expectConformance(harness);
  await harness.close();
});

async function watch(overrides: object = {}) {
  const { google, calendarId } = tutor;
  const address = `${harness.receiver.url}/google/changed`;
  const { data } = await google.events.watch({
    calendarId,
    requestBody: { id: 'channel-1', type: 'web_hook', address, token: 'secret-1', ...overrides },
  });
  return data;
}

async function insert(id: string): Promise<void> {
  const { google, calendarId } = tutor;
  await google.events.insert({ calendarId, requestBody: { ...LESSON, id } });
}

function receivedStates(): string[] {
  return harness.receiver.received.map(({ headers }) => headers['x-goog-resource-state'] ?? '');
}

test('a channel sends a sync message, then change messages without content', async () => {
  const channel = await watch();
  expect(channel).toMatchObject({
    kind: 'api#channel',
    id: 'channel-1',
    token: 'secret-1',
    resourceId: expect.any(String),
    resourceUri: expect.stringContaining('/events'),
    expiration: expect.stringMatching(/^\d{13}$/),
  });
  const ttl = Number(channel.expiration) - Date.now();
  expect(Math.abs(ttl - 7 * 86_400_000)).toBeLessThan(60_000);
  await harness.fake.control.whenIdle();
  await insert('lesson1');
  await harness.fake.control.moveEvent({ eventId: 'lesson1' }, { start: '2026-11-20T15:00' });
  await harness.fake.control.whenIdle();
  expect(receivedStates()).toEqual(['sync', 'exists', 'exists']);
  const expiration = new Date(Number(channel.expiration)).toUTCString();
  expect(harness.receiver.received[1]).toEqual({
    path: '/google/changed',
    body: '',
    headers: {
      'x-goog-channel-id': 'channel-1',
      'x-goog-channel-token': 'secret-1',
      'x-goog-channel-expiration': expiration,
      'x-goog-resource-id': channel.resourceId,
      'x-goog-resource-uri': channel.resourceUri,
      'x-goog-resource-state': 'exists',
      'x-goog-message-number': '2',
    },
  });
});

test('a channel ends when it is stopped, expires or is dropped by Google', async () => {
  const { control } = harness.fake;
  const { google } = tutor;
  const stopped = await watch();
  await watch({ id: 'channel-2', expiration: String((await control.now()) + 60_000) });
  const { id, resourceId } = stopped;
  const stop = { requestBody: { id: id ?? '', resourceId: resourceId ?? '' } };
  expect((await google.channels.stop(stop)).status).toBe(204);
  await expect(google.channels.stop(stop)).rejects.toMatchObject(apiError(404, 'notFound'));
  expect((await control.channels()).map((each) => each.id)).toEqual(['channel-2']);
  await control.advanceClock(61_000);
  expect(await control.channels()).toEqual([]);
  await insert('lesson1');
  await watch({ id: 'channel-3', params: { ttl: '3600' } });
  expect(await control.dropChannels()).toBe(1);
  await insert('lesson2');
  await control.whenIdle();
  expect(receivedStates()).toEqual(['sync', 'sync', 'sync']);
});

test('a channel stays open after the user has revoked access', async () => {
  await watch();
  await insert('lesson1');
  await harness.fake.control.revoke(tutor.user);
  await harness.fake.control.deleteEvent({ eventId: 'lesson1' });
  await harness.fake.control.whenIdle();
  expect(receivedStates()).toEqual(['sync', 'exists', 'exists']);
});

test('messages are retried after a 5xx and abandoned after any other error', async () => {
  harness.receiver.nextStatuses.push(503, 200, 404);
  await watch();
  await harness.fake.control.whenIdle();
  await insert('lesson1');
  await harness.fake.control.whenIdle();
  const log = await harness.fake.control.deliveries();
  expect(log.map(({ state, attempt, status }) => [state, attempt, status])).toEqual([
    ['sync', 1, 503],
    ['sync', 2, 200],
    ['exists', 1, 404],
  ]);
  expect(log[0]).toMatchObject({ channelId: 'channel-1', user: tutor.user, messageNumber: 1 });
});

test('messages are delayed, duplicated, lost or held as configured', async () => {
  const { control } = harness.fake;
  await watch();
  await control.whenIdle();
  await control.setDelivery({ copies: 2, delay: [20, 30] });
  await insert('lesson1');
  expect(receivedStates()).toHaveLength(1);
  await control.whenIdle();
  expect(receivedStates()).toHaveLength(3);
  const numbers = harness.receiver.received.map(({ headers }) => headers['x-goog-message-number']);
  expect(numbers).toEqual(['1', '2', '2']);

  await control.setDelivery({ copies: 1, delay: [0, 0], lossRate: 1 });
  await insert('lesson2');
  await control.whenIdle();
  expect(receivedStates()).toHaveLength(3);

  await control.setDelivery({ lossRate: 0 });
  await control.hold();
  await insert('lesson3');
  await control.whenIdle();
  expect(receivedStates()).toHaveLength(3);
  await control.release();
  await control.whenIdle();
  expect(receivedStates()).toHaveLength(4);
});

test('rejects invalid channels', async () => {
  await watch();
  await expect(watch()).rejects.toMatchObject(apiError(400, 'channelIdNotUnique'));
  await expect(watch({ id: 'no spaces' })).rejects.toMatchObject(apiError(400, 'invalid'));
  await expect(watch({ id: 'x', type: 'pigeon' })).rejects.toMatchObject(apiError(400, 'invalid'));
  await expect(watch({ id: 'x', address: 'nowhere' })).rejects.toMatchObject(
    apiError(400, 'required'),
  );
  await expect(watch({ id: 'x', expiration: '1000' })).rejects.toMatchObject(
    apiError(400, 'invalid'),
  );
});

test('rejects http addresses only with httpsOnly', async () => {
  const strict = await startHarness({ httpsOnly: true });
  const { google, calendarId } = await connectWithCalendar(strict.fake);
  const watchAddress = (address: string) =>
    google.events.watch({ calendarId, requestBody: { id: 'c1', type: 'web_hook', address } });
  await expect(watchAddress('http://lessons.example/g')).rejects.toMatchObject(
    apiError(400, 'push.webhookUrlNotHttps'),
  );
  expect((await watchAddress('https://127.0.0.1:1/g')).data.id).toBe('c1');
  await strict.fake.control.whenIdle();
  const log = await strict.fake.control.deliveries();
  expect(log.map(({ status }) => status)).toEqual([null, null, null]);
  await strict.close();
});
