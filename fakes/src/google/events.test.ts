import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  apiError,
  connect,
  connectWithCalendar,
  expectConformance,
  LESSON,
  startHarness,
  type TestHarness,
} from './test-harness.ts';

let harness: TestHarness;
let tutor: Awaited<ReturnType<typeof connectWithCalendar>>;

beforeAll(async () => {
  harness = await startHarness();
  tutor = await connectWithCalendar(harness.fake);
});
afterAll(() => harness.close());

let count = 0;
async function insert(overrides: object = {}) {
  count += 1;
  const requestBody = { ...LESSON, id: `lesson${count}a`, ...overrides };
  const { google, calendarId } = tutor;
  const { data } = await google.events.insert({ calendarId, requestBody });
  return { calendarId, eventId: requestBody.id, data };
}

function ifMatch(etag: string | null | undefined) {
  return { headers: { 'If-Match': etag ?? '' } };
}

describe('calendars', () => {
  test('are created, read, renamed and deleted', async () => {
    const { google } = tutor;
    const created = await google.calendars.insert({
      requestBody: { summary: 'Music', timeZone: 'Europe/Paris', description: 'Piano' },
    });
    expect(created.data).toMatchObject({
      kind: 'calendar#calendar',
      id: expect.stringMatching(/^c_[0-9a-f]{64}@group\.calendar\.google\.com$/),
      summary: 'Music',
      timeZone: 'Europe/Paris',
      dataOwner: tutor.user,
    });
    const calendarId = created.data.id ?? '';
    expect((await google.calendars.get({ calendarId })).data).toEqual(created.data);
    const renamed = await google.calendars.patch(
      { calendarId, requestBody: { summary: 'Piano' } },
      ifMatch(created.data.etag),
    );
    expect(renamed.data).toMatchObject({ summary: 'Piano', timeZone: 'Europe/Paris' });
    expect(renamed.data.etag).not.toBe(created.data.etag);
    await expect(
      google.calendars.patch(
        { calendarId, requestBody: { summary: 'x' } },
        ifMatch(created.data.etag),
      ),
    ).rejects.toMatchObject(apiError(412, 'conditionNotMet'));
    const replaced = await google.calendars.update({ calendarId, requestBody: { summary: 'P' } });
    expect(replaced.data.description).toBeUndefined();

    expect((await google.calendars.delete({ calendarId })).status).toBe(204);
    for (const call of [
      google.calendars.get({ calendarId }),
      google.calendars.delete({ calendarId }),
      google.events.list({ calendarId }),
      google.events.insert({ calendarId, requestBody: LESSON }),
    ]) {
      await expect(call).rejects.toMatchObject(apiError(404, 'notFound'));
    }
  });

  test('need a title and a valid time zone', async () => {
    const { google } = tutor;
    await expect(google.calendars.insert({ requestBody: { summary: '' } })).rejects.toMatchObject(
      apiError(400, 'required'),
    );
    await expect(
      google.calendars.insert({ requestBody: { summary: 'x', timeZone: 'Europe/Nowhere' } }),
    ).rejects.toMatchObject(apiError(400, 'invalid'));
  });

  test('are visible only to their owner, and the calendar list is out of scope', async () => {
    const other = await connect(harness.fake, 'bo@gmail.example');
    const { calendarId } = tutor;
    await expect(other.google.calendars.get({ calendarId })).rejects.toMatchObject(
      apiError(404, 'notFound'),
    );
    await expect(other.google.events.list({ calendarId })).rejects.toMatchObject(
      apiError(404, 'notFound'),
    );
    for (const call of [
      tutor.google.calendarList.list(),
      tutor.google.events.move({ calendarId, eventId: 'lesson', destination: 'x' }),
      tutor.google.freebusy.query({ requestBody: {} }),
    ]) {
      await expect(call).rejects.toMatchObject(apiError(403, 'insufficientPermissions'));
    }
    await expect(tutor.google.events.list({ calendarId: 'primary' })).rejects.toMatchObject(
      apiError(404, 'notFound'),
    );
  });
});

describe('an event', () => {
  test('stores the fields and returns times in the calendar’s zone', async () => {
    const { data } = await insert();
    expect(data).toMatchObject({
      kind: 'calendar#event',
      status: 'confirmed',
      summary: 'Maths with Sam',
      start: { dateTime: '2026-11-20T09:00:00Z', timeZone: 'Europe/London' },
      end: { dateTime: '2026-11-20T10:00:00Z', timeZone: 'Europe/London' },
      extendedProperties: { private: { sessionId: 'ses_1' } },
      sequence: 0,
      etag: expect.stringMatching(/^"\d{16}"$/),
      organizer: { email: tutor.calendarId, self: true },
    });
    const { google, calendarId } = tutor;
    const read = await google.events.get({ calendarId, eventId: data.id ?? '' });
    expect(read.data).toEqual(data);
    expect((read.headers as unknown as Headers).get('etag')).toBe(data.etag);
    const abroad = await google.events.get({
      calendarId,
      eventId: data.id ?? '',
      timeZone: 'America/New_York',
    });
    expect(abroad.data.start?.dateTime).toBe('2026-11-20T04:00:00-05:00');
  });

  test('handles clock changes', async () => {
    const zone = 'America/New_York';
    const at = (dateTime: string) => ({ dateTime, timeZone: zone });
    const summer = await insert({
      start: at('2026-07-01T09:00:00'),
      end: at('2026-07-01T10:00:00'),
    });
    expect(summer.data.start).toEqual({ dateTime: '2026-07-01T14:00:00+01:00', timeZone: zone });
    // 1:30 occurs twice on 1 November; 2:30 does not exist on 8 March.
    const ambiguous = await insert({
      start: at('2026-11-01T01:30:00'),
      end: at('2026-11-01T03:00:00'),
    });
    expect(ambiguous.data.start?.dateTime).toBe('2026-11-01T05:30:00Z');
    const nonexistent = await insert({
      start: at('2026-03-08T02:30:00'),
      end: at('2026-03-08T04:00:00'),
    });
    expect(nonexistent.data.start?.dateTime).toBe('2026-03-08T07:30:00Z');
    const allDay = await insert({ start: { date: '2026-12-24' }, end: { date: '2026-12-26' } });
    expect(allDay.data.start).toEqual({ date: '2026-12-24' });
  });

  test('returns 409 for an existing id, even after deletion', async () => {
    const { google } = tutor;
    const { calendarId, eventId } = await insert();
    const duplicate = { calendarId, requestBody: { ...LESSON, id: eventId } };
    await expect(google.events.insert(duplicate)).rejects.toMatchObject(apiError(409, 'duplicate'));
    expect((await google.events.delete({ calendarId, eventId })).status).toBe(204);
    await expect(google.events.insert(duplicate)).rejects.toMatchObject(apiError(409, 'duplicate'));
    await expect(google.events.delete({ calendarId, eventId })).rejects.toMatchObject(
      apiError(410, 'deleted'),
    );
    expect((await google.events.get({ calendarId, eventId })).data.status).toBe('cancelled');
    const restored = await google.events.patch({
      calendarId,
      eventId,
      requestBody: { status: 'confirmed' },
    });
    expect(restored.data).toMatchObject({ status: 'confirmed', summary: 'Maths with Sam' });
    const other = { calendarId, eventId: 'nonesuch' };
    await expect(google.events.delete(other)).rejects.toMatchObject(apiError(404, 'notFound'));
    await expect(google.events.get(other)).rejects.toMatchObject(apiError(404, 'notFound'));
  });

  test('patch merges fields and changes the etag', async () => {
    const { google } = tutor;
    const { calendarId, eventId, data } = await insert({ location: 'Room 1' });
    const patch = async (requestBody: object, etag?: string | null) => {
      const options = etag === undefined ? {} : ifMatch(etag);
      return (await google.events.patch({ calendarId, eventId, requestBody }, options)).data;
    };
    const moved = await patch(
      {
        start: { dateTime: '2026-11-20T11:00:00' },
        end: { dateTime: '2026-11-20T12:00:00' },
        extendedProperties: { private: { revision: '2' } },
      },
      data.etag,
    );
    expect(moved).toMatchObject({
      start: { dateTime: '2026-11-20T11:00:00Z', timeZone: 'Europe/London' },
      extendedProperties: { private: { sessionId: 'ses_1', revision: '2' } },
      sequence: 1,
    });
    await expect(patch({ summary: 'late' }, data.etag)).rejects.toMatchObject(
      apiError(412, 'conditionNotMet'),
    );
    await expect(
      google.events.delete({ calendarId, eventId }, ifMatch(data.etag)),
    ).rejects.toMatchObject(apiError(412, 'conditionNotMet'));
    const renamed = await patch({ summary: 'Physics', location: null }, moved.etag);
    expect(renamed.location).toBeUndefined();
    expect(renamed).toMatchObject({ summary: 'Physics', sequence: 1 });
    expect(new Set([data.etag, moved.etag, renamed.etag]).size).toBe(3);
    const cancelled = await patch({ status: 'cancelled' });
    expect(cancelled).toMatchObject({ status: 'cancelled', sequence: 2 });
  });

  test('update replaces all fields', async () => {
    const { google } = tutor;
    const { calendarId, eventId, data } = await insert({ location: 'Room 1' });
    const { start, end } = LESSON;
    const replaced = await google.events.update(
      { calendarId, eventId, requestBody: { start: start ?? {}, end: end ?? {}, summary: 'New' } },
      ifMatch(data.etag),
    );
    expect(replaced.data).toMatchObject({ summary: 'New', created: data.created, id: eventId });
    expect(replaced.data.location).toBeUndefined();
    expect(replaced.data.extendedProperties).toBeUndefined();
    const moved = await google.events.patch({
      calendarId,
      eventId,
      requestBody: { end: { dateTime: '2026-11-20T10:30:00' } },
    });
    await expect(
      google.events.update({
        calendarId,
        eventId,
        requestBody: { ...LESSON, sequence: (moved.data.sequence ?? 0) - 1 },
      }),
    ).rejects.toMatchObject(apiError(400, 'invalid'));
  });

  test('returns 304 when If-None-Match matches', async () => {
    const { google } = tutor;
    const { calendarId, eventId, data } = await insert();
    const options = { headers: { 'If-None-Match': data.etag ?? '' } };
    const { status, data: body } = await google.events.get({ calendarId, eventId }, options);
    expect([status, body]).toEqual([304, '']);
  });

  test('drops properties with long names and truncates long values', async () => {
    const { data } = await insert({
      extendedProperties: { private: { ['n'.repeat(45)]: 'x', kept: 'v'.repeat(2_000) } },
    });
    expect(data.extendedProperties?.private).toEqual({ kept: 'v'.repeat(1_024) });
  });

  const zone = 'Europe/London';
  test.each([
    ['invalid', { id: 'Lesson_1' }],
    ['invalid', { id: 'abcd' }],
    ['invalid', { id: 'lessonwxyz' }],
    ['required', { start: { dateTime: '2026-11-20T09:00:00' } }],
    ['required', { start: { timeZone: zone } }],
    ['invalid', { start: { dateTime: '2026-11-20T09:00:00', timeZone: 'Mars/Base' } }],
    ['invalid', { start: { date: '2026-11-20' } }],
    ['timeRangeEmpty', { end: { dateTime: '2026-11-20T08:00:00', timeZone: zone } }],
    ['invalid', { status: 'perhaps' }],
  ])('is rejected when invalid: %s %j', async (reason, wrong) => {
    await expect(insert(wrong)).rejects.toMatchObject(apiError(400, reason));
  });
});

test('unsupported features return 501', async () => {
  const { google, calendarId } = tutor;
  const requestBody = { ...LESSON, id: 'recurs', recurrence: ['RRULE:FREQ=WEEKLY'] };
  await expect(google.events.insert({ calendarId, requestBody })).rejects.toMatchObject(
    apiError(501, 'notImplemented'),
  );
  await expect(google.events.list({ calendarId, fields: 'items(id)' })).rejects.toMatchObject(
    apiError(501, 'notImplemented'),
  );
  await expect(google.colors.get()).rejects.toMatchObject(apiError(501, 'notImplemented'));
});

test('all requests and responses conform to the discovery document', () =>
  expectConformance(harness));
