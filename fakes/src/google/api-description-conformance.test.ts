import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConformance, readDiscovery } from './api-description-conformance.ts';
import { CALENDAR_SCOPE } from './grants.ts';
import { ROUTES } from './routes.ts';
import { connectWithCalendar, LESSON, startHarness, type TestHarness } from './test-harness.ts';

const { available } = createConformance().report();

/** Checks that the conformance checks detect deviations. */
describe.runIf(available)('detects', () => {
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

  async function newViolations() {
    return (await harness.fake.control.conformance()).violations.slice(before);
  }

  async function descriptions(): Promise<string[]> {
    return (await newViolations()).map(({ side, what }) => `${side}: ${what}`);
  }

  function insert(overrides: object) {
    const { google, calendarId } = tutor;
    return google.events.insert({ calendarId, requestBody: { ...LESSON, ...overrides } });
  }

  test('no violations before the first deviation', async () => {
    const report = await harness.fake.control.conformance();
    expect(report).toEqual({ available: true, checked: 2, violations: [] });
  });

  test('a field of the wrong type in a response', async () => {
    const { google, calendarId } = tutor;
    await harness.fake.control.addFault({
      kind: 'unexpected-fields',
      times: 1,
      merge: { sequence: 'twelve' },
    });
    await google.events.get({ calendarId, eventId: 'lesson0001' });
    expect(await newViolations()).toEqual([
      {
        method: 'GET',
        path: `/calendar/v3/calendars/${encodeURIComponent(calendarId)}/events/lesson0001`,
        side: 'response',
        what: '/sequence must be integer',
      },
    ]);
  });

  test('an unknown field and a time without offset in a response', async () => {
    const { google, calendarId } = tutor;
    const merge = { colour: 'red' };
    await harness.fake.control.addFault({ kind: 'unexpected-fields', times: 1, merge });
    await google.events.list({ calendarId });
    const start = { dateTime: '2026-11-20T09:00:00' };
    await harness.fake.control.addFault({ kind: 'unexpected-fields', times: 1, merge: { start } });
    await google.events.get({ calendarId, eventId: 'lesson0001' });
    expect(await descriptions()).toEqual([
      'response: / must NOT have additional properties: colour',
      'response: /start/dateTime must match format "rfc3339"',
    ]);
  });

  test('unknown fields in a request, including nested ones', async () => {
    const start = { ...LESSON.start, zone: 'Europe/London' };
    await insert({ id: 'planted1', sumary: 'x' });
    await insert({ id: 'planted2', start });
    expect(await descriptions()).toEqual([
      'request: / must NOT have additional properties: sumary',
      'request: /start must NOT have additional properties: zone',
    ]);
  });

  test('a missing required field, and null outside a patch', async () => {
    const { google, calendarId } = tutor;
    await expect(insert({ id: 'planted3', end: undefined })).rejects.toThrow();
    await insert({ id: 'planted4', location: null });
    await google.events.patch({
      calendarId,
      eventId: 'lesson0001',
      requestBody: { location: null },
    });
    expect(await descriptions()).toEqual([
      "request: / must have required property 'end'",
      'request: /location must be string',
    ]);
  });

  test('parameters that are unknown, of the wrong type, or not among the allowed values', async () => {
    const { google, calendarId } = tutor;
    await google.events.list({ calendarId, colour: 'red' } as never);
    await expect(google.events.list({ calendarId, maxResults: 'many' as never })).rejects.toThrow();
    await expect(google.events.list({ calendarId, timeMin: '2026-11-20' })).rejects.toThrow();
    await insert({ id: 'planted5' });
    await google.events.delete({ calendarId, eventId: 'planted5', sendUpdates: 'some' });
    expect(await descriptions()).toEqual([
      'request: unknown parameter colour',
      'request: parameter maxResults: / must be integer',
      'request: parameter timeMin: / must match format "rfc3339"',
      'request: parameter sendUpdates: / must be equal to one of the allowed values',
    ]);
  });

  test('an error in the wrong format, and an unknown method', async () => {
    const { google, calendarId } = tutor;
    const merge = { error: 'not found' };
    await harness.fake.control.addFault({ kind: 'unexpected-fields', times: 1, merge });
    await expect(google.events.get({ calendarId, eventId: 'missing' })).rejects.toThrow();
    const authorization = `Bearer ${tutor.oauth.credentials.access_token}`;
    const response = await fetch(`${harness.fake.url}/calendar/v3/unicorns`, {
      headers: { authorization },
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 404 } });
    expect(await descriptions()).toEqual([
      'response: /error must be object',
      'request: no such method in the discovery document',
    ]);
  });
});

describe.runIf(available)('routes', () => {
  const methods = Object.values(readDiscovery()?.resources ?? {}).flatMap((resource) =>
    Object.values(resource.methods),
  );

  test.each(ROUTES.map((route) => [route.operation, route] as const))(
    '%s has the same path, method and scope as in the Google API',
    (operation, route) => {
      const method = methods.find(({ id }) => id === `calendar.${operation}`);
      expect(method).toMatchObject({ httpMethod: route.method });
      const path = `/calendar/v3/${method?.path.replaceAll(/[{}]/g, '') ?? ''}`;
      expect(path).toMatch(route.path);
      expect(method?.scopes?.includes(CALENDAR_SCOPE)).toBe(route.inScope);
    },
  );
});

test.skipIf(available)('checks nothing without the discovery document', () => {
  expect(createConformance().report()).toEqual({ available: false, checked: 0, violations: [] });
});
