import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import dns from 'node:dns';
import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { imports } from '@lessonbook/contract/import';
import { messages } from '@lessonbook/contract/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudent, createSubject } from '../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../test/create-tutor.ts';
import { addLesson } from '../test/lesson-fixture.ts';
import { createCompletedLesson } from '../test/payment-fixture.ts';
import { startCanaryServer } from '../test/ssrf-canary-server.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';

let app: TestApp;
let canary: Awaited<ReturnType<typeof startCanaryServer>>;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  canary = await startCanaryServer();
});
afterAll(async () => {
  await app.close();
  await canary.close();
});

/** Records every port this process connects to, and every host name it resolves, while `work` runs. */
async function recordConnections(
  work: () => Promise<void>,
): Promise<{ ports: Set<number>; names: Set<string> }> {
  const ports = new Set<number>();
  const names = new Set<string>();
  const onSocket = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.once('connect', () => ports.add(socket.remotePort ?? 0));
  };
  const { lookup } = dns;
  dns.lookup = ((name: string, ...rest: unknown[]) => {
    names.add(name);
    return (lookup as (...all: unknown[]) => unknown)(name, ...rest);
  }) as typeof dns.lookup;
  subscribe('net.client.socket', onSocket);
  try {
    await work();
  } finally {
    unsubscribe('net.client.socket', onSocket);
    dns.lookup = lookup;
  }
  return { ports, names };
}

/** An internal address in several notations, and a host name that resolves to it. */
const addresses = (port: number) => [
  `http://127.0.0.1:${port}/plain`,
  `http://localhost:${port}/name`,
  `http://[::ffff:127.0.0.1]:${port}/six`,
  `http://2130706433:${port}/number`,
  `http://0x7f.1:${port}/hex`,
  `http://127.0.0.1.nip.example:${port}/rebound`,
  `http://user@127.0.0.1:${port}/user`,
  'http://169.254.169.254/latest/meta-data/',
  'gopher://127.0.0.1:25/x',
];

describe('[T11] URLs in user input are never requested', () => {
  test('in names, notes, places, imports, headers and webhook bodies', async () => {
    const { ports, names } = await recordConnections(async () => {
      const { browser } = await createTutorWhoCanEmailFamilies(app);
      const student = await createStudent(browser, {
        name: 'Maya',
        carerName: 'Ruth',
        carerEmail: 'outbound@families.example',
      });
      const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
      const fixture = { browser, studentId: student.id, subjectId: subject.id };
      await createCompletedLesson(fixture, student.id, '2026-11-10');
      for (const address of addresses(canary.port)) {
        await createStudent(browser, { name: address, notes: address, subject: address });
        await addLesson(fixture, {
          place: address,
          notes: address,
          title: address,
          acceptOverlaps: true,
        });
        await browser.call(businessSettings.saveBusinessSettings, {
          body: {
            tradingName: address,
            address,
            paymentInstructions: 'In cash',
            dueDays: 7,
            invoicePrefix: '',
            nextInvoiceNumber: 1,
          },
        });
        for (const endpoint of [imports.previewImport, imports.importFile])
          await browser.call(endpoint, {
            body: {
              kind: 'students',
              text: `name,notes,photo\n"${address}",${address},${address}\n`,
            },
          });
        await browser.send('POST', '/api/social-auth', {
          credential: address,
          photoUrl: address,
          picture: address,
        });
        for (const hook of ['stripe/webhooks/accounts', 'google/webhooks', 'whatsapp/webhooks'])
          await browser.send(
            'POST',
            `/api/${hook}`,
            { url: address, callback: address },
            {
              'x-goog-resource-uri': address,
              'x-original-url': address,
              referer: address,
            },
          );
        await browser.send(
          'GET',
          `/api/google/callback?state=x&code=x&iss=${encodeURIComponent(address)}`,
        );
        await browser.send('GET', `/api/google/sign-in?from=${encodeURIComponent(address)}`);
      }
      await browser.call(messages.sendReminder, {
        body: { familyId: student.familyId as number, channel: 'email' },
      });
      await app.mailbox.waitFor((mail) => mail.to.includes('outbound@families.example'));
    });
    expect(canary.calls).toEqual([]);
    const known = [app.url, app.urls.appUrl, app.mailbox.smtpUrl].map((url) =>
      Number(new URL(url).port),
    );
    expect([...ports].filter((port) => !known.includes(port))).toEqual([]);
    // Only the host names of the database and the mail server are resolved.
    expect([...names].filter((name) => name !== '127.0.0.1' && name !== 'localhost')).toEqual([]);
  });

  test('the check detects a request', async () => {
    const { ports } = await recordConnections(async () => {
      await (await fetch(`http://127.0.0.1:${canary.port}/seen`)).text();
    });
    expect([...ports]).toContain(canary.port);
    expect(canary.calls.splice(0)).toEqual(['GET /seen']);
  });

  test('only integrations make outbound requests', () => {
    const source = fileURLToPath(new URL('../', import.meta.url));
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(test|abuse-cases)\//.test(file),
    );
    const calls =
      /\bfetch\(|from '(node:(https?|net|tls|dgram|http2)|undici|stripe|nodemailer|openid-client|google-auth-library|@googleapis\/.*)'/;
    const callers = files.filter((file) =>
      readFileSync(source + file, 'utf8')
        .split('\n')
        .some((line) => calls.test(line) && !/^import type|import \{ isIP(v6)? \}/.test(line)),
    );
    expect(callers.length).toBeGreaterThan(3);
    // The connection monitor opens the database sockets; the database address comes from the configuration.
    const monitor = 'platform/db/connection-monitor.ts';
    expect(callers.filter((file) => !file.startsWith('integrations/'))).toEqual([monitor]);
  });
});
