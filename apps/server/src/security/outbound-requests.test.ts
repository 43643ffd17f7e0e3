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
import { createStudent, createSubject } from '../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../test/create-tutor.ts';
import { addLesson } from '../test/lesson-fixture.ts';
import { createSelfSignedCertificate } from '../test/self-signed-certificate.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listen = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const close = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** Makes one call to each vendor at this URL; each call should fail. */
const vendorCalls: Record<string, (url: string) => Promise<unknown>> = {
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
  'Google sign-in': (url) =>
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
  'Google Calendar': (url) =>
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
  let redirectingServer: Server;
  let redirectTarget: Server;
  let selfSignedServer: Server;
  let visits: string[] = [];
  let requests = 0;
  beforeAll(async () => {
    redirectTarget = createServer((request, reply) => {
      visits.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
      reply.end('{}');
    });
    await listen(redirectTarget);
    redirectingServer = createServer((_request, reply) => {
      requests += 1;
      reply.writeHead(307, { location: `http://127.0.0.1:${portOf(redirectTarget)}/canary` }).end();
    });
    await listen(redirectingServer);
    selfSignedServer = createTlsServer(createSelfSignedCertificate(), (request, reply) => {
      visits.push(`${request.method} ${request.url}`);
      reply.end('{}');
    });
    await listen(selfSignedServer);
  });
  afterAll(() => Promise.all([redirectingServer, redirectTarget, selfSignedServer].map(close)));

  test.each(Object.entries(vendorCalls))(
    '[V15.3.2, V13.2.4] %s is called at the configured URL, and redirects are not followed',
    async (_, call) => {
      [visits, requests] = [[], 0];
      await expect(call(`http://127.0.0.1:${portOf(redirectingServer)}`)).rejects.toThrow();
      expect(requests).toBeGreaterThan(0);
      expect(visits).toEqual([]);
    },
  );

  test('the test server has a self-signed certificate', async () => {
    const socket = connectTls({
      port: portOf(selfSignedServer),
      host: '127.0.0.1',
      rejectUnauthorized: false,
    });
    await new Promise((resolve) => socket.once('secureConnect', resolve));
    expect(socket.authorized).toBe(false);
    expect(String(socket.authorizationError)).toMatch(/SELF_SIGNED/);
    socket.destroy();
  });

  test.each(Object.entries(vendorCalls))(
    '[V12.3.2] nothing is sent to %s if its certificate is not trusted',
    async (_, call) => {
      visits = [];
      await expect(call(`https://127.0.0.1:${portOf(selfSignedServer)}`)).rejects.toThrow();
      expect(visits).toEqual([]);
    },
  );

  test('[V12.3.2] nothing is sent to a mail server if its certificate is not trusted', async () => {
    const smtpUrl = `smtps://user:canary@127.0.0.1:${portOf(selfSignedServer)}`;
    const mailer = smtpMailer({ smtpUrl, from: 'book@lessonbook.example', domain: 'x.example' });
    const to = { name: 'Ada', address: 'ada@example.com' };
    const mail = {
      kind: 'custom' as const,
      to,
      subject: 's',
      text: 't',
      html: 'h',
      messageId: 'm',
    };
    await expect(mailer.send(mail)).rejects.toThrow(/self.signed/i);
    mailer.close();
  });
});

describe('[V1.3.6, V13.2.5] URLs in user input', () => {
  let app: TestApp;
  let internal: Server;
  const visits: string[] = [];
  beforeAll(async () => {
    app = await startTestApp();
    internal = createServer((request, reply) => {
      visits.push(request.url ?? '');
      reply.end('internal');
    });
    await listen(internal);
  });
  afterAll(async () => {
    await app.close();
    await close(internal);
  });

  test('are never fetched, whether in a name, a note, a place, an invoice, an email or an import', async () => {
    const url = `http://127.0.0.1:${portOf(internal)}/latest/meta-data`;
    const markup = `<img src="${url}"> ![x](${url}) file:///etc/passwd`;
    const { browser } = await createTutorWhoCanEmailFamilies(app, { name: `Ada ${url}` });
    const subject = await createSubject(browser, { name: url.slice(0, 50) });
    const student = await createStudent(browser, {
      name: `Maya ${url}`,
      notes: markup,
      carerName: `<img src=${url}>`,
      carerEmail: 'family@example.com',
    });
    const fixture = { browser, studentId: student.id, subjectId: subject.id };
    await addLesson(fixture, { title: url, location: url, notes: markup } as never);
    await browser.call(businessSettings.saveBusinessSettings, {
      body: {
        tradingName: url,
        address: markup,
        paymentInstructions: 'In cash',
        dueDays: 7,
        invoicePrefix: '',
        nextInvoiceNumber: 1,
      },
    });
    const familyId = student.familyId ?? 0;
    const period = { familyId, from: '2026-11-01', to: '2026-12-31', includeUpcoming: true };
    const [draft] = (await browser.call(invoices.draftInvoice, { body: period })).body;
    const id = draft?.id ?? 0;
    await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
    const pdf = await browser.send('GET', `/api/invoices/${id}.pdf`);
    expect(pdf.status).toBe(200);
    const reminder = { familyId, channel: 'email' as const, subject: url, text: markup };
    await browser.call(messages.sendReminder, { body: reminder });
    await app.mailbox.waitFor((mail) => mail.to.includes('family@example.com'));
    await browser.send('POST', '/api/import/preview', {
      kind: 'students',
      text: `name,notes\n${url},x`,
    });
    expect(visits).toEqual([]);
    // Proves that the canary server records requests.
    await fetch(url);
    expect(visits).toEqual(['/latest/meta-data']);
  });

  test('no endpoint accepts a URL to fetch', () => {
    const fields = app.http.endpoints.flatMap(({ path, params, query, body }) =>
      [params, query, body].flatMap((schema) => {
        const shape = (schema as unknown as { shape?: Record<string, unknown> } | undefined)?.shape;
        return Object.keys(shape ?? {}).map((field) => `${path} ${field}`);
      }),
    );
    expect(fields.length).toBeGreaterThan(100);
    const urlFields = fields.filter((field) =>
      /(url|uri|href|link|callback|webhook|host)$/i.test(field),
    );
    expect(urlFields.toSorted()).toEqual([
      // Stored as the place of online lessons; the server does not open it.
      '/api/day-changes link',
      '/api/day-changes/preview link',
      // Required by the specification, but ignored.
      '/api/social-auth photoURL',
    ]);
  });
});
