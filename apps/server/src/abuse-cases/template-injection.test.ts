import { businessSettings } from '@lessonbook/contract/business-settings';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../test/browser-client.ts';
import { createStudent, createSubject } from '../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../test/create-tutor.ts';
import { createCompletedLesson } from '../test/payment-fixture.ts';
import { fetchPdfPages } from '../test/pdf-text.ts';
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

/** Payloads that make vulnerable template engines, PDF generators and mail libraries read a file or fetch a URL. */
const payloads = (port: number) => [
  `<img src="http://127.0.0.1:${port}/img">`,
  `<script src="http://127.0.0.1:${port}/js"></script>`,
  `<iframe src="file:///etc/passwd"></iframe>`,
  `<link rel="attachment" href="file:///etc/passwd">`,
  `@import url(http://127.0.0.1:${port}/css);`,
  `{{ include "/etc/passwd" }}`,
  `{% include '/etc/passwd' %}`,
  `<%= require('fs').readFileSync('/etc/passwd') %>`,
  `\${require('child_process').execSync('curl 127.0.0.1:${port}/sh')}`,
  `<!ENTITY x SYSTEM "http://127.0.0.1:${port}/xml">&x;`,
  `file:///etc/passwd`,
];

/** Puts the payload into every string that appears in PDFs or emails. */
async function createTutorWithPayload(payload: string, address: string) {
  const { browser } = await createTutorWhoCanEmailFamilies(app, { name: payload.slice(0, 100) });
  await browser.call(businessSettings.saveBusinessSettings, {
    body: {
      tradingName: payload.slice(0, 100),
      address: payload,
      invoiceNote: payload,
      paymentInstructions: 'In cash',
      dueDays: 7,
      invoicePrefix: '',
      nextInvoiceNumber: 1,
    },
  });
  const student = await createStudent(browser, {
    name: payload.slice(0, 100),
    carerName: payload.slice(0, 100),
    carerEmail: address,
  });
  const subject = await createSubject(browser, { name: payload.slice(0, 100), defaultFee: 35 });
  const fixture = { browser, studentId: student.id, subjectId: subject.id };
  await createCompletedLesson(fixture, student.id, '2026-11-10');
  const familyId = student.familyId as number;
  await browser.call(families.updateFamily, {
    params: { id: familyId },
    body: { address: payload, reference: 'LURE' },
  });
  const template = { subject: payload, text: `${payload} {carer} {student} ${payload}` };
  await browser.call(reminders.saveReminderSettings, {
    body: {
      leadMinutes: 60,
      channels: ['email'],
      recipient: 'carer',
      overdueEnabled: false,
      overdueDays: [3],
      templates: {
        lesson_reminder: template,
        lesson_change: template,
        payment_reminder: template,
        invoice: template,
        receipt: template,
      },
    },
  });
  return { browser, familyId };
}

async function issueInvoice(browser: Browser, familyId: number): Promise<number> {
  const body = { familyId, from: '2026-11-01', to: '2026-11-30' };
  const [draft] = (await browser.call(invoices.draftInvoice, { body })).body;
  const id = draft?.id ?? 0;
  await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
  return id;
}

describe('[T10] PDFs and emails never read a file or fetch a URL from user input', () => {
  test.each(Array.from(payloads(0).keys()))('payload %i is treated as text', async (index) => {
    const payload = payloads(canary.port)[index] ?? '';
    const address = `payload${index}@families.example`;
    const { browser, familyId } = await createTutorWithPayload(payload, address);
    const id = await issueInvoice(browser, familyId);
    const pages = await fetchPdfPages(app.url, browser, `/api/invoices/${id}.pdf`);
    const shown = pages.join(' ').replaceAll(/\s/g, '');
    expect(shown).toContain(payload.replaceAll(/\s/g, '').slice(0, 12));
    expect(shown).not.toContain('root:x:');
    await fetchPdfPages(app.url, browser, '/api/reports/earnings.pdf?period=all_time');
    await browser.call(messages.sendInvoice, {
      params: { id },
      body: { channel: 'email' } as never,
    });
    await browser.call(messages.sendReminder, { body: { familyId, channel: 'email' } });
    const findEmails = () => app.mailbox.emails().filter((mail) => mail.to.includes(address));
    await app.mailbox.waitFor(() => findEmails().length >= 2);
    for (const mail of findEmails()) {
      // All tags must come from our own template.
      expect(mail.html).not.toMatch(/<(img|script|iframe|link|object|base|svg|!ENTITY)/i);
      expect(mail.html + mail.text).not.toContain('root:x:');
    }
    expect(canary.calls).toEqual([]);
  });

  test('the canary server records requests', async () => {
    await (await fetch(`http://127.0.0.1:${canary.port}/recorded`)).text();
    expect(canary.calls.splice(0)).toEqual(['GET /recorded']);
  });
});
