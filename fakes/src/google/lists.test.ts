import type { calendar_v3 } from '@googleapis/calendar';
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
let google: calendar_v3.Calendar;
let calendarId: string;

beforeEach(async () => {
  harness = await startHarness();
  ({ google, calendarId } = await connectWithCalendar(harness.fake));
});
afterEach(async () => {
  await expectConformance(harness);
  await harness.close();
});

/** Inserts a lesson at 09:00 on the given day in December. */
async function insert(day: number, overrides: object = {}): Promise<string> {
  const date = `2026-12-${String(day).padStart(2, '0')}`;
  const at = (time: string) => ({ dateTime: `${date}T${time}:00`, timeZone: 'Europe/London' });
  const id = `lesson${day}of12`;
  const times = { start: at('09:00'), end: at('10:00') };
  await google.events.insert({
    calendarId,
    requestBody: { ...LESSON, id, ...times, ...overrides },
  });
  return id;
}

type ListQuery = calendar_v3.Params$Resource$Events$List;

async function list(query: ListQuery = {}) {
  return (await google.events.list({ calendarId, ...query })).data;
}

/** Reads all pages. */
async function listAll(query: ListQuery = {}) {
  const ids: string[] = [];
  let pages = 0;
  let page = await list(query);
  for (;;) {
    pages += 1;
    ids.push(...idsOf(page));
    if (!page.nextPageToken) return { ids, pages, nextSyncToken: page.nextSyncToken ?? '' };
    page = await list({ ...query, pageToken: page.nextPageToken });
  }
}

function idsOf({ items }: calendar_v3.Schema$Events): string[] {
  return (items ?? []).map(({ id }) => id ?? '');
}

describe('a full list', () => {
  test('is paged, with a sync token on the last page', async () => {
    const ids: string[] = [];
    for (let day = 1; day <= 7; day += 1) ids.push(await insert(day));
    expect(await listAll({ maxResults: 3 })).toMatchObject({ ids, pages: 3 });
    const first = await list({ maxResults: 3 });
    expect(first).toMatchObject({
      kind: 'calendar#events',
      summary: 'Lessons',
      timeZone: 'Europe/London',
      accessRole: 'owner',
      nextPageToken: expect.any(String),
    });
    expect(first.nextSyncToken).toBeUndefined();
    await expect(list({ pageToken: 'made up' })).rejects.toMatchObject(apiError(400, 'invalid'));
  });

  test('has smaller pages than requested when pageLimit is set', async () => {
    const small = await startHarness({ pageLimit: 2 });
    const tutor = await connectWithCalendar(small.fake);
    for (const id of ['lesson1', 'lesson2', 'lesson3']) {
      const requestBody = { ...LESSON, id };
      await tutor.google.events.insert({ calendarId: tutor.calendarId, requestBody });
    }
    const { data } = await tutor.google.events.list({ calendarId: tutor.calendarId });
    expect(data.items).toHaveLength(2);
    expect(data.nextPageToken).toBeDefined();
    await small.close();
  });

  test('does not miss changes made between pages', async () => {
    for (let day = 1; day <= 4; day += 1) await insert(day);
    const first = await list({ maxResults: 2 });
    await google.events.patch({
      calendarId,
      eventId: 'lesson4of12',
      requestBody: { summary: 'changed meanwhile' },
    });
    await insert(5);
    const query = { maxResults: 2, pageToken: first.nextPageToken ?? '' };
    const last = await list(query);
    expect([...idsOf(first), ...idsOf(last)]).toHaveLength(4);
    const next = await list({ syncToken: last.nextSyncToken ?? '' });
    expect(idsOf(next)).toEqual(['lesson4of12', 'lesson5of12']);
  });

  test('filters by time, last change, deletion, text and properties', async () => {
    for (let day = 1; day <= 4; day += 1) await insert(day);
    const extendedProperties = { private: { sessionId: 'ses_9' } };
    await insert(5, { summary: 'Chemistry', extendedProperties });
    await google.events.delete({ calendarId, eventId: 'lesson2of12' });

    expect(idsOf(await list())).not.toContain('lesson2of12');
    const deleted = await list({ showDeleted: true });
    expect(deleted.items?.find(({ status }) => status === 'cancelled')).toMatchObject({
      id: 'lesson2of12',
      summary: 'Maths with Sam',
    });
    const between = { timeMin: '2026-12-01T10:00:00Z', timeMax: '2026-12-04T09:00:00Z' };
    expect(idsOf(await list({ ...between, singleEvents: true }))).toEqual(['lesson3of12']);
    expect(idsOf(await list({ q: 'chem' }))).toEqual(['lesson5of12']);
    expect(idsOf(await list({ privateExtendedProperty: ['sessionId=ses_9'] }))).toEqual([
      'lesson5of12',
    ]);
    expect(idsOf(await list({ iCalUID: 'lesson3of12@google.com' }))).toEqual(['lesson3of12']);

    await harness.fake.control.advanceClock(60_000);
    const since = new Date(await harness.fake.control.now()).toISOString();
    await google.events.delete({ calendarId, eventId: 'lesson3of12' });
    const changed = await list({ updatedMin: since });
    expect(changed.items).toEqual([
      { kind: 'calendar#event', etag: expect.any(String), id: 'lesson3of12', status: 'cancelled' },
    ]);
    expect(changed.nextSyncToken).toBeUndefined();
  });

  test('is sorted by orderBy', async () => {
    await insert(3);
    await insert(1);
    await insert(2);
    const byStart = await list({ orderBy: 'startTime', singleEvents: true });
    expect(idsOf(byStart)).toEqual(['lesson1of12', 'lesson2of12', 'lesson3of12']);
    expect(byStart.nextSyncToken).toBeUndefined();
    await google.events.patch({
      calendarId,
      eventId: 'lesson3of12',
      requestBody: { summary: 'x' },
    });
    expect(idsOf(await list({ orderBy: 'updated' })).at(-1)).toBe('lesson3of12');
  });

  test.each([
    ['badRequest', { orderBy: 'startTime' }],
    ['timeRangeEmpty', { timeMin: '2026-12-02T00:00:00Z', timeMax: '2026-12-01T00:00:00Z' }],
    ['invalid', { timeZone: 'Mars/Base' }],
  ])('is rejected when invalid: %s', async (reason, query) => {
    await expect(list(query)).rejects.toMatchObject(apiError(400, reason));
  });
});

describe('an incremental list', () => {
  test('returns the changes, with only ids for deleted events', async () => {
    for (let day = 1; day <= 3; day += 1) await insert(day);
    const { nextSyncToken } = await listAll();
    const unchanged = await list({ syncToken: nextSyncToken });
    expect(unchanged.items).toEqual([]);

    await insert(4);
    await google.events.patch({
      calendarId,
      eventId: 'lesson1of12',
      requestBody: { summary: 'x' },
    });
    await google.events.delete({ calendarId, eventId: 'lesson2of12' });
    const changed = await list({ syncToken: unchanged.nextSyncToken ?? '' });
    expect(idsOf(changed)).toEqual(['lesson4of12', 'lesson1of12', 'lesson2of12']);
    expect(changed.items?.[2]).toEqual({
      kind: 'calendar#event',
      etag: expect.any(String),
      id: 'lesson2of12',
      status: 'cancelled',
    });
    // A token can be reused: a client may crash before it stores the next one.
    expect(idsOf(await list({ syncToken: nextSyncToken }))).toHaveLength(3);
    expect((await listAll({ syncToken: nextSyncToken, maxResults: 1 })).pages).toBe(3);
    const detailed = await list({ syncToken: nextSyncToken, showDeleted: true });
    expect(detailed.items?.[2]?.summary).toBe('Maths with Sam');
  });

  test.each([
    { timeMin: '2026-12-01T00:00:00Z' },
    { timeMax: '2026-12-01T00:00:00Z' },
    { updatedMin: '2026-12-01T00:00:00Z' },
    { orderBy: 'updated' },
    { q: 'maths' },
    { iCalUID: 'x@google.com' },
    { privateExtendedProperty: ['a=b'] },
    { showDeleted: false },
  ])('rejects %j together with a sync token', async (overrides) => {
    const { nextSyncToken } = await listAll();
    await expect(list({ syncToken: nextSyncToken, ...overrides })).rejects.toMatchObject(
      apiError(400, 'badRequest'),
    );
  });

  test('returns 410 for a token that is too old or belongs to another calendar', async () => {
    const fullSyncRequired = apiError(410, 'fullSyncRequired');
    const { nextSyncToken } = await listAll();
    await harness.fake.control.expireSyncTokens();
    await expect(list({ syncToken: nextSyncToken })).rejects.toMatchObject(fullSyncRequired);
    const renewed = await listAll();
    expect((await list({ syncToken: renewed.nextSyncToken })).items).toEqual([]);
    await harness.fake.control.advanceClock(29 * 86_400_000);
    await expect(list({ syncToken: renewed.nextSyncToken })).rejects.toMatchObject(
      fullSyncRequired,
    );

    const other = await connectWithCalendar(harness.fake, 'bo@gmail.example');
    const { data } = await other.google.events.list({ calendarId: other.calendarId });
    await expect(list({ syncToken: data.nextSyncToken ?? '' })).rejects.toMatchObject(
      fullSyncRequired,
    );
    await expect(list({ updatedMin: '2020-01-01T00:00:00Z' })).rejects.toMatchObject(
      apiError(410, 'updatedMinTooLongAgo'),
    );
  });
});
