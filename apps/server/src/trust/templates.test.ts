import { businessSettings } from '@lessonbook/contract/business-settings';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { reminders } from '@lessonbook/contract/reminders';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../test/browser.ts';
import { startCanaryServer } from '../test/canary-server.ts';
import { newStudent, newSubject } from '../test/factories.ts';
import { createTaughtLesson } from '../test/payment-fixture.ts';
import { fetchPdfPages } from '../test/pdf-text.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';
import { createVerifiedTutor } from '../test/tutor.ts';

let app: TestApp;
let trap: Awaited<ReturnType<typeof startCanaryServer>>;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  trap = await startCanaryServer();
});
afterAll(async () => {
  await app.close();
  await trap.close();
});

/** What makes careless templates, PDF makers and mail libraries read a file or an address. */
const lures = (port: number) => [
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

/** A book that says it in every word which comes onto paper or into a mail. */
async function openBook(lure: string, address: string) {
  const { browser } = await createVerifiedTutor(app, { name: lure.slice(0, 100) });
  await browser.call(businessSettings.saveBusinessSettings, {
    body: {
      tradingName: lure.slice(0, 100),
      address: lure,
      invoiceNote: lure,
      dueDays: 7,
      invoicePrefix: '',
      nextInvoiceNumber: 1,
    },
  });
  const student = await newStudent(browser, {
    name: lure.slice(0, 100),
    carerName: lure.slice(0, 100),
    carerEmail: address,
  });
  const subject = await newSubject(browser, { name: lure.slice(0, 100), defaultFee: 35 });
  const fixture = { browser, studentId: student.id, subjectId: subject.id };
  await createTaughtLesson(fixture, student.id, '2026-11-10');
  const familyId = student.familyId as number;
  await browser.call(families.updateFamily, {
    params: { id: familyId },
    body: { address: lure, reference: 'LURE' },
  });
  const own = { subject: lure, text: `${lure} {carer} {student} ${lure}` };
  await browser.call(reminders.saveReminderSettings, {
    body: {
      lead: 60,
      channels: ['email'],
      recipient: 'carer',
      overdueEnabled: false,
      overdueDays: [3],
      templates: {
        lesson_reminder: own,
        lesson_change: own,
        payment_reminder: own,
        invoice: own,
        receipt: own,
      },
    },
  });
  return { browser, familyId };
}

async function issued(browser: Browser, familyId: number): Promise<number> {
  const body = { familyId, from: '2026-11-01', to: '2026-11-30' };
  const [draft] = (await browser.call(invoices.draftInvoice, { body })).body;
  const id = draft?.id ?? 0;
  await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
  return id;
}

describe('[T10] paper and mails read no file and no address, whatever stands in a name', () => {
  test.each(Array.from(lures(0).keys()))('lure %i stays text', async (which) => {
    const lure = lures(trap.port)[which] ?? '';
    const address = `lure${which}@families.example`;
    const { browser, familyId } = await openBook(lure, address);
    const id = await issued(browser, familyId);
    const pages = await fetchPdfPages(app.url, browser, `/api/invoices/${id}.pdf`);
    const shown = pages.join(' ').replaceAll(/\s/g, '');
    expect(shown).toContain(lure.replaceAll(/\s/g, '').slice(0, 12));
    expect(shown).not.toContain('root:x:');
    await fetchPdfPages(app.url, browser, '/api/reports/earnings.pdf?period=all_time');
    await browser.call(messages.sendInvoice, {
      params: { id },
      body: { channel: 'email' } as never,
    });
    await browser.call(messages.sendReminder, { body: { familyId, channel: 'email' } });
    const arrived = () => app.mailbox.mails().filter((mail) => mail.to.includes(address));
    await app.mailbox.waitFor(() => arrived().length >= 2);
    for (const mail of arrived()) {
      // Every tag of a mail is one of our own layout.
      expect(mail.html).not.toMatch(/<(img|script|iframe|link|object|base|svg|!ENTITY)/i);
      expect(mail.html + mail.text).not.toContain('root:x:');
    }
    expect(trap.calls).toEqual([]);
  });

  test('whoever asked the trap would be heard', async () => {
    await (await fetch(`http://127.0.0.1:${trap.port}/heard`)).text();
    expect(trap.calls.splice(0)).toEqual(['GET /heard']);
  });
});
