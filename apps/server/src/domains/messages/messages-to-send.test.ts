import { dashboard } from '@lessonbook/contract/dashboard';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { countBuffers } from '../../test/explain-buffers.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutorWithFamilies, OLDER_ACCOUNT } from '../../test/tutor-with-families.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { navigationCounts } from '../reports/queries/navigation-counts.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

async function createFamily() {
  const address = `to-send-${crypto.randomUUID()}@families.example`;
  const setup = await createTutorWithFamilies(app, OLDER_ACCOUNT, address);
  const family = setup.families[0] as (typeof setup.families)[number];
  return { ...setup, family, address };
}

const setContact = (
  browser: Browser,
  { studentId, carerId }: { studentId: number; carerId: number },
  contact: { carerEmail: string; carerPhone?: string },
) =>
  browser.call(students.updateStudent, {
    params: { id: studentId },
    body: { name: 'Maya Hale', carerId, carerName: 'Ruth Hale', ...contact },
  });

const countToSend = async (tutorId: string) => {
  const [[row]] = await app.context.db.tutorRead(tutorId, (tx) => [
    navigationCounts(tx, tutorId, app.context.clock.now()),
  ]);
  return row?.messagesToSend;
};

const listMessagesToSend = async (browser: Browser) => (await browser.call(messages.outbox)).body;

test('F111 a WhatsApp draft and a failed email are listed and counted until the tutor resolves them', async () => {
  const { browser, tutorId, family, address } = await createFamily();
  await setContact(browser, family, { carerEmail: address, carerPhone: '+447700900123' });
  expect(await countToSend(tutorId)).toBe(0);
  const remind = async (channel: 'email' | 'whatsapp') =>
    (await browser.call(messages.sendReminder, { body: { familyId: family.familyId, channel } }))
      .body.messages[0]?.id ?? 0;
  const draftId = await remind('whatsapp');
  app.mailbox.rejectNext(550);
  const failedId = await remind('email');
  await waitUntilMessagesProcessed(browser);
  expect((await listMessagesToSend(browser)).map(({ id }) => id)).toEqual([draftId, failedId]);
  expect(await countToSend(tutorId)).toBe(2);
  expect((await browser.call(dashboard.navigationCounts)).body.messagesToSend).toBe(2);

  // The draft stays listed after it is opened in WhatsApp, and if the tutor then chooses 'Later'.
  await browser.call(messages.markMessageOpened, { params: { id: draftId } });
  expect(await countToSend(tutorId)).toBe(2);
  const setOutcome = (id: number, outcome: 'sent' | 'not_yet' | 'dismissed') =>
    browser.call(messages.setMessageOutcome, { params: { id }, body: { outcome } });
  await setOutcome(draftId, 'not_yet');
  expect(await countToSend(tutorId)).toBe(2);

  const sent = await setOutcome(draftId, 'sent');
  expect(sent.body).toMatchObject({ state: 'sent', isMarkedAsSent: true, sentBy: 'tutor' });
  expect(await countToSend(tutorId)).toBe(1);
  expect((await setOutcome(failedId, 'sent')).status).toBe(409);
  expect((await setOutcome(failedId, 'dismissed')).body.state).toBe('dismissed');
  expect(await countToSend(tutorId)).toBe(0);
  expect(await listMessagesToSend(browser)).toEqual([]);
  const { body } = await browser.call(notifications.listNotifications, { query: {} });
  expect(body.open).toEqual([]);
});

test('F111 a retry uses the corrected address', async () => {
  const { browser, tutorId, family } = await createFamily();
  app.mailbox.rejectNext(550);
  await browser.call(messages.sendReminder, {
    body: { familyId: family.familyId, channel: 'email' },
  });
  const [failed] = await waitUntilMessagesProcessed(browser);
  expect(failed?.state).toBe('failed');
  const corrected = `corrected-${crypto.randomUUID()}@families.example`;
  await setContact(browser, family, { carerEmail: corrected });
  await browser.call(messages.retryMessage, { params: { id: failed?.id ?? 0 } });
  await app.mailbox.waitFor((mail) => mail.to.includes(corrected));
  const { body } = await browser.call(messages.message, { params: { id: failed?.id ?? 0 } });
  expect(body.address).toBe(corrected);
  expect(await countToSend(tutorId)).toBe(0);
});

test('the log can be searched and filtered by sender, result and age', async () => {
  const { browser, tutorId, family } = await createFamily();
  await browser.call(messages.sendReminder, {
    body: { familyId: family.familyId, channel: 'email', text: 'The 100%_discount is over.' },
  });
  const [sent] = await waitUntilMessagesProcessed(browser);
  await app.admin.query(
    `insert into messages (tutor_id, id, public_id, dedupe_key, kind, channel, state, automatic, to_name, address, subject,
       text, created_at)
     select $1, 1000 + n, 'log' || n, 'log' || n, 'lesson_reminder', 'email', case n when 1 then 'failed' else 'sent' end,
       true, 'Helen Goldberg', 'helen@families.example', 'Tomorrow', 'Hi', now() - make_interval(days => n * 40)
     from generate_series(1, 2) as n`,
    [tutorId],
  );
  const log = async (query: Parameters<typeof browser.call<typeof messages.listMessages>>[1]) =>
    (await browser.call(messages.listMessages, query)).body.map(({ id }) => id);
  expect(await log({ query: { show: 'sent' } })).toEqual([1002, 1001, sent?.id]);
  expect(await log({ query: { show: 'tutor' } })).toEqual([sent?.id]);
  expect(await log({ query: { show: 'automatic' } })).toEqual([1002, 1001]);
  expect(await log({ query: { show: 'failed' } })).toEqual([1001]);
  expect(await log({ query: { search: 'goldberg' } })).toEqual([1002, 1001]);
  expect(await log({ query: { search: '100%_dis' } })).toEqual([sent?.id]);
  expect(await log({ query: { search: '10%dis' } })).toEqual([]);
  expect(await log({ query: { search: 'helen', days: 60 } })).toEqual([1001]);
});

test('F111 the number of messages to send is counted without reading the messages that were sent', async () => {
  const { tutorId } = await createFamily();
  const insert = (state: string, from: number, to: number) =>
    app.admin.query(
      `insert into messages (tutor_id, id, public_id, dedupe_key, kind, channel, state, to_name, address, subject, text, created_at)
       select $1, n, 'count' || n, 'count' || n, 'custom', 'email', $2, 'Ruth Hale', 'ruth@families.example', 'Hello',
         repeat('Hi ', 100), now() from generate_series($3::int, $4::int) as n`,
      [tutorId, state, from, to],
    );
  await insert('sent', 10_000, 20_000);
  await insert('failed', 20_001, 20_003);
  await insert('draft', 20_004, 20_005);
  await app.admin.query('analyze messages');
  expect(await countToSend(tutorId)).toBe(5);
  const pages = await countBuffers(app, tutorId, (tx) =>
    navigationCounts(tx, tutorId, app.context.clock.now()),
  );
  expect(pages).toBeLessThan(30);
});
