import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createCompletedLesson } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createVerifiedTutor } from '../../test/tutor.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendMessage } from './service/outbound/send-message.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

const NEW_ACCOUNT = { days: 0 };
const OLDER_ACCOUNT = { days: 8 };

/** A tutor with a family at each address; each family owes £35. */
async function createTutorWithFamilies(age: { days: number }, ...addresses: string[]) {
  const { browser, input } = await createVerifiedTutor(app);
  await app.admin.query(
    `update tutors set created_at = created_at - make_interval(days => $1)
     where tutor_id = (select tutor_id from login_directory where username = $2)`,
    [age.days, input.username],
  );
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const familyIds: number[] = [];
  for (const carerEmail of addresses) {
    const student = await createStudent(browser, {
      name: 'Maya Hale',
      carerName: 'Ruth Hale',
      carerEmail,
    });
    const fixture = { browser, studentId: student.id, subjectId: subject.id };
    await createCompletedLesson(fixture, student.id, '2026-11-10');
    familyIds.push(student.familyId as number);
  }
  return { browser, familyIds };
}

const remind = (browser: Browser, familyId = 0) =>
  browser.call(messages.sendReminder, {
    body: { familyId, channel: 'email', text: 'Anything at all.' },
  });

async function sendInvoice(browser: Browser, familyId = 0) {
  const body = { familyId, from: '2026-11-01', to: '2026-11-30', includeUpcoming: false };
  const [draft] = (await browser.call(invoices.draftInvoice, { body })).body;
  const id = draft?.id as number;
  await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
  return browser.call(messages.sendInvoice, { params: { id }, body: { channel: 'email' } });
}

/** Waits for an email to the address and returns the token of its unsubscribe link. */
async function readToken(address: string): Promise<string> {
  const mail = await app.mailbox.waitFor(({ to }) => to.includes(address));
  return /\/unsubscribe\/(\S+)/.exec(mail.text ?? '')?.[1] as string;
}

async function countUntilLimited(browser: Browser, familyIds: readonly number[]): Promise<number> {
  for (let count = 0; count < 400; count += 1) {
    const response = await remind(browser, familyIds[count % familyIds.length]);
    if (response.status === 429) return count;
    expect(response.status).toBe(201);
  }
  throw new Error('there is no limit');
}

const countMessages = async (browser: Browser) =>
  (await browser.call(messages.listMessages, { query: { limit: '100' } })).body.length;

test('F06 a new account can send 50 emails a day by hand, and the answer says when it can send more', async () => {
  const addresses = ['one', 'two', 'three'].map((name) => `${name}@families.example`);
  const { browser, familyIds } = await createTutorWithFamilies(NEW_ACCOUNT, ...addresses);
  expect(await countUntilLimited(browser, familyIds)).toBe(50);
  const stored = await countMessages(browser);
  const limited = await remind(browser, familyIds[0]);
  expect(limited.error.message).toBe(
    'You can send 50 emails a day while your account is new. Nothing was sent. Try again in 29 minutes.',
  );
  expect(limited.headers.get('retry-after')).toBe('1728');
  expect(await countMessages(browser)).toBe(stored);
  app.clock.advance({ minutes: 29 });
  expect((await remind(browser, familyIds[0])).status).toBe(201);
  expect((await remind(browser, familyIds[0])).status).toBe(429);
});

test('F06 an address gets at most 20 emails a day from all tutors together', async () => {
  const [ruth, other] = ['ruth@families.example', 'other@families.example'];
  const first = await createTutorWithFamilies(OLDER_ACCOUNT, ruth);
  const second = await createTutorWithFamilies(OLDER_ACCOUNT, ruth.toUpperCase(), other);
  for (let count = 0; count < 12; count += 1)
    expect((await remind(first.browser, first.familyIds[0])).status).toBe(201);
  expect(await countUntilLimited(second.browser, second.familyIds.slice(0, 1))).toBe(8);
  const limited = await remind(first.browser, first.familyIds[0]);
  expect(limited.error.message).toBe(
    'Ruth Hale has had a lot of emails today. Nothing was sent. Try again in 2 hours.',
  );
  expect((await remind(second.browser, second.familyIds[1])).status).toBe(201);
});

test('F06 a request that is repeated or refused counts once or not at all', async () => {
  const { browser, familyIds } = await createTutorWithFamilies(
    OLDER_ACCOUNT,
    'key@families.example',
  );
  const body = { familyId: familyIds[0], channel: 'email' };
  for (let count = 0; count < 30; count += 1) {
    const repeated = await browser.send('POST', '/api/reminders', body, {
      'idempotency-key': 'repeated-key',
    });
    expect(repeated.status).toBe(201);
  }
  expect(await countUntilLimited(browser, familyIds)).toBe(19);
});

test('F06 after a report, neither this tutor nor a new account can email the address', async () => {
  const address = 'reporter@families.example';
  const { browser, familyIds } = await createTutorWithFamilies(OLDER_ACCOUNT, address);
  expect((await sendInvoice(browser, familyIds[0])).status).toBe(201);
  const token = await readToken(address);
  const report = () => app.browser().call(messages.reportEmail, { params: { token } });
  expect((await report()).status).toBe(200);
  expect((await report()).status).toBe(200);
  const refused = await remind(browser, familyIds[0]);
  expect([refused.status, refused.error.message]).toEqual([
    409,
    "Someone at Ruth Hale's email address told us these emails aren't meant for them. Check the address and correct it.",
  ]);
  const older = await createTutorWithFamilies(OLDER_ACCOUNT, address);
  expect((await remind(older.browser, older.familyIds[0])).status).toBe(201);
  const newer = await createTutorWithFamilies(NEW_ACCOUNT, address);
  expect((await remind(newer.browser, newer.familyIds[0])).status).toBe(409);
  const { rows } = await app.admin.query('select * from address_reports');
  expect(JSON.stringify(rows)).not.toContain('reporter');
});

test('F06 a message that waits while its recipient reports the tutor is not sent', async () => {
  const address = 'waiting@families.example';
  const { browser, familyIds } = await createTutorWithFamilies(OLDER_ACCOUNT, address);
  await remind(browser, familyIds[0]);
  await waitUntilMessagesProcessed(browser);
  await app.browser().call(messages.reportEmail, { params: { token: await readToken(address) } });
  const { rows } = await app.admin.query(
    `update messages set state = 'waiting', sent_at = null where address = $1
     returning tutor_id as "tutorId", id as "messageId"`,
    [address],
  );
  await sendMessage(app.context, rows[0]);
  expect((await waitUntilMessagesProcessed(browser))[0]?.state).toBe('skipped');
  expect(app.mailbox.mails().filter(({ to }) => to.includes(address))).toHaveLength(1);
});

test('F06 a reminder by hand is refused if the family has unsubscribed', async () => {
  const address = 'quiet@families.example';
  const { browser, familyIds } = await createTutorWithFamilies(OLDER_ACCOUNT, address);
  await remind(browser, familyIds[0]);
  const token = await readToken(address);
  await app.browser().call(messages.unsubscribe, { params: { token } });
  const stored = await countMessages(browser);
  const message =
    'Ruth Hale has unsubscribed from reminders. You can still send an invoice, or contact them yourself.';
  const body = { familyId: familyIds[0] as number, channel: 'email' as const };
  const preview = await browser.call(messages.previewReminder, { body });
  expect(preview.body.problem).toBe(message);
  const refused = await remind(browser, familyIds[0]);
  expect([refused.status, refused.error.message]).toEqual([409, message]);
  expect(await countMessages(browser)).toBe(stored);
  expect((await sendInvoice(browser, familyIds[0])).status).toBe(201);
});
