import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { googleCalendar } from '../integrations/google-calendar.ts';
import { googleOpenId } from '../integrations/google-sign-in.ts';
import { smtpMailer } from '../integrations/mail.ts';
import { stripeCards } from '../integrations/stripe.ts';
import { whatsAppCloud } from '../integrations/whatsapp.ts';
import { newStudent, newSubject } from '../test/factories.ts';
import { addLesson } from '../test/lesson-fixture.ts';
import { createSelfSignedCertificate } from '../test/self-signed-certificate.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';
import { createVerifiedTutor } from '../test/tutor.ts';

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listen = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** Every vendor, asked at this address; each call should fail. */
const vendors: Record<string, (url: string) => Promise<unknown>> = {
  Stripe: (url) =>
    stripeCards({
      secretKey: 'sk_test_canary',
      accountSecret: 'whsec_x',
      paymentSecret: 'whsec_x',
      url,
    }).accountState('acct_1'),
  WhatsApp: (url) =>
    whatsAppCloud({
      url,
      phoneNumberId: '1',
      token: 'canary',
      templateLanguage: 'en_GB',
    }).send({
      to: '447700900000',
      template: 'lesson_reminder',
      parameters: ['x'],
      reference: 'r',
    }),
  'Google’s sign-in': (url) =>
    googleOpenId({
      issuer: url,
      clientId: 'c',
      clientSecret: 'canary',
      redirectUri: `${url}/back`,
    }).authorizationUrl({
      state: 's',
      nonce: 'n',
      verifier: 'v'.repeat(43),
    }),
  'Google’s calendar': (url) =>
    googleCalendar({
      clientId: 'c',
      clientSecret: 'canary',
      redirectUri: `${url}/back`,
      webhookUrl: `${url}/hook`,
      url: `${url}/`,
      consentUrl: `${url}/consent`,
      tokenUrl: `${url}/token`,
      revokeUrl: `${url}/revoke`,
    }).exchangeCode('code', 'v'.repeat(43)),
};

describe('vendors', () => {
  let plain: Server;
  let elsewhere: Server;
  let secure: Server;
  let visits: string[] = [];
  let asked = 0;
  beforeAll(async () => {
    elsewhere = createServer((request, reply) => {
      visits.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      reply.end('{}');
    });
    await listen(elsewhere);
    plain = createServer((_request, reply) => {
      asked += 1;
      reply.writeHead(307, { location: `http://127.0.0.1:${portOf(elsewhere)}/canary` }).end();
    });
    await listen(plain);
    secure = createTlsServer(createSelfSignedCertificate(), (request, reply) => {
      visits.push(`${request.method} ${request.url}`);
      reply.end('{}');
    });
    await listen(secure);
  });
  afterAll(() => Promise.all([plain, elsewhere, secure].map(close)));

  test.each(Object.entries(vendors))(
    '[V15.3.2, V13.2.4] %s is asked where it was configured, and nobody is asked to whom it would send us on',
    async (_, ask) => {
      [visits, asked] = [[], 0];
      await expect(ask(`http://127.0.0.1:${portOf(plain)}`)).rejects.toThrow();
      expect(asked).toBeGreaterThan(0);
      expect(visits).toEqual([]);
    },
  );

  test('the certificate that nobody vouches for is one', async () => {
    const socket = connectTls({
      port: portOf(secure),
      host: '127.0.0.1',
      rejectUnauthorized: false,
    });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    expect(socket.authorized).toBe(false);
    expect(String(socket.authorizationError)).toMatch(/SELF_SIGNED/);
    socket.destroy();
  });

  test.each(Object.entries(vendors))(
    '[V12.3.2] %s is told nothing under a certificate that nobody vouches for',
    async (_, ask) => {
      visits = [];
      await expect(ask(`https://127.0.0.1:${portOf(secure)}`)).rejects.toThrow();
      expect(visits).toEqual([]);
    },
  );

  test('[V12.3.2] nor is a mail server', async () => {
    const smtpUrl = `smtps://user:canary@127.0.0.1:${portOf(secure)}`;
    const mailer = smtpMailer({ smtpUrl, from: 'book@lessonbook.example', domain: 'x.example' });
    const to = { name: 'Ada', address: 'ada@example.com' };
    const mail = { to, subject: 's', text: 't', html: 'h', messageId: 'm' };
    await expect(mailer.send(mail)).rejects.toThrow(/self.signed/i);
    mailer.close();
  });
});

describe('[V1.3.6, V13.2.5] addresses that somebody typed', () => {
  let app: TestApp;
  let inner: Server;
  const visits: string[] = [];
  beforeAll(async () => {
    app = await startTestApp();
    inner = createServer((request, reply) => {
      visits.push(request.url ?? '');
      reply.end('inner');
    });
    await listen(inner);
  });
  afterAll(async () => {
    await app.close();
    await close(inner);
  });

  test('are never visited by us: not from a name, a note, a place, an invoice, a mail or a file', async () => {
    const bait = `http://127.0.0.1:${portOf(inner)}/latest/meta-data`;
    const tags = `<img src="${bait}"> ![x](${bait}) file:///etc/passwd`;
    const { browser } = await createVerifiedTutor(app, { name: `Ada ${bait}` });
    const subject = await newSubject(browser, { name: bait.slice(0, 50) });
    const student = await newStudent(browser, {
      name: `Maya ${bait}`,
      notes: tags,
      carerName: `<img src=${bait}>`,
      carerEmail: 'family@example.com',
    });
    const fixture = { browser, studentId: student.id, subjectId: subject.id };
    await addLesson(fixture, { title: bait, location: bait, notes: tags } as never);
    await browser.call(businessSettings.saveBusinessSettings, {
      body: {
        tradingName: bait,
        address: tags,
        dueDays: 7,
        invoicePrefix: '',
        nextInvoiceNumber: 1,
      },
    });
    const familyId = student.familyId ?? 0;
    const period = { familyId, from: '2026-11-01', to: '2026-12-31', includeComing: true };
    const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
    const id = draft?.id ?? 0;
    await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
    const paper = await browser.send('GET', `/api/invoices/${id}.pdf`);
    expect(paper.status).toBe(200);
    const words = { familyId, channel: 'email' as const, subject: bait, text: tags };
    await browser.call(messages.sendReminder, { body: words });
    await app.mailbox.waitFor((mail) => mail.to.includes('family@example.com'));
    await browser.send('POST', '/api/import/preview', {
      kind: 'students',
      text: `name,notes\n${bait},x`,
    });
    expect(visits).toEqual([]);
    // It would have been heard.
    await fetch(bait);
    expect(visits).toEqual(['/latest/meta-data']);
  });

  test('no call takes an address to fetch: the ones that are told are our own', () => {
    const fields = app.http.endpoints.flatMap(({ path, params, query, body }) =>
      [params, query, body].flatMap((schema) => {
        const shape = (schema as unknown as { shape?: Record<string, unknown> } | undefined)?.shape;
        return Object.keys(shape ?? {}).map((field) => `${path} ${field}`);
      }),
    );
    expect(fields.length).toBeGreaterThan(100);
    const addresses = fields.filter((field) =>
      /(url|uri|href|link|callback|webhook|host)$/i.test(field),
    );
    // Google's picture, which the specification sends along and nobody looks at.
    expect(addresses).toEqual(['/api/social-auth photoURL']);
  });
});
