import { randomInt } from 'node:crypto';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { families as familyEndpoints } from '@lessonbook/contract/families';
import { groupLessons } from '@lessonbook/contract/group-lessons';
import { invoices } from '@lessonbook/contract/invoices';
import { type Channel, messages } from '@lessonbook/contract/messages';
import { publicBills } from '@lessonbook/contract/public-bill';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import type { Mail } from '@lessonbook/fakes/parse-mail';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiResponse, Browser } from '../test/browser-client.ts';
import { createExport, downloadExport } from '../test/create-and-download-export.ts';
import { createStudent, createSubject } from '../test/create-student-and-subject.ts';
import {
  createTutorWhoCanEmailFamilies,
  findTutorId,
  reauthenticate,
} from '../test/create-tutor.ts';
import { getFeedPath } from '../test/ics-reader.ts';
import { addLesson, fetchSessionsBetween, weekly } from '../test/lesson-fixture.ts';
import { createPayment, readFamily } from '../test/payment-fixture.ts';
import { fetchPdfPages, readPdfText } from '../test/pdf-text.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../test/wait-until-messages-processed.ts';
import { sendDueReminders } from './messages/service/reminders/send-due-reminders.ts';

/*
 * Three families are in one group. Everything that a family receives or can open is collected and searched for the names,
 * contact details and amounts of the other two.
 */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

const randomLetters = (): string =>
  Array.from({ length: 7 }, () => String.fromCharCode(97 + randomInt(26))).join('');
const randomName = (): string => `Q${randomLetters()}`;

interface Child {
  id: number;
  firstName: string;
  fee: number;
}

interface Family {
  familyId: number;
  reference: string;
  children: Child[];
  /** All strings that identify the family, in lower case. */
  identifiers: string[];
  emails: string[];
  digits: string[];
}

let phoneCount = 0;
function nextPhone(): string {
  phoneCount += 1;
  return `+447700${900_100 + phoneCount}`;
}

/** A carer with one child for each fee. Every field contains a different random string. */
async function createCanaryFamily(browser: Browser, fees: readonly number[]): Promise<Family> {
  const lastName = randomName();
  const carer = {
    carerName: `${randomName()} ${lastName}`,
    carerRelationship: randomName(),
    carerEmail: `${randomLetters()}@families.example`,
    carerPhone: nextPhone(),
  };
  const texts: string[] = Object.values(carer);
  const children: Child[] = [];
  let carerId: number | null = null;
  let familyId = 0;
  for (const fee of fees) {
    const firstName = randomName();
    const child = {
      name: `${firstName} ${lastName}`,
      email: `${randomLetters()}@pupils.example`,
      phone: nextPhone(),
      notes: randomName(),
    };
    const student = await createStudent(browser, { ...child, ...(carerId ? { carerId } : carer) });
    ({ carerId, familyId } = student as { carerId: number; familyId: number });
    children.push({ id: student.id, firstName, fee });
    texts.push(...Object.values(child));
  }
  const account = { address: `1 ${randomName()} Street`, reference: randomName().toUpperCase() };
  await browser.call(familyEndpoints.updateFamily, { params: { id: familyId }, body: account });
  texts.push(account.address, account.reference);
  const words = texts.flatMap((text) => text.split(/[\s@+]/));
  const isDistinctive = (word: string) => word.length >= 8 || /^[a-z]{7}$/.test(word);
  return {
    familyId,
    reference: account.reference,
    children,
    identifiers: [
      ...new Set(
        words
          .map((word) => word.toLowerCase())
          .filter(isDistinctive)
          .filter((word) => !word.endsWith('.example')),
      ),
    ],
    emails: texts.filter((text) => text.includes('@')),
    digits: texts.filter((text) => text.startsWith('+44')).map((phone) => phone.slice(1)),
  };
}

/** "31.17" and 3117, and the totals for up to five lessons. Matches whole amounts, because ids and tokens contain digits too. */
const amountPatterns = (minor: number): RegExp[] =>
  [1, 2, 3, 4, 5].flatMap((count) => {
    const major = ((minor * count) / 100).toFixed(2).replace('.', '\\.');
    return [new RegExp(`(?<![\\d.])${major}(?!\\d)`), new RegExp(`[:,[]${minor * count}[,}\\]]`)];
  });

/** What a family received or opened. */
interface Item {
  kind: string;
  familyId: number;
  text: string;
}

/** The identifiers and amounts of other families in an item. */
function findLeaks(item: Item, group: readonly Family[]): string[] {
  const text = item.text.toLowerCase();
  const others = group.filter(({ familyId }) => familyId !== item.familyId);
  const fees = others.flatMap(({ children }) => children.map(({ fee }) => fee));
  const total = group.flatMap(({ children }) => children).reduce((sum, { fee }) => sum + fee, 0);
  return [
    ...others.flatMap(({ identifiers }) => identifiers.filter((word) => text.includes(word))),
    ...[...fees, total]
      .flatMap((fee) => amountPatterns(Math.round(fee * 100)))
      .filter((pattern) => pattern.test(text))
      .map(String),
  ].map((leak) => `${item.kind} for family ${item.familyId}: ${leak}`);
}

async function readMail(mail: Mail): Promise<string> {
  const attachments = await Promise.all(
    mail.attachments.map(async ({ contentType, content, filename }) =>
      contentType.includes('pdf')
        ? readPdfText(new Uint8Array(content))
        : `${filename}\n${content.toString().replaceAll('\r\n ', '')}`,
    ),
  );
  const { subject, text, html, headers, to, replyTo } = mail;
  return [subject, text, html, JSON.stringify({ headers, to, replyTo }), ...attachments].join('\n');
}

async function unwrap<T>(call: Promise<ApiResponse<T>>): Promise<T> {
  const response = await call;
  if (response.status >= 300) throw new Error(`${response.status}: ${response.error.message}`);
  return response.body;
}

type Title = (children: readonly Child[]) => string;

/** Runs a group of three families through a month of lessons, changes, invoices and payments. */
async function runGroup(title: Title) {
  app.mailbox.clear();
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const tutorId = await findTutorId(app, input);
  // A new account has lower limits for emails.
  await app.admin.query(
    `update tutors set created_at = created_at - interval '8 days' where tutor_id = $1`,
    [tutorId],
  );
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const business = await unwrap(browser.call(businessSettings.businessSettings));
  await unwrap(
    browser.call(businessSettings.saveBusinessSettings, {
      body: {
        ...business,
        accountName: 'A Tutor',
        sortCode: '01-02-03',
        accountNumber: '12345678',
      },
    }),
  );
  const [a, b, c] = [
    await createCanaryFamily(browser, [31.17]),
    await createCanaryFamily(browser, [42.29]),
    // Siblings.
    await createCanaryFamily(browser, [53.41, 64.53]),
  ];
  const group = [a, b, c];
  const children = group.flatMap((family) => family.children);
  const [first, second] = children as [Child, Child];
  const fixture = { browser, studentId: first.id, subjectId: subject.id };
  const lesson = await addLesson(fixture, {
    ...weekly(),
    title: title(children),
    place: 'Library',
    fee: null,
    students: children.map(({ id, fee }) => ({ studentId: id, fee })),
  });

  const settings = await unwrap(browser.call(reminders.reminderSettings));
  await unwrap(
    browser.call(reminders.saveReminderSettings, {
      body: {
        ...settings,
        channels: ['email', 'whatsapp'],
        recipient: 'both',
        overdueEnabled: true,
      },
    }),
  );
  const items: Item[] = [];
  const add = (kind: string, familyId: number | null | undefined, content: unknown) =>
    items.push({ kind, familyId: familyId ?? 0, text: JSON.stringify(content) });
  for (const preview of await unwrap(browser.call(reminders.previewFirstReminders)))
    add('preview of a reminder', preview.familyId, preview);
  await unwrap(browser.call(reminders.startReminders, { body: { excludedKeys: [] } }));

  const sessionOn = async (date: string): Promise<number> => {
    const [row] = await fetchSessionsBetween(fixture, date, date);
    if (!row) throw new Error(`no session on ${date}`);
    return row.id;
  };
  const runReminders = async () => {
    await sendDueReminders(app.context);
    await waitUntilMessagesProcessed(browser);
  };
  const seat = ({ id: studentId }: Child, id: number) => ({ params: { id, studentId } });
  const notify = async (id: number, channel: Channel) => {
    const body = { sessionIds: [id], channel };
    for (const preview of await unwrap(browser.call(messages.previewChangeNotice, { body })))
      add('preview of a change notice', preview.familyId, preview);
    await unwrap(browser.call(messages.sendChangeNotice, { body }));
    await waitUntilMessagesProcessed(browser);
  };

  // Reminders, then a correction for each change.
  app.clock.advance({ hours: 5 });
  await runReminders();
  await unwrap(
    browser.call(groupLessons.cancelSeat, {
      ...seat(first, lesson.sessionId),
      body: { cancelledBy: 'tutor' },
    }),
  );
  await runReminders();
  await unwrap(browser.call(groupLessons.restoreSeat, seat(first, lesson.sessionId)));
  await runReminders();
  const moved = await unwrap(
    browser.call(sessions.rescheduleSession, {
      params: { id: lesson.sessionId },
      body: { date: '2026-11-18', startTime: '10:00', endTime: '11:00' },
    }),
  );
  await runReminders();
  await unwrap(browser.call(sessions.undoReschedule, { params: { id: moved.id } }));
  await runReminders();
  // The cancellation is late, so it is charged.
  await unwrap(
    browser.call(groupLessons.cancelSeat, {
      ...seat(second, lesson.sessionId),
      body: { cancelledBy: 'carer', chargeFee: true },
    }),
  );
  await runReminders();

  // Change notices sent by the tutor.
  app.clock.set('2026-11-17T18:00:00Z');
  await unwrap(
    browser.call(sessions.completeSession, {
      params: { id: lesson.sessionId },
      body: { students: [{ studentId: first.id, attendance: 'late', charge: true }] },
    }),
  );
  const rescheduled = await unwrap(
    browser.call(sessions.rescheduleSession, {
      params: { id: await sessionOn('2026-11-24') },
      body: { date: '2026-11-26', startTime: '10:00', endTime: '11:00' },
    }),
  );
  await notify(rescheduled.id, 'email');
  const cancelledId = await sessionOn('2026-12-01');
  await unwrap(
    browser.call(sessions.cancelSession, {
      params: { id: cancelledId },
      body: { cancelledBy: 'tutor' },
    }),
  );
  await notify(cancelledId, 'whatsapp');

  // Invoices for the past lesson and for the upcoming one, and a credit note for the first family.
  const drafts = await unwrap(
    browser.call(invoices.draftAllInvoices, {
      body: { from: '2026-11-01', to: '2026-11-30', includeUpcoming: true },
    }),
  );
  await unwrap(browser.call(invoices.issueInvoices, { body: { ids: drafts.map(({ id }) => id) } }));
  await unwrap(
    browser.call(groupLessons.cancelSeat, {
      ...seat(first, rescheduled.id),
      body: { cancelledBy: 'tutor' },
    }),
  );
  await notify(rescheduled.id, 'email');
  const documents = await unwrap(browser.call(invoices.listInvoices, { query: {} }));
  for (const { id, familyId, token, kind } of documents) {
    for (const channel of ['email', 'whatsapp'] as const) {
      if (kind !== 'invoice') continue;
      const request = { params: { id }, body: { channel } };
      add(
        'preview of an invoice',
        familyId,
        await unwrap(browser.call(messages.previewInvoiceMessage, request)),
      );
      await unwrap(browser.call(messages.sendInvoice, request));
    }
    const params = { token: token ?? '' };
    const name = kind === 'invoice' ? 'an invoice' : 'a credit note';
    add(kind, familyId, await unwrap(browser.call(invoices.invoice, { params: { id } })));
    add(
      `page of ${name}`,
      familyId,
      await unwrap(app.browser().call(publicBills.publicBill, { params })),
    );
    add(
      `PDF of ${name}`,
      familyId,
      await fetchPdfPages(app.url, browser, `/api/invoices/${id}.pdf`),
    );
    add(
      `public PDF of ${name}`,
      familyId,
      await fetchPdfPages(app.url, app.browser(), `/api/pay/${token}/pdf`),
    );
  }
  await waitUntilMessagesProcessed(browser);

  // Payment pages, payments and receipts.
  for (const { familyId, reference } of group) {
    const { payToken } = await readFamily(browser, familyId);
    const params = { token: payToken };
    add(
      'payment page',
      familyId,
      await unwrap(app.browser().call(publicBills.publicBill, { params })),
    );
    const payment = await createPayment(browser, familyId, 1000, { note: reference });
    for (const channel of ['email', 'whatsapp'] as const) {
      const request = { params: { id: payment.id }, body: { channel } };
      add(
        'preview of a receipt',
        familyId,
        await unwrap(browser.call(messages.previewReceipt, request)),
      );
      await unwrap(browser.call(messages.sendReceipt, request));
      const body = { familyId, channel };
      add(
        'preview of a payment reminder',
        familyId,
        await unwrap(browser.call(messages.previewReminder, { body })),
      );
      await unwrap(browser.call(messages.sendReminder, { body }));
    }
    add(
      'payment page',
      familyId,
      await unwrap(app.browser().call(publicBills.publicBill, { params })),
    );
    add('account', familyId, await readFamily(browser, familyId));
  }
  await waitUntilMessagesProcessed(browser);

  // Overdue reminders, then a student leaves after the reminder for the next lesson.
  app.clock.set('2026-12-07T17:00:00Z');
  await runReminders();
  await unwrap(
    browser.call(groupLessons.leaveLesson, {
      params: { id: lesson.lessonId, studentId: second.id },
      query: { from: '2026-12-08' },
    }),
  );
  await runReminders();
  for (const { familyId } of group) {
    const { payToken } = await readFamily(browser, familyId);
    const bill = await unwrap(
      app.browser().call(publicBills.claimTransfer, { params: { token: payToken } }),
    );
    add('payment page after a transfer', familyId, bill);
  }

  for (const { familyId } of group) {
    const log = await unwrap(browser.call(messages.listMessages, { query: { familyId } }));
    for (const message of log) add(`${message.kind} by ${message.channel}`, familyId, message);
  }
  const findFamily = (mail: Mail) =>
    group.find(({ emails }) => mail.envelope.to.some((address) => emails.includes(address)));
  for (const mail of app.mailbox.emails()) {
    const familyId = findFamily(mail)?.familyId;
    if (familyId) items.push({ kind: 'email', familyId, text: await readMail(mail) });
  }
  return { browser, group, items, children };
}

const TITLES: [string, Title][] = [
  ['a neutral title', () => 'Year 11 maths'],
  [
    'a title that lists the students',
    (children) => `${children.map(({ firstName }) => firstName).join(', ')} - Maths`,
  ],
];

/** Every family must have received or seen each of these. */
const EXPECTED_KINDS = [
  'preview of a reminder',
  'lesson_reminder by email',
  'lesson_reminder by whatsapp',
  'preview of a change notice',
  'lesson_change by email',
  'lesson_change by whatsapp',
  'invoice',
  'preview of an invoice',
  'invoice by email',
  'invoice by whatsapp',
  'page of an invoice',
  'PDF of an invoice',
  'public PDF of an invoice',
  'payment page',
  'preview of a receipt',
  'receipt by email',
  'receipt by whatsapp',
  'preview of a payment reminder',
  'payment_reminder by email',
  'payment_reminder by whatsapp',
  'payment page after a transfer',
  'email',
];

describe.each(TITLES)('a group of three families with %s', (_, title) => {
  let run: Awaited<ReturnType<typeof runGroup>>;
  beforeAll(async () => {
    run = await runGroup(title);
  });
  afterAll(() => app.restartClock());

  test("nothing for one family contains another family's name, contact or amount", () => {
    expect(run.items.flatMap((item) => findLeaks(item, run.group))).toEqual([]);
  });

  test('every family has received or seen every kind of item that is searched', () => {
    const { group, items } = run;
    for (const { familyId } of group) {
      const ownItems = items.filter((item) => item.familyId === familyId);
      const kinds = new Set(ownItems.map(({ kind }) => kind));
      expect(EXPECTED_KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
    }
    const ids = group.map(({ familyId }) => familyId);
    expect(items.filter(({ familyId }) => !ids.includes(familyId))).toEqual([]);
    expect(items.map(({ kind }) => kind)).toContain('public PDF of a credit note');
    expect(items.filter(({ text }) => text.includes('METHOD:PUBLISH')).length).toBeGreaterThan(10);
    expect(items.filter(({ text }) => text.includes('METHOD:CANCEL')).length).toBeGreaterThan(3);
  });

  test("the search finds each family's own names and amounts", () => {
    const { group, items } = run;
    for (const { familyId, children } of group) {
      const ownItems = items.filter((item) => item.familyId === familyId);
      // Treats the items as if they were for another family.
      const found = ownItems.flatMap((item) => findLeaks({ ...item, familyId: 0 }, group));
      for (const { firstName, fee } of children) {
        expect(found.some((leak) => leak.includes(firstName.toLowerCase()))).toBe(true);
        expect(found.some((leak) => leak.includes(fee.toFixed(2).replace('.', '\\.')))).toBe(true);
      }
    }
  });

  test('siblings get one reminder that names both', () => {
    const siblings = run.group[2] as Family;
    const reminded = run.items
      .filter(({ kind, familyId }) => kind === 'email' && familyId === siblings.familyId)
      .filter(({ text }) => text.startsWith('Lesson reminder: Tomorrow'))
      .filter(({ text }) => text.includes(siblings.emails[0] as string));
    // The reminders of 17 November and of 8 December.
    expect(reminded).toHaveLength(2);
    for (const { text } of reminded)
      for (const { firstName } of siblings.children) expect(text).toContain(firstName);
  });

  test("the tutor's own feed and export contain all students", async () => {
    const { browser, children } = run;
    await reauthenticate(browser);
    const feed = await browser.send('GET', await getFeedPath(browser));
    const exported = await createExport(browser);
    const files = Object.values(await downloadExport(app, browser, exported.id)).join('\n');
    for (const { firstName } of children) {
      expect(files).toContain(firstName);
      expect((feed.body as string).replaceAll('\r\n ', '')).toContain(firstName);
    }
  });
});
