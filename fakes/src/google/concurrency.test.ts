import type { calendar_v3 } from '@googleapis/calendar';
import { expect, test } from 'vitest';
import {
  connectWithCalendar,
  expectConformance,
  LESSON,
  startHarness,
  type TestHarness,
} from './test-harness.ts';

const LESSONS = 60;

/** Inserts with retries and patches the event if it already exists, as a robust client does. */
async function push(google: calendar_v3.Calendar, calendarId: string, id: string): Promise<void> {
  const requestBody = { ...LESSON, id };
  for (let attempt = 0; attempt < 40; attempt += 1) {
    try {
      await google.events.insert({ calendarId, requestBody });
      return;
    } catch (error) {
      if ((error as { status?: number }).status === 409) break;
    }
  }
  await google.events.patch({ calendarId, eventId: id, requestBody: { status: 'confirmed' } });
}

async function syncAll(google: calendar_v3.Calendar, calendarId: string, syncToken: string) {
  const seen = new Set<string>();
  let pageToken: string | null | undefined;
  do {
    const page = pageToken ? { pageToken } : {};
    const { data } = await google.events.list({ calendarId, syncToken, maxResults: 7, ...page });
    for (const { id } of data.items ?? []) seen.add(id ?? '');
    pageToken = data.nextPageToken;
  } while (pageToken);
  return seen;
}

test('concurrent inserts create each event exactly once despite faults and duplicates', async () => {
  const harness: TestHarness = await startHarness({
    delivery: { copies: 2, shuffle: true, delay: [0, 20], backoff: [5, 5, 5, 5] },
  });
  const { control } = harness.fake;
  const tutors = [
    await connectWithCalendar(harness.fake, 'ada@gmail.example'),
    await connectWithCalendar(harness.fake, 'bo@gmail.example'),
  ];
  const tokens = new Map<string, string>();
  for (const { google, calendarId } of tutors) {
    const address = harness.receiver.url;
    await google.events.watch({
      calendarId,
      requestBody: { id: `watch-${tokens.size}`, type: 'web_hook', address },
    });
    const { data } = await google.events.list({ calendarId });
    tokens.set(calendarId, data.nextSyncToken ?? '');
  }
  const eventInserts = { method: 'POST', path: '/events$' };
  await control.addFault({ kind: 'done-then-reset', times: 10, ...eventInserts });
  await control.addFault({ kind: 'status', status: 503, times: 10, ...eventInserts });
  await control.addFault({ kind: 'reset', times: 5, ...eventInserts });

  let next = 0;
  const worker = async () => {
    for (let index = next++; index < LESSONS; index = next++) {
      const tutor = tutors[index % 2];
      if (tutor) await push(tutor.google, tutor.calendarId, `lesson${index}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  await control.whenIdle();

  for (const { user, google, calendarId } of tutors) {
    const [report] = await control.report(user);
    const events = report?.calendars[0]?.events ?? [];
    expect(events).toHaveLength(LESSONS / 2);
    const seen = await syncAll(google, calendarId, tokens.get(calendarId) ?? '');
    expect([...seen].toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  }
  expect(await control.faults()).toEqual([]);
  const messages = new Set(
    harness.receiver.received.map(({ headers }) =>
      [headers['x-goog-channel-id'], headers['x-goog-message-number']].join(' '),
    ),
  );
  expect(messages.size).toBeGreaterThanOrEqual(LESSONS + 2);
  expect(harness.receiver.received).toHaveLength(messages.size * 2);
  await expectConformance(harness);
  await harness.close();
});
