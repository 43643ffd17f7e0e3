import { businessSettings } from '@lessonbook/contract/business-settings';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../test/create-tutor.ts';
import { addLesson, createTutorWithStudentAndSubject } from '../test/lesson-fixture.ts';
import { createCompletedLesson } from '../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const businessInput = (invoicePrefix: string) => ({
  tradingName: 'Evil"; filename="x.exe\r\nSet-Cookie: a=b',
  address: 'x',
  paymentInstructions: 'In cash at the lesson',
  dueDays: 7,
  invoicePrefix,
  nextInvoiceNumber: 1,
});

describe('downloads', () => {
  test('[V5.4.1, V5.4.2] have safe file names: user input can neither end the name nor inject a header', async () => {
    const { browser } = await createTutorWhoCanEmailFamilies(app);
    for (const prefix of ['"; x="', 'a\r\nb', '$(id)', 'a b', '文', '<x>']) {
      const response = await browser.call(businessSettings.saveBusinessSettings, {
        body: businessInput(prefix),
      });
      expect([prefix, response.status]).toEqual([prefix, 400]);
    }
    const student = await createStudent(browser, {
      name: 'Maya"; filename="evil.html',
      carerName: 'Ruth\u202Efdp.exe',
      carerEmail: 'ruth@example.com',
    });
    const subject = (await browser.send('POST', '/api/subjects', { name: 'Maths', defaultFee: 30 }))
      .body as { id: number };
    const fixture = { browser, studentId: student.id, subjectId: subject.id };
    await browser.call(businessSettings.saveBusinessSettings, { body: businessInput('../A/') });
    await createCompletedLesson(fixture, student.id, '2026-11-03');
    const familyId = student.familyId ?? 0;
    const period = { familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
    const id = draft?.id ?? 0;
    await browser.call(invoices.issueInvoices, { body: { ids: [id] } });

    const pdf = await browser.send('GET', `/api/invoices/${id}.pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.pdf"$/);
    expect(pdf.headers.get('content-disposition')).not.toMatch(/\/|evil|exe/);
    expect(pdf.headers.getSetCookie()).toEqual([]);

    await browser.call(messages.sendInvoice, { params: { id }, body: { channel: 'email' } });
    const mail = await app.mailbox.waitFor((sent) => sent.to.includes('ruth@example.com'));
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([
      expect.stringMatching(/^[\w.-]+\.pdf$/),
    ]);
  });

  test('[V5.4.1] ignore file names in the query string', async () => {
    const { browser } = await createTutorWithStudentAndSubject(app);
    const path = '/api/reports/earnings.csv?period=last_month&filename=evil.html&name=evil.html';
    const file = await browser.send('GET', path);
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="earnings-[\w.-]+\.csv"$/,
    );
  });
});

describe('[V14.2.1] URLs', () => {
  test('have no parameters for passwords, logins or personal data', () => {
    const sensitive = /pass|secret|email|phone|name$|key$|login|user/i;
    const matches = app.http.endpoints.flatMap(({ path, params, query }) =>
      [params, query].flatMap((schema) =>
        Object.keys((schema as unknown as { shape?: object } | undefined)?.shape ?? {})
          .filter((field) => sensitive.test(field))
          .map((field) => `${path} ${field}`),
      ),
    );
    expect(matches).toEqual([]);
  });

  test('contain a token only where the URL is the credential', () => {
    const tokens = app.http.endpoints
      .filter(({ path, query }) =>
        /token/.test(
          path + Object.keys((query as unknown as { shape?: object })?.shape ?? {}).join(),
        ),
      )
      .map(({ method, path }) => `${method} ${path}`);
    expect(tokens.toSorted()).toEqual([
      'DELETE /api/pay/:token/transferred',
      'DELETE /api/unsubscribe/:token/report',
      'GET /api/calendar/feeds/:token.ics',
      'GET /api/pay/:token',
      'GET /api/pay/:token/pdf',
      'GET /api/portal/feeds/:token.ics',
      'GET /api/unsubscribe/:token',
      'GET /api/unsubscribe/:token/reminders',
      // Meta's webhook verification.
      'GET /api/whatsapp/webhooks',
      'POST /api/pay/:token/card',
      'POST /api/pay/:token/transferred',
      'POST /api/unsubscribe/:token',
      'POST /api/unsubscribe/:token/report',
      'PUT /api/unsubscribe/:token/reminders',
    ]);
  });

  test('the login token is accepted only in its cookie', async () => {
    const fixture = await createTutorWithStudentAndSubject(app);
    await addLesson(fixture);
    const token = fixture.browser.cookies.get('lessonbook') ?? '';
    const visitor = app.browser();
    for (const [path, headers] of [
      [`/api/me?lessonbook=${token}&token=${token}&access_token=${token}`, {}],
      ['/api/me', { authorization: `Bearer ${token}` }],
      ['/api/me', { 'x-auth-token': token, 'x-session': token }],
    ] as const)
      expect((await visitor.send('GET', path, undefined, headers)).status).toBe(401);
  });
});
