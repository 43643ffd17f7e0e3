import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { accounts } from '@lessonbook/contract/accounts';
import { dataExport } from '@lessonbook/contract/data-export';
import { batches } from '@lessonbook/contract/invoice-and-reminder-batches';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { type NotificationKind, notifications } from '@lessonbook/contract/notifications';
import { payments } from '@lessonbook/contract/payments';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { notifyOwner } from './domains/accounts/service/email/security-email.ts';
import { linkIdentity } from './domains/accounts/service/google/link-google.ts';
import { jobs } from './jobs.ts';
import { abandonStalledWork, STALLED_WORK } from './platform/queue/abandon-work-without-job.ts';
import type { Browser } from './test/browser-client.ts';
import { createStudent } from './test/create-student-and-subject.ts';
import { addPaymentInstructions, createTutor } from './test/create-tutor.ts';
import { createTutorWithStudentAndSubject } from './test/lesson-fixture.ts';
import { createCompletedLesson } from './test/payment-fixture.ts';
import {
  createCardFixture,
  type StripeTestApp,
  startStripeTestApp,
  TEST_CARD,
} from './test/stripe-test-app.ts';
import { exhaustRetries } from './test/wait-for-queue-and-control-retries.ts';

/* After the last attempt of a job has failed, the tutor sees the new state and a notification. */

let stripeApp: StripeTestApp;
let owner: pg.Client;
beforeAll(async () => {
  // No mail server listens on this port, so every email fails.
  stripeApp = await startStripeTestApp({ SMTP_URL: 'smtp://127.0.0.1:1' });
  owner = new pg.Client(stripeApp.app.urls.ownerUrl);
  await owner.connect();
});
afterEach(async () => {
  await stripeApp.stripe.control.clearFaults();
  await stripeApp.app.restartClock();
  await owner.query('grant insert on export_chunks, shared_links to lessonbook_app');
});
afterAll(async () => {
  await owner.end();
  await stripeApp.close();
});

interface FailingWork {
  browser: Browser;
  /** Reads what the tutor or the domain sees, before and after the job is abandoned. */
  readState: () => Promise<unknown>;
}

interface AbandonedCase {
  /** Starts work whose job cannot succeed. */
  start: () => Promise<FailingWork>;
  pending: unknown;
  abandoned: unknown;
  notification: { kind: NotificationKind; text: RegExp };
}

const readTutorId = async (browser: Browser): Promise<string> => {
  const { username } = (await browser.call(accounts.me)).body;
  const { rows } = await stripeApp.app.admin.query<{ id: string }>(
    'select tutor_id as id from login_directory where username = $1',
    [username],
  );
  return rows[0]?.id ?? '';
};
const count = async (sql: string, tutorId: string): Promise<number> =>
  (await stripeApp.app.admin.query(sql, [tutorId])).rowCount ?? 0;
const verifyEmail = (tutorId: string) =>
  stripeApp.app.context.db.global
    .updateTable('login_directory')
    .set({ email_verified_at: new Date() })
    .where('tutor_id', '=', tutorId)
    .execute();
const listNotifications = async (browser: Browser) =>
  (await browser.call(notifications.listNotifications, { query: {} })).body.notifications;

async function createPaidFixture() {
  const fixture = await createCardFixture(stripeApp);
  await stripeApp.stripe.control.payOnCheckoutPage(await fixture.openCheckout(), TEST_CARD);
  await stripeApp.waitUntilIdle();
  const [payment] = (await fixture.browser.call(payments.listPayments, { query: {} })).body;
  return { ...fixture, paymentId: payment?.id ?? 0 };
}

/** A family whose emails fail. */
async function startMessage(
  send: (browser: Browser, familyId: number) => Promise<unknown>,
): Promise<FailingWork> {
  const fixture = await createTutorWithStudentAndSubject(stripeApp.app);
  const { browser } = fixture;
  await verifyEmail(await readTutorId(browser));
  await addPaymentInstructions(stripeApp.app, (await browser.call(accounts.me)).body);
  const student = await createStudent(browser, {
    name: 'Maya Hale',
    carerName: 'Ruth Hale',
    carerEmail: 'ruth@families.example',
  });
  await createCompletedLesson(fixture, student.id, '2026-11-10');
  await send(browser, student.familyId as number);
  const readState = async () =>
    (await browser.call(messages.listMessages, { query: {} })).body.map(({ state, problem }) => ({
      state,
      problem,
    }));
  return { browser, readState };
}

const failedMessage: Omit<AbandonedCase, 'start'> = {
  pending: [{ state: 'waiting', problem: null }],
  abandoned: [
    {
      state: 'failed',
      problem:
        "We tried for a day but couldn't deliver this email. Please check the address, then try again.",
    },
  ],
  notification: { kind: 'message_failed', text: /A message to Ruth Hale couldn't be sent/ },
};

const cases: Record<string, AbandonedCase> = {
  'account-mail': {
    start: async () => {
      const { browser } = await createTutor(stripeApp.app);
      return {
        browser,
        readState: async () => (await browser.call(accounts.me)).body.emailVerified,
      };
    },
    pending: false,
    abandoned: false,
    notification: { kind: 'email_failed', text: /couldn't send the email to confirm/ },
  },
  'password-reset-mail': {
    start: async () => {
      const { browser, input } = await createTutor(stripeApp.app);
      await verifyEmail(await readTutorId(browser));
      await browser.call(accounts.forgotPassword, { body: { account: input.email } });
      return { browser, readState: async () => (await browser.call(accounts.me)).status };
    },
    pending: 200,
    abandoned: 200,
    notification: { kind: 'email_failed', text: /email to choose a new password/ },
  },
  'google-linked-mail': {
    start: async () => {
      const { context } = stripeApp.app;
      const { browser, input } = await createTutor(stripeApp.app);
      const tutorId = await readTutorId(browser);
      await context.db.tutorTransaction(tutorId, (tx) =>
        linkIdentity(context, tx, tutorId, `google ${tutorId}`),
      );
      // Linking logs out every browser.
      await browser.call(accounts.login, { body: input });
      const unnotified =
        'select 1 from identities where tutor_id = $1 and owner_notified_at is null';
      return { browser, readState: () => count(unnotified, tutorId) };
    },
    pending: 1,
    abandoned: 0,
    notification: { kind: 'email_failed', text: /Google sign-in was added/ },
  },
  'security-mail': {
    start: async () => {
      const { context } = stripeApp.app;
      const { browser } = await createTutor(stripeApp.app);
      const tutorId = await readTutorId(browser);
      await verifyEmail(tutorId);
      await context.db.tutorTransaction(tutorId, (tx) =>
        notifyOwner(context, tx, tutorId, 'password-changed'),
      );
      const unsent = 'select 1 from security_email_outbox where tutor_id = $1';
      return { browser, readState: () => count(unsent, tutorId) };
    },
    pending: 1,
    abandoned: 0,
    notification: { kind: 'email_failed', text: /Your Lessonbook password was changed/ },
  },
  'card-event': {
    start: async () => {
      const fixture = await createCardFixture(stripeApp);
      const sessionId = await fixture.openCheckout();
      const path = '^/v1/checkout/sessions/';
      await stripeApp.stripe.control.addFault({ kind: 'status', status: 500, method: 'GET', path });
      await stripeApp.stripe.control.payOnCheckoutPage(sessionId, TEST_CARD);
      const tutorId = await readTutorId(fixture.browser);
      await owner.query(
        `update tenant_schedule set next_due_at = '2026-11-17T12:00:00Z' where tutor_id = $1 and kind = 'cards'`,
        [tutorId],
      );
      // The test clock does not advance, so the reconciliation is due as soon as it is rescheduled.
      const due = `select 1 from tenant_schedule
                   where tutor_id = $1 and kind = 'cards' and next_due_at <= '2026-11-16T12:00:00Z'`;
      return { browser: fixture.browser, readState: () => count(due, tutorId) };
    },
    pending: 0,
    abandoned: 1,
    notification: { kind: 'card_update_failed', text: /check your card payments/ },
  },
  'card-refund': {
    start: async () => {
      const { browser, paymentId } = await createPaidFixture();
      // The tutor is notified of a failed refund even if payment notifications are turned off.
      const settings = (await browser.call(accounts.notificationSettings)).body;
      await browser.call(accounts.updateNotificationSettings, {
        body: { ...settings, paymentNotifications: false },
      });
      const path = '^/v1/refunds';
      await stripeApp.stripe.control.addFault({ kind: 'status', status: 500, path });
      const body = { amount: 2000, date: '2026-11-16', note: null };
      await browser.call(payments.refundPayment, { params: { id: paymentId }, body });
      const readState = async () =>
        (await browser.call(payments.payment, { params: { id: paymentId } })).body
          .pendingRefundAmount;
      return { browser, readState };
    },
    pending: 2000,
    abandoned: 0,
    notification: { kind: 'refund_failed', text: /The £20\.00 refund to .* didn't go through/ },
  },
  'send-message': {
    start: () =>
      startMessage((browser, familyId) =>
        browser.call(messages.sendReminder, { body: { familyId, channel: 'email' } }),
      ),
    ...failedMessage,
  },
  'send-document': {
    start: () =>
      startMessage(async (browser, familyId) => {
        const body = { familyId, from: '2026-11-01', to: '2026-11-30' };
        const [draft] = (await browser.call(invoices.draftInvoice, { body })).body;
        const id = draft?.id ?? 0;
        await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
        await browser.call(messages.sendInvoice, { params: { id }, body: { channel: 'email' } });
      }),
    ...failedMessage,
  },
  'run-batch': {
    start: async () => {
      const fixture = await createTutorWithStudentAndSubject(stripeApp.app);
      const { browser } = fixture;
      const student = await createStudent(browser, {
        name: 'Maya Hale',
        carerName: 'Ruth Hale',
        carerEmail: 'ruth@families.example',
      });
      await createCompletedLesson(fixture, student.id, '2026-11-10');
      const period = { familyId: student.familyId as number, from: '2026-11-01', to: '2026-11-30' };
      const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
      await owner.query('revoke insert on shared_links from lessonbook_app');
      const body = { kind: 'issue_invoices' as const, ids: [draft?.id ?? 0] };
      const { id } = (await browser.call(batches.startBatch, { body })).body;
      const readState = async () =>
        (await browser.call(batches.batch, { params: { id } })).body.items.map(
          ({ state, problem }) => ({ state, problem }),
        );
      return { browser, readState };
    },
    pending: [{ state: 'waiting', problem: null }],
    abandoned: [
      {
        state: 'not_done',
        problem: "Something went wrong and this couldn't be done. Please try again.",
      },
    ],
    notification: { kind: 'batch_failed', text: /1 invoice wasn't issued/ },
  },
  'make-export': {
    start: async () => {
      await owner.query('revoke insert on export_chunks from lessonbook_app');
      const { browser } = await createTutor(stripeApp.app);
      await browser.call(dataExport.requestExport);
      const readState = async () => {
        const state = (await browser.call(dataExport.latestExport)).body.export?.state;
        return state === 'making' ? 'waiting' : state;
      };
      return { browser, readState };
    },
    pending: 'waiting',
    abandoned: 'failed',
    notification: { kind: 'export_failed', text: /Your export failed/ },
  },
  'deletion-mail': {
    start: async () => {
      const { browser } = await createTutor(stripeApp.app);
      await browser.call(privacy.scheduleDeletion);
      const readState = async () => (await browser.call(privacy.deletionStatus)).body.deletesAt;
      return { browser, readState };
    },
    pending: '2026-11-30T12:00:00.000Z',
    abandoned: '2026-11-30T12:00:00.000Z',
    notification: { kind: 'email_failed', text: /will be deleted on 30 November 2026/ },
  },
};

async function expectAbandoned(work: FailingWork, { abandoned, notification }: AbandonedCase) {
  const { kind, text } = notification;
  await waitUntil(
    async () => (await listNotifications(work.browser)).some((each) => each.kind === kind),
    () => `the tutor has no ${kind} notification`,
  );
  expect(await work.readState()).toEqual(abandoned);
  const found = (await listNotifications(work.browser)).filter((each) => each.kind === kind);
  expect(found).toEqual([expect.objectContaining({ text: expect.stringMatching(text) })]);
}

const jobsWithHandler = jobs.filter((job) => job.onAbandoned !== undefined);

test('F10 F11 every job with a handler for abandoned jobs has a case here, and every other job states why it needs none', () => {
  expect(jobsWithHandler.map((job) => job.name).toSorted()).toEqual(Object.keys(cases).toSorted());
  const reasons = jobs.flatMap((job) => job.noAbandonedHandlerReason ?? []);
  expect(reasons).toHaveLength(jobs.length - jobsWithHandler.length);
  expect(reasons).not.toContain('');
});

describe('F10 F11 after the last attempt, the state changes and the tutor is notified', () => {
  test.each(Object.entries(cases))('%s', async (name, abandonedCase) => {
    const work = await abandonedCase.start();
    expect(await work.readState()).toEqual(abandonedCase.pending);
    await exhaustRetries(stripeApp.app, name, await readTutorId(work.browser));
    await expectAbandoned(work, abandonedCase);
  });
});

describe('F10 the daily sweep abandons work whose job no longer exists', () => {
  const sweepable = jobsWithHandler.filter((job) => 'listPending' in job).map((job) => job.name);

  test.each(sweepable)('%s', async (name) => {
    const abandonedCase = cases[name] as AbandonedCase;
    const work = await abandonedCase.start();
    const tutorId = await readTutorId(work.browser);
    const sweep = async () => {
      await owner.query(
        `update tenant_schedule set next_due_at = '2026-11-16T00:00:00Z' where tutor_id = $1 and kind = $2`,
        [tutorId, STALLED_WORK],
      );
      await abandonStalledWork(stripeApp.app.context, jobs);
    };
    // As long as the job exists, nothing is abandoned.
    await sweep();
    expect(await work.readState()).toEqual(abandonedCase.pending);
    const remove = `delete from jobs.job where name = $1 and data->>'tutorId' = $2 and state <> 'active'`;
    await waitUntil(
      async () => ((await owner.query(remove, [name, tutorId])).rowCount ?? 0) > 0,
      () => `there is no ${name} job`,
    );
    await sweep();
    await sweep();
    await expectAbandoned(work, abandonedCase);
  });
});

test('F10 nothing is left waiting if the worker dies during the last attempt', async () => {
  const abandonedCase = cases['send-message'] as AbandonedCase;
  const work = await abandonedCase.start();
  const tutorId = await readTutorId(work.browser);
  const simulateDeadWorker = `update jobs.job set state = 'active', retry_count = retry_limit,
                 started_on = now() - interval '1 minute', heartbeat_on = now() - interval '1 minute'
               where name = 'send-message' and data->>'tutorId' = $1 and state = 'retry'`;
  await waitUntil(
    async () => (await owner.query(simulateDeadWorker, [tutorId])).rowCount === 1,
    () => 'the job has not failed',
  );
  await expectAbandoned(work, abandonedCase);
});

test('F11 a reminder that cannot be delivered before the lesson is reported', async () => {
  const abandonedCase = cases['send-message'] as AbandonedCase;
  const work = await abandonedCase.start();
  const tutorId = await readTutorId(work.browser);
  await waitUntil(
    async () =>
      (await count('select 1 from messages where tutor_id = $1 and attempts > 0', tutorId)) === 1,
    () => 'the email has not failed',
  );
  // Turns the message into a reminder for a lesson that has already started.
  await owner.query("select set_config('app.tutor_id', $1, false)", [tutorId]);
  await owner.query(
    `update messages set kind = 'lesson_reminder', automatic = true, sent_at = null,
       dedupe_key = 'reminder c1 2026-11-17 email' where tutor_id = $1`,
    [tutorId],
  );
  await owner.query(
    `insert into message_sessions (tutor_id, message_id, session_id, student_id, communicated_starts_at, student_name, summary)
     select m.tutor_id, m.id, s.id, x.student_id, s.starts_at, 'Maya', 'Maths' from messages m
     join sessions s on s.tutor_id = m.tutor_id
     join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id where m.tutor_id = $1`,
    [tutorId],
  );
  await owner.query(`update sessions set status = 'scheduled' where tutor_id = $1`, [tutorId]);
  await owner.query(
    `update jobs.job set start_after = now() where name = 'send-message' and data->>'tutorId' = $1`,
    [tutorId],
  );
  await waitUntil(
    async () => (await listNotifications(work.browser)).length > 0,
    () => 'the tutor has not been notified',
  );
  expect(await work.readState()).toEqual([
    { state: 'failed', problem: "The email couldn't be delivered before the lesson." },
  ]);
});
