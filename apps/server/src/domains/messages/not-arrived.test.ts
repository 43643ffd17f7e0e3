import { audit } from '@lessonbook/contract/audit';
import { lessons } from '@lessonbook/contract/lessons';
import { sessionMessages } from '@lessonbook/contract/list-messages-about-session';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { sessions } from '@lessonbook/contract/sessions';
import {
  type NotArrivedInput,
  notArrived,
} from '@lessonbook/contract/student-not-arrived-messages';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createFamily } from '../../test/change-notice-fixture.ts';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import { addLesson, lessonBody } from '../../test/lesson-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendMessage } from './service/outbound/send-message.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

/** Sets the clock to ten minutes after the start of Maya's lesson on Tuesday 17 November, from 16:00 to 17:00. */
async function createMissingStudent() {
  const family = await createFamily(app);
  const { browser, sessionId, fixture, tutorId } = family;
  app.clock.set('2026-11-17T16:10:00Z');
  const preview = () => browser.call(notArrived.previewNotArrived, { params: { id: sessionId } });
  const message: NotArrivedInput['messages'][number] = {
    studentId: fixture.studentId,
    channel: 'email',
    subject: "Maya hasn't arrived",
    text: 'Is Maya on the way?',
    replacesMessageId: null,
  };
  const send = (overrides: Partial<typeof message> = {}, idempotencyKey?: string, id = sessionId) =>
    browser.call(notArrived.sendNotArrived, {
      params: { id },
      body: { messages: [{ ...message, ...overrides }] },
      ...(idempotencyKey && { idempotencyKey }),
    });
  const emails = () => app.mailbox.emails().filter(({ to }) => to.includes(family.carerEmail));
  /** Marks a message as failed. */
  const failMessage = (id: number) =>
    app.admin.query(
      `update messages set state = 'failed', failure_reason = 'No' where tutor_id = $1 and id = $2`,
      [tutorId, id],
    );
  return { ...family, preview, send, emails, failMessage };
}

describe('while the lesson is in progress', () => {
  test('the carer is emailed the text as edited by the tutor', async () => {
    const { browser, preview, send, emails, sessionId, fixture } = await createMissingStudent();
    const { status, body } = await preview();
    expect(status).toBe(200);
    expect(body).toMatchObject([
      {
        studentId: fixture.studentId,
        studentName: 'Maya Hale',
        toName: 'Ruth Hale',
        channels: [
          { channel: 'email', problem: null },
          { channel: 'whatsapp', address: '+447700900123', problem: null },
        ],
        subject: "Maya hasn't arrived for the lesson at 4pm",
        sent: null,
      },
    ]);
    expect(body[0]?.text).toContain(
      "Maya's lesson at 4pm hasn't started yet because Maya isn't here.",
    );
    const sent = await send({ text: `${body[0]?.text}\n\nRing me.` });
    expect(sent.status).toBe(201);
    expect(sent.body.messages).toMatchObject([
      { kind: 'not_arrived', sentBy: 'tutor', toName: 'Ruth Hale' },
    ]);
    await app.mailbox.waitFor(() => emails().length === 1);
    expect(emails()[0]?.subject).toBe("Maya hasn't arrived");
    expect(emails()[0]?.text).toContain('Ring me.');
    expect(emails()[0]?.attachments).toEqual([]);

    await waitUntilMessagesProcessed(browser);
    const history = await browser.call(sessionMessages.sessionMessages, {
      params: { id: sessionId },
    });
    expect(history.body.messages).toMatchObject([{ kind: 'not_arrived', state: 'sent' }]);
    const activity = await browser.call(audit.listAuditEntries, { query: {} });
    expect(activity.body.entries[0]).toMatchObject({ action: 'not_arrived_sent' });
    // The student is still expected, because marking an absence is a separate step.
    const session = await browser.call(sessions.session, { params: { id: sessionId } });
    expect(session.body).toMatchObject({ status: 'scheduled', attendance: null });
  });

  test('one message is sent per lesson and student, even for concurrent requests from two windows', async () => {
    const { preview, send, emails } = await createMissingStudent();
    const key = 'not-arrived-key-0001';
    const results = await Promise.all([
      ...Array.from({ length: 3 }, () => send({}, key)),
      ...Array.from({ length: 5 }, (_, index) => send({ text: `Again ${index}` })),
    ]);
    const created = results.filter(({ status }) => status === 201);
    const ids = new Set(created.map(({ body }) => body.messages[0]?.id));
    expect(ids.size).toBe(1);
    for (const { status, error } of results.filter((each) => each.status !== 201)) {
      expect(status).toBe(409);
      expect(error.message).toMatch(
        /^(The message to Ruth Hale is on its way|Ruth Hale has already been sent this message)\.$/,
      );
    }
    await app.mailbox.waitFor(() => emails().length > 0);
    const { body } = await preview();
    expect(body[0]?.sent).toMatchObject({ toName: 'Ruth Hale', canSendAgain: false });
    expect((await send({ channel: 'whatsapp' })).status).toBe(409);
    expect(emails()).toHaveLength(1);
  });

  test('a failed message is replaced only if the request names it, and only once', async () => {
    const { browser, preview, send, failMessage } = await createMissingStudent();
    const first = (await send()).body.messages[0]?.id as number;
    await waitUntilMessagesProcessed(browser);
    await failMessage(first);
    const { body } = await preview();
    expect(body[0]?.sent).toMatchObject({ messageId: first, state: 'failed', canSendAgain: true });
    const unaware = await send();
    expect(unaware.status).toBe(409);
    expect(unaware.error.message).toContain("wasn't sent");
    const again = await Promise.all(
      ['email', 'whatsapp'].map((channel) =>
        send({ channel: channel as 'email', replacesMessageId: first }),
      ),
    );
    expect(again.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    // The failed message is dismissed, so that it is not sent as well.
    const retried = await browser.call(messages.retryMessage, { params: { id: first } });
    expect(retried.status).toBe(409);
  });

  test('quiet hours do not delay the message', async () => {
    const { browser, fixture, send, emails } = await createMissingStudent();
    app.clock.set('2026-11-18T12:00:00Z');
    const late = await addLesson(fixture, {
      date: '2026-11-18',
      startTime: '21:30',
      endTime: '22:30',
    });
    app.clock.set('2026-11-18T21:40:00Z');
    expect((await send({}, undefined, late.sessionId)).status).toBe(201);
    await app.mailbox.waitFor(() => emails().length === 1);
    expect((await waitUntilMessagesProcessed(browser))[0]?.state).toBe('sent');
  });

  test('WhatsApp is suggested first if reminders use it, and the message becomes a draft that the tutor opens', async () => {
    const { browser, preview, send, emails, fixture } = await createMissingStudent();
    await browser.call(reminders.saveStudentReminders, {
      params: { id: fixture.studentId },
      body: { isCustom: true, leadMinutes: 1440, channels: ['whatsapp'], recipient: 'student' },
    });
    const { body } = await preview();
    // The message goes to the carer even if reminders go only to the student.
    expect(body[0]).toMatchObject({ toName: 'Ruth Hale' });
    expect(body[0]?.channels[0]).toMatchObject({ channel: 'whatsapp', address: '+447700900123' });
    const sent = await send({ channel: 'whatsapp' });
    expect(sent.body.messages[0]).toMatchObject({ state: 'draft', channel: 'whatsapp' });
    expect(sent.body.messages[0]?.openUrl).toContain('wa.me');
    expect(emails()).toEqual([]);
    const id = sent.body.messages[0]?.id as number;
    app.clock.set('2026-11-17T17:00:00Z');
    const opened = await browser.call(messages.markMessageOpened, { params: { id } });
    expect(opened.error.message).toBe(
      'This message is out of date: the lesson is over, or its status has changed.',
    );
  });

  test('a student without a carer is addressed directly', async () => {
    const { browser, fixture } = await createFamily(app);
    const adult = await createStudent(browser, {
      name: 'Noor Khan',
      email: 'noor@families.example',
    });
    const { sessionId } = await addLesson(
      { ...fixture, studentId: adult.id },
      { startTime: '18:00', endTime: '19:00' },
    );
    app.clock.set('2026-11-17T18:01:00Z');
    const { body } = await browser.call(notArrived.previewNotArrived, {
      params: { id: sessionId },
    });
    expect(body[0]).toMatchObject({
      toName: 'Noor Khan',
      channels: [
        { channel: 'email' },
        { problem: 'Noor Khan has no phone number yet. Please add one.' },
      ],
    });
    expect(body[0]?.text).toContain(
      "Your lesson at 6pm hasn't started yet because you aren't here.",
    );
  });
});

describe('restrictions', () => {
  test.each([
    ['a second before the lesson starts', '2026-11-17T15:59:59Z'],
    ['when the lesson ends', '2026-11-17T17:00:00Z'],
  ])('the message is rejected %s', async (_when, now) => {
    const { preview, send } = await createMissingStudent();
    app.clock.set(now);
    for (const result of [await preview(), await send()]) {
      expect(result.status).toBe(409);
      expect(result.error.message).toBe('This can only be sent while the lesson is in progress.');
    }
  });

  test("the message is rejected for a completed or cancelled lesson, and for another tutor's lesson", async () => {
    const { browser, sessionId, preview, send, cancel, reopen } = await createMissingStudent();
    const other = await createTutorWhoCanEmailFamilies(app);
    const foreign = await other.browser.call(notArrived.previewNotArrived, {
      params: { id: sessionId },
    });
    expect(foreign.status).toBe(404);
    await browser.call(sessions.completeSession, { params: { id: sessionId }, body: {} });
    expect((await preview()).status).toBe(409);
    await reopen(sessionId);
    expect((await preview()).status).toBe(200);
    await cancel(sessionId);
    expect((await send()).status).toBe(409);
  });

  test('an email that cannot be sent before the lesson ends fails, and the tutor is notified', async () => {
    const { browser, tutorId, send, emails } = await createMissingStudent();
    const [id] = (await send()).body.messages.map((message) => message.id);
    await waitUntilMessagesProcessed(browser);
    await app.admin.query(`update messages set state = 'waiting' where tutor_id = $1 and id = $2`, [
      tutorId,
      id,
    ]);
    const before = emails().length;
    app.clock.set('2026-11-17T17:00:00Z');
    await sendMessage(app.context, { tutorId, messageId: id as number });
    const { body } = await browser.call(messages.message, { params: { id } });
    expect(body).toMatchObject({
      state: 'failed',
      problem: "The email couldn't be delivered before the lesson ended.",
    });
    expect(emails()).toHaveLength(before);
    const list = await browser.call(notifications.listNotifications, { query: {} });
    expect(list.body.notifications[0]).toMatchObject({ kind: 'message_failed' });
    const retried = await browser.call(messages.retryMessage, { params: { id } });
    expect(retried.status).toBe(409);
  });
});

test('in a group, only the carers of the chosen students get a message, each about their own child', async () => {
  const { browser, fixture } = await createFamily(app);
  const emails = ['leo', 'ivy'].map((name) => `${name}@group.example`);
  const [leo, ivy] = [
    await createStudent(browser, {
      name: 'Leo Stone',
      carerName: 'Tom Stone',
      carerEmail: emails[0] as string,
    }),
    await createStudent(browser, {
      name: 'Ivy Wood',
      carerName: 'Ann Wood',
      carerEmail: emails[1] as string,
    }),
  ];
  const { body: lesson } = await browser.call(lessons.createLesson, {
    body: {
      ...lessonBody(fixture, { startTime: '18:00', endTime: '19:00', title: 'Year 11 maths' }),
      students: [fixture.studentId, leo.id, ivy.id].map((studentId) => ({ studentId })),
    },
  });
  const id = lesson.sessionId as number;
  app.clock.set('2026-11-17T18:05:00Z');
  const { body } = await browser.call(notArrived.previewNotArrived, { params: { id } });
  expect(body.map(({ toName }) => toName)).toEqual(['Ruth Hale', 'Tom Stone', 'Ann Wood']);
  const message = (studentId: number) => ({
    studentId,
    channel: 'email' as const,
    subject: null,
    text: null,
    replacesMessageId: null,
  });
  // Nothing is sent if one of the students is not in the lesson.
  const stranger = await browser.call(notArrived.sendNotArrived, {
    params: { id },
    body: { messages: [message(leo.id), message(9999)] },
  });
  expect(stranger.status).toBe(409);
  const sent = await browser.call(notArrived.sendNotArrived, {
    params: { id },
    body: { messages: [message(leo.id), message(ivy.id)] },
  });
  expect(sent.body.messages.map(({ address }) => address)).toEqual(emails);
  const mailTo = (address: string | undefined) =>
    app.mailbox.emails().filter(({ to }) => to.includes(address as string));
  await app.mailbox.waitFor(() => emails.every((email) => mailTo(email).length === 1));
  expect(mailTo(emails[0])[0]?.text).toContain(
    "Leo's lesson started at 6pm, but Leo isn't here yet.",
  );
  expect(mailTo(emails[0])[0]?.text).not.toContain('Ivy');
});
