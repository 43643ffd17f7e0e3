import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { connectGoogle, type FakeGoogle } from '../google.ts';
import { submitForm } from '../shared/submit-form.ts';
import {
  connect,
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
  const { google, calendarId } = tutor;
  await google.events.insert({ calendarId, requestBody: LESSON });
});
afterEach(async () => {
  await expectConformance(harness);
  await harness.close();
});

async function listChanges(syncToken: string) {
  const { google, calendarId } = tutor;
  const { data } = await google.events.list({ calendarId, syncToken });
  return data.items ?? [];
}

async function getSyncToken(): Promise<string> {
  const { google, calendarId } = tutor;
  return (await google.events.list({ calendarId })).data.nextSyncToken ?? '';
}

test('the report shows what Google has stored', async () => {
  const [report, ...others] = await harness.fake.control.report();
  expect(others).toEqual([]);
  expect(report).toEqual({
    user: tutor.user,
    connected: true,
    scopes: [harness.fake.scope],
    calendars: [
      {
        id: tutor.calendarId,
        summary: 'Lessons',
        timeZone: 'Europe/London',
        deleted: false,
        events: [
          {
            id: 'lesson0001',
            summary: 'Maths with Sam',
            status: 'confirmed',
            start: '2026-11-20T09:00:00',
            end: '2026-11-20T10:00:00',
            timeZone: 'Europe/London',
            privateProperties: { sessionId: 'ses_1' },
            etag: expect.any(String),
            updated: expect.any(String),
            sequence: 0,
            conferences: 0,
            resource: expect.objectContaining({ id: 'lesson0001', kind: 'calendar#event' }),
          },
        ],
      },
    ],
  });
  await harness.fake.control.revoke(tutor.user);
  expect(await harness.fake.control.report(tutor.user)).toMatchObject([
    { connected: false, scopes: [], calendars: [{ id: tutor.calendarId }] },
  ]);
  expect(await harness.fake.control.report('unknown@gmail.example')).toEqual([]);
});

test('changes made by the user appear in the next incremental list', async () => {
  const { control } = harness.fake;
  const ref = { eventId: 'lesson0001' };
  const before = await getSyncToken();
  await control.moveEvent(ref, { start: '2026-11-21T14:30' });
  expect(await listChanges(before)).toMatchObject([
    {
      start: { dateTime: '2026-11-21T14:30:00Z', timeZone: 'Europe/London' },
      end: { dateTime: '2026-11-21T15:30:00Z' },
      sequence: 1,
      extendedProperties: { private: { sessionId: 'ses_1' } },
    },
  ]);
  const abroad = { start: '2026-11-21T10:00', end: '2026-11-21T10:45', timeZone: 'Europe/Paris' };
  await control.moveEvent({ ...ref, calendarId: tutor.calendarId }, abroad);
  await control.renameEvent(ref, 'Sam');
  expect(await listChanges(before)).toMatchObject([
    { summary: 'Sam', end: { dateTime: '2026-11-21T09:45:00Z', timeZone: 'Europe/Paris' } },
  ]);
  await control.deleteEvent(ref);
  expect(await listChanges(before)).toMatchObject([{ status: 'cancelled' }]);
  await expect(control.deleteEvent(ref)).rejects.toThrow('already deleted');
  await control.restoreEvent(ref);
  expect(await listChanges(before)).toMatchObject([{ status: 'confirmed', summary: 'Sam' }]);
  const dentist = { summary: 'Dentist', start: '2026-11-22T09:00', end: '2026-11-22T09:30' };
  const id = await control.addEvent(tutor.calendarId, dentist);
  expect((await listChanges(before)).at(-1)).toMatchObject({ id, summary: 'Dentist' });
  await expect(control.moveEvent({ eventId: 'none' }, abroad)).rejects.toThrow('no event none');
  await control.deleteCalendar(tutor.calendarId);
  await expect(listChanges(before)).rejects.toMatchObject({ status: 404 });
});

test('the calendar still exists after reconnecting', async () => {
  await harness.fake.control.revoke(tutor.user);
  const reconnected = await connect(harness.fake, tutor.user);
  const { data } = await reconnected.google.events.list({ calendarId: tutor.calendarId });
  expect(data.items).toHaveLength(1);
});

test('the calendar page lists events and can move, rename and delete them and revoke access', async () => {
  const url = `${harness.fake.url}/calendar/${encodeURIComponent(tutor.user)}`;
  const page = async () => (await fetch(url)).text();
  const first = await page();
  expect(first).toContain('2026-11-20 09:00');
  expect(first).toContain('aria-label="Maths with Sam"');
  const before = await getSyncToken();
  const moved = await submitForm(url, first, 'Move', { start: '2026-11-20T16:00' });
  expect(moved.status).toBe(303);
  expect(await page()).toContain('2026-11-20 16:00');
  expect(await listChanges(before)).toMatchObject([{ end: { dateTime: '2026-11-20T17:00:00Z' } }]);
  await submitForm(url, first, 'Rename', { summary: 'Sam <b>' });
  expect(await page()).toContain('Sam &lt;b&gt;');
  const invalidMove = await submitForm(url, first, 'Move', { start: 'whenever' });
  expect(invalidMove.status).toBe(400);
  await submitForm(url, first, 'Delete', {});
  expect(await page()).toContain('No events.');
  const otherUserUrl = `${harness.fake.url}/calendar/bo%40gmail.example`;
  const form = new URLSearchParams({ action: 'delete-calendar', calendarId: tutor.calendarId });
  expect((await fetch(otherUserUrl, { method: 'POST', body: form })).status).toBe(400);
  await submitForm(url, first, 'Remove access');
  expect(await page()).toContain('No app has access.');
  expect(await harness.fake.control.report()).toMatchObject([{ connected: false }]);
});

test('the same seed produces the same ids', async () => {
  const calendarIds: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    const seeded = await startHarness({ seed: 5 });
    calendarIds.push((await connectWithCalendar(seeded.fake)).calendarId);
    await seeded.close();
  }
  expect(calendarIds[0]).toBe(calendarIds[1]);
});

test('controls a fake in another process over HTTP', async () => {
  const cli = fileURLToPath(new URL('../run-fake-google.ts', import.meta.url));
  const child = spawn(process.execPath, [cli, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, GOOGLE_CLIENT_ID: 'remote', GOOGLE_CLIENT_SECRET: 'secret' },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  while (!output.includes('listening at')) await once(child.stdout, 'data');
  const url = /listening at (\S+)/.exec(output)?.[1] ?? '';
  const remote: FakeGoogle = {
    ...harness.fake,
    url,
    client: { id: 'remote', secret: 'secret' },
    endpoints: {
      oauth2AuthBaseUrl: `${url}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${url}/token`,
      oauth2RevokeUrl: `${url}/revoke`,
    },
    control: connectGoogle(url),
  };
  const { google, calendarId, user } = await connectWithCalendar(remote);
  await google.events.insert({ calendarId, requestBody: LESSON });
  await remote.control.moveEvent({ eventId: 'lesson0001' }, { start: '2026-11-20T12:00' });
  expect(await remote.control.report(undefined)).toHaveLength(1);
  const [report] = await remote.control.report(user);
  expect(report?.calendars[0]?.events[0]).toMatchObject({ start: '2026-11-20T12:00:00' });
  await expect(remote.control.deleteEvent({ eventId: 'none' })).rejects.toThrow('no event none');

  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
});
