import type { calendar_v3 } from '@googleapis/calendar';
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
let google: calendar_v3.Calendar;
let calendarId: string;

beforeEach(async () => {
  harness = await startHarness();
  ({ google, calendarId } = await connectWithCalendar(harness.fake));
});
afterEach(async () => {
  await expectConforming(harness);
  await harness.close();
});

/** A lesson at nine on that day of December. */
async function insert(day: number, more: object = {}): Promise<string> {
  const date = `2026-12-${String(day).padStart(2, '0')}`;
  const at = (time: string) => ({ dateTime: `${date}T${time}:00`, timeZone: 'Europe/London' });
  const id = `lesson${day}of12`;
  const times = { start: at('09:00'), end: at('10:00') };
  await google.events.insert({ calendarId, requestBody: { ...LESSON, id, ...times, ...more } });
  return id;
}

type Ask = calendar_v3.Params$Resource$Events$List;

async function list(ask: Ask = {}) {
  return (await google.events.list({ calendarId, ...ask })).data;
}

/** All pages, as a caller reads them. */
async function listAll(ask: Ask = {}) {
  const ids: string[] = [];
  let pages = 0;
  let page = await list(ask);
  for (;;) {
    pages += 1;
    ids.push(...idsOf(page));
    if (!page.nextPageToken) return { ids, pages, nextSyncToken: page.nextSyncToken ?? '' };
    page = await list({ ...ask, pageToken: page.nextPageToken });
  }
}

function idsOf({ items }: calendar_v3.Schema$Events): string[] {
  return (items ?? []).map(({ id }) => id ?? '');
}

describe('a full list', () => {
  test('comes in pages, and the last one brings the sync token', async () => {
    const made: string[] = [];
    for (let day = 1; day <= 7; day += 1) made.push(await insert(day));
    expect(await listAll({ maxResults: 3 })).toMatchObject({ ids: made, pages: 3 });
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

  test('has smaller pages than were asked for, if the stand-in is told so', async () => {
    const small = await startHarness({ pageLimit: 2 });
    const own = await connectWithCalendar(small.fake);
    for (const id of ['lesson1', 'lesson2', 'lesson3']) {
      const requestBody = { ...LESSON, id };
      await own.google.events.insert({ calendarId: own.calendarId, requestBody });
    }
    const { data } = await own.google.events.list({ calendarId: own.calendarId });
    expect(data.items).toHaveLength(2);
    expect(data.nextPageToken).toBeDefined();
    await small.close();
  });

  test('loses nothing that changes between its pages', async () => {
    for (let day = 1; day <= 4; day += 1) await insert(day);
    const first = await list({ maxResults: 2 });
    await google.events.patch({
      calendarId,
      eventId: 'lesson4of12',
      requestBody: { summary: 'changed meanwhile' },
    });
    await insert(5);
    const ask = { maxResults: 2, pageToken: first.nextPageToken ?? '' };
    const last = await list(ask);
    expect([...idsOf(first), ...idsOf(last)]).toHaveLength(4);
    const next = await list({ syncToken: last.nextSyncToken ?? '' });
    expect(idsOf(next)).toEqual(['lesson4of12', 'lesson5of12']);
  });

  test('is cut by time, by change, by deletion, by words and by properties', async () => {
    for (let day = 1; day <= 4; day += 1) await insert(day);
    const private_ = { private: { sessionId: 'ses_9' } };
    await insert(5, { summary: 'Chemistry', extendedProperties: private_ });
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

  test('has an order on demand', async () => {
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
  ])('that makes no sense is refused: %s', async (reason, ask) => {
    await expect(list(ask)).rejects.toMatchObject(apiError(400, reason));
  });
});

describe('an incremental list', () => {
  test('tells what changed since, and deleted events only by their ids', async () => {
    for (let day = 1; day <= 3; day += 1) await insert(day);
    const { nextSyncToken } = await listAll();
    const nothing = await list({ syncToken: nextSyncToken });
    expect(nothing.items).toEqual([]);

    await insert(4);
    await google.events.patch({
      calendarId,
      eventId: 'lesson1of12',
      requestBody: { summary: 'x' },
    });
    await google.events.delete({ calendarId, eventId: 'lesson2of12' });
    const changed = await list({ syncToken: nothing.nextSyncToken ?? '' });
    expect(idsOf(changed)).toEqual(['lesson4of12', 'lesson1of12', 'lesson2of12']);
    expect(changed.items?.[2]).toEqual({
      kind: 'calendar#event',
      etag: expect.any(String),
      id: 'lesson2of12',
      status: 'cancelled',
    });
    // A token can be used again: a caller may have died before it wrote the next one down.
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
  ])('takes no %j beside its token', async (more) => {
    const { nextSyncToken } = await listAll();
    await expect(list({ syncToken: nextSyncToken, ...more })).rejects.toMatchObject(
      apiError(400, 'badRequest'),
    );
  });

  test('ends with a token that is too old, or another calendar’s', async () => {
    const gone = apiError(410, 'fullSyncRequired');
    const { nextSyncToken } = await listAll();
    await harness.fake.control.expireSyncTokens();
    await expect(list({ syncToken: nextSyncToken })).rejects.toMatchObject(gone);
    const fresh = await listAll();
    expect((await list({ syncToken: fresh.nextSyncToken })).items).toEqual([]);
    await harness.fake.control.advanceClock(29 * 86_400_000);
    await expect(list({ syncToken: fresh.nextSyncToken })).rejects.toMatchObject(gone);

    const other = await connectWithCalendar(harness.fake, 'bo@gmail.example');
    const { data } = await other.google.events.list({ calendarId: other.calendarId });
    await expect(list({ syncToken: data.nextSyncToken ?? '' })).rejects.toMatchObject(gone);
    await expect(list({ updatedMin: '2020-01-01T00:00:00Z' })).rejects.toMatchObject(
      apiError(410, 'updatedMinTooLongAgo'),
    );
  });
});
