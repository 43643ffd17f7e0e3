import { messages } from '@lessonbook/contract/messages';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createFamily,
  FRIDAY_9AM,
  SATURDAY_11AM,
  TUESDAY_4PM,
} from '../../test/change-notice-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { sendMessage } from './service/outbound/send-message.ts';
import { sendTutorReminders } from './service/reminders/send-due-reminders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

describe('an unsent WhatsApp draft', () => {
  test('F12 does not count as sent to the family, and is not created twice', async () => {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    const [draft] = await family.notify(moved, 'whatsapp');
    expect(await family.pending(moved)).toMatchObject([{ wasInformed: false }]);
    expect(await family.notify(moved, 'whatsapp')).toMatchObject([{ id: draft?.id }]);
    await family.pauseJob();
    const again = await family.move(moved, SATURDAY_11AM);
    const [notice] = await family.notify(again);
    expect(notice?.text).toContain(
      "Maya's Maths lesson on Tuesday 17 November at 4pm is now on Saturday 21",
    );
    expect(await family.notices()).toMatchObject([
      { id: draft?.id, state: 'skipped' },
      { id: notice?.id, state: 'sent' },
    ]);
  });

  test('F12 can no longer be opened or sent once the lesson has changed', async () => {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    const [draft] = await family.notify(moved, 'whatsapp');
    await family.pauseJob();
    const params = { id: draft?.id ?? 0 };
    await family.move(moved, SATURDAY_11AM);
    const opened = await family.browser.call(messages.markMessageOpened, { params });
    const sent = await family.browser.call(messages.setMessageOutcome, {
      params,
      body: { outcome: 'sent' },
    });
    for (const { status, error } of [opened, sent]) {
      expect(status).toBe(409);
      // The job may have skipped the draft in the meantime.
      expect(error.message).toMatch(/The lesson has changed since|no longer waiting/);
    }
    await sendTutorReminders(app.context, family.tutorId);
    expect((await family.browser.call(messages.outbox)).body).toEqual([]);
  });

  test('F12 is created again after the lesson is moved, moved back and moved again', async () => {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    const [first] = await family.notify(moved, 'whatsapp');
    await family.browser.call(messages.markMessageOpened, { params: { id: first?.id ?? 0 } });
    let id = moved;
    for (const [slot, drafts] of [
      [SATURDAY_11AM, 1],
      [FRIDAY_9AM, 0],
      [SATURDAY_11AM, 1],
    ] as const) {
      id = await family.move(id, slot);
      await sendTutorReminders(app.context, family.tutorId);
      const outbox = (await family.browser.call(messages.outbox)).body;
      expect(outbox.filter(({ state }) => state === 'draft')).toHaveLength(drafts);
    }
  });
});

describe('a notice that is retried', () => {
  /** A notice of a move to Friday that will be retried. `attempt` sets what was recorded about the first attempt. */
  async function createRetriedNotice(attempt: string) {
    const family = await createFamily(app);
    const moved = await family.move(family.sessionId, FRIDAY_9AM);
    const [notice] = await family.notify(moved);
    await family.notices();
    const messageId = notice?.id ?? 0;
    await app.admin.query(
      `update messages set state = 'waiting', ${attempt} where tutor_id = $1 and id = $2`,
      [family.tutorId, messageId],
    );
    await family.pauseJob();
    const emails = () => app.mailbox.emails().filter(({ to }) => to.includes(family.carerEmail));
    const retry = () =>
      sendMessage(app.context, { tutorId: family.tutorId, messageId }, 1).then(emails);
    return { ...family, moved, retry };
  }

  test('F12 is not sent after a newer notice', async () => {
    const family = await createRetriedNotice('attempts = 1, sent_at = null');
    const again = await family.move(family.moved, SATURDAY_11AM);
    const [newer] = await family.notify(again);
    await app.mailbox.waitFor(
      ({ to, text }) =>
        to.includes(family.carerEmail) && text.includes('is now on Saturday 21 November'),
    );
    await family.pauseJob();
    // The time matches the old message again, but the newer message gave a different time.
    await family.move(again, FRIDAY_9AM);
    await family.pauseJob();
    expect(await family.retry()).toHaveLength(2);
    expect(await family.notices()).toMatchObject([
      { state: 'skipped', problem: 'The lesson changed before this could be sent.' },
      { id: newer?.id, state: 'sent' },
    ]);
  });

  test('F12 is sent if it is still accurate', async () => {
    const family = await createRetriedNotice('attempts = 1, sent_at = null');
    expect(await family.retry()).toHaveLength(2);
    expect(await family.notices()).toMatchObject([{ state: 'sent' }]);
  });

  test('F13 is corrected if the first attempt may have been delivered', async () => {
    const family = await createRetriedNotice('attempts = 0, sent_at = null');
    await family.move(family.moved, TUESDAY_4PM);
    await family.pauseJob();
    expect(await family.retry()).toHaveLength(1);
    await sendTutorReminders(app.context, family.tutorId);
    expect(await family.notices()).toMatchObject([
      { state: 'skipped' },
      { state: 'sent', subject: 'Lesson moved: Maya to Tue 17 Nov, 4pm' },
    ]);
  });
});
