import { calendar } from '@lessonbook/contract/calendar';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { lessonNotes } from '@lessonbook/contract/lesson-notes';
import { payments } from '@lessonbook/contract/payments';
import { sessions } from '@lessonbook/contract/sessions';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Browser, toRequest } from './test/browser-client.ts';
import { createExport } from './test/create-and-download-export.ts';
import { createTutorWhoCanEmailFamilies } from './test/create-tutor.ts';
import { addLesson, createTutorWithStudentAndSubject } from './test/lesson-fixture.ts';
import {
  createCompletedLesson,
  createPayment,
  readFamily,
  readOpenBill,
} from './test/payment-fixture.ts';
import { createPersonalDataFixture } from './test/personal-data-fixture.ts';
import { startTestApp, type TestApp } from './test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());

/** Endpoints with a reason to read in more than one transaction, and endpoints that do not read a tutor's data. */
const EXCEPTIONS: Record<string, string> = {
  '/api/google/auth': 'writes the OAuth state',
  '/api/google/callback': 'saves the connection',
  '/api/google/sign-in': 'global tables only',
  '/api/google/sign-in/callback': 'global tables only',
  '/api/login/mfa': 'needs a login awaiting its second factor',
  '/api/notifications/stream': 'an endless stream',
  '/api/portal/browsers': 'global tables only',
  '/api/portal/login': 'records the visit to each tutor, whose data is read separately',
  '/api/portal/tutors/:publicId/agreement': 'checks access first',
  '/api/portal/tutors/:publicId/details': 'checks access first',
  '/api/portal/tutors/:publicId/feed': 'checks access first',
  '/api/portal/tutors/:publicId/free-times': 'checks access first',
  '/api/portal/tutors/:publicId/accounts/:accountId/invoices': 'checks access first',
  '/api/portal/tutors/:publicId/accounts/:accountId/invoices/:invoiceId/pdf': 'checks access first',
  '/api/portal/tutors/:publicId/accounts/:accountId/statement': 'checks access first',
  '/api/portal/tutors/:publicId/lessons': 'checks access before it reads with a different role',
  '/api/portal/tutors/:publicId/money': 'checks access first',
  '/api/portal/tutors/:publicId/notes': 'checks access before it reads with a different role',
  '/api/stripe-connect/status': 'calls the card provider between its transactions',
  '/api/unsubscribe/:token': 'redirects to the page',
  '/api/whatsapp/webhooks': 'reads no data',
  // The revision in the ETag is read first; the content is only read if it has changed.
  '/api/calendar/feeds/:token.ics': 'reads its ETag first',
  '/api/portal/feeds/:token.ics': 'reads its ETag first',
  // Writes to the activity log, then reads a file that never changes, chunk by chunk.
  '/api/exports/:id.zip': 'streams a stored file',
};

type Input = { params?: object; query?: object };

async function createInputs(browser: Browser): Promise<Record<string, Input>> {
  const { student, familyIds, upcoming } = await createPersonalDataFixture(browser, '2026-11-16');
  const family = await readFamily(browser, familyIds.carer);
  const period = { familyId: familyIds.solo, from: '2026-11-01', to: '2026-11-30' };
  const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
  const [issued] = (await browser.call(invoices.listInvoices, { query: { state: 'sent' } })).body;
  const [payment] = (await browser.call(payments.listPayments, { query: {} })).body;
  const { body: session } = await browser.call(sessions.session, { params: { id: upcoming } });
  await browser.call(lessonNotes.saveNote, {
    params: { id: upcoming, studentId: session.studentId },
    body: { did: 'Fractions', share: true },
  });
  const lessonInProgress = await addLesson(
    { browser, studentId: student.id, subjectId: session.subjectId },
    { date: '2026-11-16', startTime: '11:00', endTime: '15:00', acceptOverlaps: true },
  );
  await browser.call(calendar.showFeed);
  await createExport(browser);
  await app.admin.query(
    `insert into batches (tutor_id, id, kind, created_at, finished_at)
     select distinct tutor_id, 1, 'send_reminders', now(), now() from invoices`,
  );
  const mail = await app.mailbox.waitFor(({ text }) => text.includes('/unsubscribe/'));
  const unsubscribeToken = /\/unsubscribe\/(\S+)/.exec(mail.text)?.[1];
  const byId = (id: number | undefined) => ({ params: { id } });
  return {
    '/api/batches/:id': byId(1),
    '/api/families/:id': byId(familyIds.carer),
    '/api/families/:id/reminders': byId(familyIds.carer),
    '/api/families/:id/queries': byId(familyIds.carer),
    '/api/families/:id/arrears': byId(familyIds.carer),
    '/api/families/:id/statement.pdf': {
      ...byId(familyIds.carer),
      query: { from: '2026-11-01', to: '2026-11-30' },
    },
    '/api/students/:id': byId(student.id),
    '/api/students/:id/timeline': byId(student.id),
    '/api/students/:id/balance': byId(student.id),
    '/api/students/:id/delete-preview': byId(student.id),
    '/api/students/:id/reminders': byId(student.id),
    '/api/invoices/:id': byId(issued?.id),
    '/api/invoices/:id.pdf': byId(issued?.id),
    '/api/invoices/:id/choices': byId(draft?.id),
    '/api/lessons/:id': byId(1),
    '/api/lessons/:id/delete-preview': {
      ...byId(4),
      query: { scope: 'this', sessionId: upcoming },
    },
    '/api/settings/portal/contacts/:id/preview': byId(student.contacts[0]?.id),
    '/api/settings/portal/contacts/:id/browsers': byId(student.contacts[0]?.id),
    '/api/settings/portal/contacts/:id/activity': byId(student.contacts[0]?.id),
    '/api/payments/:id': byId(payment?.id),
    '/api/payments/form': { query: { familyId: familyIds.carer } },
    '/api/pay/:token': { params: { token: family.payToken } },
    '/api/pay/:token/pdf': { params: { token: issued?.token } },
    '/api/unsubscribe/:token/reminders': { params: { token: unsubscribeToken } },
    '/api/messages/:id': byId(1),
    '/api/messages/families-with-lesson': { query: { date: '2026-11-17' } },
    '/api/people': { query: { kind: 'student' } },
    '/api/search': { query: { q: 'a' } },
    '/api/sessions': { query: { from: '2026-11-01', to: '2026-11-30' } },
    '/api/sessions/by-date/:date': { params: { date: '2026-11-16' } },
    '/api/sessions/:id': byId(upcoming),
    '/api/sessions/:id/messages': byId(upcoming),
    '/api/sessions/:id/not-arrived': byId(lessonInProgress.sessionId),
    '/api/sessions/:id/students': byId(upcoming),
    '/api/sessions/:id/family-notes': byId(upcoming),
    '/api/sessions/:id/students/:studentId/family-note/versions': {
      params: { id: upcoming, studentId: session.studentId },
    },
    '/api/students/:id/family-notes': byId(student.id),
    '/api/sessions/:id/cancellation': { ...byId(upcoming), query: { cancelledBy: 'carer' } },
    '/api/sessions/:id/students/:studentId/cancellation': {
      params: { id: upcoming, studentId: session.studentId },
      query: { cancelledBy: 'carer' },
    },
  };
}

describe('F15 a reply is read from one snapshot', () => {
  test('every GET endpoint reads the data of its reply in one transaction', async () => {
    const { browser } = await createTutorWhoCanEmailFamilies(app);
    const inputs = await createInputs(browser);
    const { db } = app.context;
    const methods = [
      vi.spyOn(db, 'contactRead'),
      vi.spyOn(db, 'tutorRead'),
      vi.spyOn(db, 'tutorSnapshot'),
      vi.spyOn(db, 'tutorTransaction'),
      vi.spyOn(db, 'tutorTransactionUnlocked'),
    ];
    const countTransactions = () => methods.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    const unexpected: string[] = [];
    const endpoints = app.http.endpoints.filter(
      ({ method, path }) => method === 'GET' && !(path in EXCEPTIONS),
    );
    for (const endpoint of endpoints) {
      const before = countTransactions();
      const { path } = toRequest(endpoint, inputs[endpoint.path]);
      const { status } = await browser.send('GET', path);
      const transactions = countTransactions() - before;
      if (status !== 200 || transactions > 1)
        unexpected.push(`${endpoint.path}: ${status}, ${transactions} transactions`);
    }
    for (const method of methods) method.mockRestore();
    expect(unexpected).toEqual([]);
    expect(endpoints.length).toBeGreaterThan(40);
  });

  /** Makes requests that read this table wait until `change` has been committed. */
  async function changeBetweenReads<T>(
    table: string,
    request: () => Promise<T>,
    change: () => Promise<unknown>,
  ): Promise<T> {
    const owner = new pg.Client(app.urls.ownerUrl);
    await owner.connect();
    await owner.query(`begin; lock table ${table} in access exclusive mode`);
    const response = request();
    await waitUntil(
      async () => {
        const { rows } = await app.admin.query(
          'select 1 from pg_locks where not granted and relation = $1::regclass',
          [table],
        );
        return rows.length > 0;
      },
      () => `nothing is waiting for ${table}`,
    );
    await change();
    await owner.query('commit');
    await owner.end();
    return response;
  }

  test('the amounts on the public bill match its lines', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    const { browser, studentId } = fixture;
    await createCompletedLesson(fixture, studentId, '2026-11-03');
    const [family] = (await browser.call(families.listFamilies)).body;
    const familyId = family?.id ?? 0;
    const { payToken } = await readFamily(browser, familyId);
    const readBill = () => readOpenBill(app.browser(), payToken);
    // Recording the payment does not read the subjects, but its reply does, so only the commit is awaited.
    let recorded: Promise<unknown> = Promise.resolve();
    const bill = await changeBetweenReads('subjects', readBill, async () => {
      recorded = createPayment(browser, familyId, 3500);
      await waitUntil(
        async () => {
          const { rows } = await app.admin.query(
            'select 1 from payments p join shared_links l using (tutor_id) where l.public_id = $1',
            [payToken.slice(2, 18)],
          );
          return rows.length > 0;
        },
        () => 'the payment has not been recorded',
      );
    });
    await recorded;
    const outstanding = bill.lines.reduce((sum, line) => sum + line.outstanding, 0);
    expect(bill.amounts).toEqual([{ currency: 'GBP', due: 3500 }]);
    expect(outstanding).toBe(3500);
    expect((await readBill()).state).toBe('paid');
  });
});
