import { businessDetails } from '@lessonbook/contract/business';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newStudent } from '../test/book.ts';
import { type House, openHouse } from '../test/house.ts';
import { teach } from '../test/money.ts';
import { addLesson, openDesk } from '../test/teaching.ts';
import { confirmed } from '../test/tutor.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const business = (invoicePrefix: string) => ({
  tradingName: 'Evil"; filename="x.exe\r\nSet-Cookie: a=b',
  address: 'x',
  dueDays: 7,
  invoicePrefix,
  nextInvoiceNumber: 1,
});

describe('files that are given out', () => {
  test('[V5.4.1, V5.4.2] have names of our own making: nothing that somebody typed ends the name or begins a header', async () => {
    const { browser } = await confirmed(house);
    for (const prefix of ['"; x="', 'a\r\nb', '$(id)', 'a b', '文', '<x>']) {
      const answer = await browser.call(businessDetails.saveBusiness, { body: business(prefix) });
      expect([prefix, answer.status]).toEqual([prefix, 400]);
    }
    const student = await newStudent(browser, {
      name: 'Maya"; filename="evil.html',
      carerName: 'Ruth\u202Efdp.exe',
      carerEmail: 'ruth@example.com',
    });
    const subject = (await browser.send('POST', '/api/subjects', { name: 'Maths', defaultFee: 30 }))
      .body as { id: number };
    const desk = { browser, studentId: student.id, subjectId: subject.id };
    await browser.call(businessDetails.saveBusiness, { body: business('../A/') });
    await teach(desk, student.id, '2026-11-03');
    const familyId = student.familyId ?? 0;
    const period = { familyId, from: '2026-11-01', to: '2026-11-30' };
    const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
    const id = draft?.id ?? 0;
    await browser.call(invoices.issueInvoices, { body: { ids: [id] } });

    const paper = await browser.send('GET', `/api/invoices/${id}.pdf`);
    expect(paper.headers.get('content-type')).toBe('application/pdf');
    expect(paper.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w.-]+\.pdf"$/,
    );
    expect(paper.headers.get('content-disposition')).not.toMatch(/\/|evil|exe/);
    expect(paper.headers.getSetCookie()).toEqual([]);

    await browser.call(messages.sendInvoice, { params: { id }, body: { channel: 'email' } });
    const mail = await house.mailbox.waitFor((one) => one.to.includes('ruth@example.com'));
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([
      expect.stringMatching(/^[\w.-]+\.pdf$/),
    ]);
  });

  test('[V5.4.1] a name that a caller asks for is not listened to', async () => {
    const { browser } = await openDesk(house);
    const path = '/api/reports/earnings.csv?period=last_month&filename=evil.html&name=evil.html';
    const file = await browser.send('GET', path);
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="earnings-[\w.-]+\.csv"$/,
    );
  });
});

describe('[V14.2.1] addresses', () => {
  test('carry no password, no login and no personal data: such fields are in bodies', () => {
    const secret = /pass|secret|email|phone|name$|key$|login|user/i;
    const named = house.http.endpoints.flatMap(({ path, params, query }) =>
      [params, query].flatMap((schema) =>
        Object.keys((schema as unknown as { shape?: object } | undefined)?.shape ?? {})
          .filter((field) => secret.test(field))
          .map((field) => `${path} ${field}`),
      ),
    );
    expect(named).toEqual([]);
  });

  test('carry a token only where whoever holds the address is meant to come in by it', () => {
    const tokens = house.http.endpoints
      .filter(({ path, query }) =>
        /token/.test(
          path + Object.keys((query as unknown as { shape?: object })?.shape ?? {}).join(),
        ),
      )
      .map(({ method, path }) => `${method} ${path}`);
    expect(tokens.toSorted()).toEqual([
      'GET /api/calendar/feeds/:token.ics',
      'GET /api/pay/:token',
      'GET /api/pay/:token/pdf',
      // The word that Meta sends once to see that the address is ours, as Meta has it.
      'GET /api/whatsapp/webhooks',
      'POST /api/pay/:token/card',
      'POST /api/pay/:token/transferred',
      'POST /api/unsubscribe/:token',
    ]);
  });

  test('a login is taken from its cookie alone', async () => {
    const desk = await openDesk(house);
    await addLesson(desk);
    const token = desk.browser.cookies.get('lessonbook') ?? '';
    const visitor = house.browser();
    for (const [path, headers] of [
      [`/api/me?lessonbook=${token}&token=${token}&access_token=${token}`, {}],
      ['/api/me', { authorization: `Bearer ${token}` }],
      ['/api/me', { 'x-auth-token': token, 'x-session': token }],
    ] as const)
      expect((await visitor.send('GET', path, undefined, headers)).status).toBe(401);
  });
});
