import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { accounts } from '@lessonbook/contract/accounts';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { payments } from '@lessonbook/contract/payments';
import { publicBills } from '@lessonbook/contract/public-bill';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from './test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies, findTutorId } from './test/create-tutor.ts';
import { addLesson, type LessonFixture } from './test/lesson-fixture.ts';
import { createCompletedLesson, createPayment, readFamily } from './test/payment-fixture.ts';
import { sendWhileLocked } from './test/send-while-locked.ts';
import { startTestApp, type TestApp } from './test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

/** A tutor in London with a family that owes £35. */
async function createTutorWithUnpaidLesson() {
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  const tutorId = await findTutorId(app, input);
  const student = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: `ruth.${input.username}@families.example`,
  });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture: LessonFixture = { browser, studentId: student.id, subjectId: subject.id };
  await createCompletedLesson(fixture, student.id, '2026-11-10');
  const familyId = student.familyId as number;
  const { payToken } = await readFamily(browser, familyId);
  return { browser, input, tutorId, fixture, familyId, payToken };
}

describe('concurrent requests that change the same data', () => {
  test('F14 two concurrent time zone changes keep the local times of future sessions', async () => {
    const { browser, input, tutorId, fixture } = await createTutorWithUnpaidLesson();
    const { sessionId } = await addLesson(fixture, { date: '2026-11-17', startTime: '16:00' });
    const save = (timeZone: string) => () =>
      browser.call(accounts.updateMe, {
        body: { name: input.name, email: input.email, timeZone },
      });
    const responses = await sendWhileLocked(app.context.db, tutorId, [
      save('America/New_York'),
      save('Europe/London'),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const { timeZone } = (await browser.call(accounts.me)).body;
    const { rows } = await app.admin.query<{ local: string }>(
      `select to_char(starts_at at time zone $3, 'YYYY-MM-DD HH24:MI') as local from sessions
       where tutor_id = $1 and id = $2`,
      [tutorId, sessionId, timeZone],
    );
    expect(rows).toEqual([{ local: '2026-11-17 16:00' }]);
  });

  test('F14 saving the profile with the old address is rejected if a new address is confirmed at the same time', async () => {
    const { browser, input, tutorId } = await createTutorWithUnpaidLesson();
    const [response] = await sendWhileLocked(
      app.context.db,
      tutorId,
      [() => browser.call(accounts.updateMe, { body: { name: 'Late Name', email: input.email } })],
      async () => {
        await app.admin.query(
          'update login_directory set email = $2, email_key = $2 where tutor_id = $1',
          [tutorId, `new.${input.email}`],
        );
      },
    );
    expect(response?.status).toBe(409);
    expect((await browser.call(accounts.me)).body).toMatchObject({
      name: input.name,
      email: `new.${input.email}`,
      pendingEmail: null,
    });
  });

  test('F14 no receipt is sent for a payment that is reversed while the request waits', async () => {
    const { browser, tutorId, familyId } = await createTutorWithUnpaidLesson();
    const { id } = await createPayment(browser, familyId, 3500);
    const [reversed, receipt] = await sendWhileLocked<{ status: number }>(app.context.db, tutorId, [
      () => browser.call(payments.reversePayment, { params: { id } }),
      () => browser.call(messages.sendReceipt, { params: { id }, body: { channel: 'email' } }),
    ]);
    expect([reversed?.status, receipt?.status]).toEqual([200, 409]);
  });

  test('F14 deletion cannot be cancelled once the grace period has ended, even if the cancellation was requested earlier', async () => {
    const { browser, tutorId } = await createTutorWithUnpaidLesson();
    await browser.call(privacy.scheduleDeletion);
    app.clock.advance({ days: 13, hours: 23, minutes: 59 });
    const [response] = await sendWhileLocked(
      app.context.db,
      tutorId,
      [() => browser.call(privacy.cancelDeletion)],
      async () => app.clock.advance({ minutes: 2 }),
    );
    expect(response?.status).toBe(409);
  });

  test('F17 a bank transfer reported twice is recorded once and notifies the tutor once', async () => {
    const { browser, tutorId, familyId, payToken } = await createTutorWithUnpaidLesson();
    const claim = () =>
      app.browser().call(publicBills.claimTransfer, { params: { token: payToken } });
    const responses = await sendWhileLocked(app.context.db, tutorId, [
      claim,
      () => {
        app.clock.advance({ days: 1 });
        return claim();
      },
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const list = await browser.call(notifications.listNotifications, { query: {} });
    expect(list.body.notifications.map(({ kind }) => kind)).toEqual(['transfer_claimed']);
    const { rows } = await app.admin.query<{ count: string }>(
      `select count(*) from families where tutor_id = $1 and id = $2 and transfer_claimed_at is not null`,
      [tutorId, familyId],
    );
    expect(rows).toEqual([{ count: '1' }]);
    const { revision } = (await browser.call(accounts.me)).body;
    await claim();
    expect((await browser.call(accounts.me)).body.revision).toBe(revision);
  });
});
