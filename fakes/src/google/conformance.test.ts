import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openConformance, readDiscovery } from './conformance.ts';
import { CALENDAR_SCOPE } from './grants.ts';
import { ROUTES } from './routes.ts';
import { connectWithCalendar, LESSON, startHarness, type TestHarness } from './test-harness.ts';

const { available } = openConformance().report();

/** Whether the watch over the stand-in can find anything at all. */
describe.runIf(available)('a planted deviation is caught', () => {
  let harness: TestHarness;
  let tutor: Awaited<ReturnType<typeof connectWithCalendar>>;
  let before: number;

  beforeAll(async () => {
    harness = await startHarness();
    tutor = await connectWithCalendar(harness.fake);
    const { google, calendarId } = tutor;
    await google.events.insert({ calendarId, requestBody: LESSON });
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    before = (await harness.fake.control.conformance()).violations.length;
  });

  async function found() {
    return (await harness.fake.control.conformance()).violations.slice(before);
  }

  async function whats(): Promise<string[]> {
    return (await found()).map(({ side, what }) => `${side}: ${what}`);
  }

  function insert(more: object) {
    const { google, calendarId } = tutor;
    return google.events.insert({ calendarId, requestBody: { ...LESSON, ...more } });
  }

  test('nothing was wrong until now', async () => {
    const report = await harness.fake.control.conformance();
    expect(report).toEqual({ available: true, checked: 2, violations: [] });
  });

  test('a field of the wrong type in an answer', async () => {
    const { google, calendarId } = tutor;
    await harness.fake.control.addFault({ kind: 'odd', times: 1, merge: { sequence: 'twelve' } });
    await google.events.get({ calendarId, eventId: 'lesson0001' });
    expect(await found()).toEqual([
      {
        method: 'GET',
        path: `/calendar/v3/calendars/${encodeURIComponent(calendarId)}/events/lesson0001`,
        side: 'answer',
        what: '/sequence must be integer',
      },
    ]);
  });

  test('a field that Google does not have, and a time without its offset', async () => {
    const { google, calendarId } = tutor;
    const merge = { colour: 'red' };
    await harness.fake.control.addFault({ kind: 'odd', times: 1, merge });
    await google.events.list({ calendarId });
    const start = { dateTime: '2026-11-20T09:00:00' };
    await harness.fake.control.addFault({ kind: 'odd', times: 1, merge: { start } });
    await google.events.get({ calendarId, eventId: 'lesson0001' });
    expect(await whats()).toEqual([
      'answer: / must NOT have additional properties: colour',
      'answer: /start/dateTime must match format "rfc3339"',
    ]);
  });

  test('a field of a request that Google does not know, deep inside', async () => {
    const start = { ...LESSON.start, zone: 'Europe/London' };
    await insert({ id: 'planted1', sumary: 'x' });
    await insert({ id: 'planted2', start });
    expect(await whats()).toEqual([
      'request: / must NOT have additional properties: sumary',
      'request: /start must NOT have additional properties: zone',
    ]);
  });

  test('a required field that is missing, and null outside of a patch', async () => {
    const { google, calendarId } = tutor;
    await expect(insert({ id: 'planted3', end: undefined })).rejects.toThrow();
    await insert({ id: 'planted4', location: null });
    await google.events.patch({
      calendarId,
      eventId: 'lesson0001',
      requestBody: { location: null },
    });
    expect(await whats()).toEqual([
      "request: / must have required property 'end'",
      'request: /location must be string',
    ]);
  });

  test('parameters that are unknown, of the wrong type, or none of the allowed words', async () => {
    const { google, calendarId } = tutor;
    await google.events.list({ calendarId, colour: 'red' } as never);
    await expect(google.events.list({ calendarId, maxResults: 'many' as never })).rejects.toThrow();
    await expect(google.events.list({ calendarId, timeMin: '2026-11-20' })).rejects.toThrow();
    await insert({ id: 'planted5' });
    await google.events.delete({ calendarId, eventId: 'planted5', sendUpdates: 'some' });
    expect(await whats()).toEqual([
      'request: unknown parameter colour',
      'request: parameter maxResults: / must be integer',
      'request: parameter timeMin: / must match format "rfc3339"',
      'request: parameter sendUpdates: / must be equal to one of the allowed values',
    ]);
  });

  test('an error that is not in Google’s words, and a method that is not in the description', async () => {
    const { google, calendarId } = tutor;
    const merge = { error: 'not found' };
    await harness.fake.control.addFault({ kind: 'odd', times: 1, merge });
    await expect(google.events.get({ calendarId, eventId: 'missing' })).rejects.toThrow();
    const authorization = `Bearer ${tutor.oauth.credentials.access_token}`;
    const answer = await fetch(`${harness.fake.url}/calendar/v3/unicorns`, {
      headers: { authorization },
    });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: 404 } });
    expect(await whats()).toEqual([
      'answer: /error must be object',
      'request: the description has no such method',
    ]);
  });
});

describe.runIf(available)('the routes', () => {
  const methods = Object.values(readDiscovery()?.resources ?? {}).flatMap((resource) =>
    Object.values(resource.methods),
  );

  test.each(ROUTES.map((route) => [route.operation, route] as const))(
    '%s is where Google has it, and in the same scope',
    (operation, route) => {
      const method = methods.find(({ id }) => id === `calendar.${operation}`);
      expect(method).toMatchObject({ httpMethod: route.method });
      const path = `/calendar/v3/${method?.path.replaceAll(/[{}]/g, '') ?? ''}`;
      expect(path).toMatch(route.path);
      expect(method?.scopes?.includes(CALENDAR_SCOPE)).toBe(route.inScope);
    },
  );
});

test.skipIf(available)('there is no description at hand, so nothing is held against it', () => {
  expect(openConformance().report()).toEqual({ available: false, checked: 0, violations: [] });
});
