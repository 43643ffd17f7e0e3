import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { safeFileName } from '../platform/files/safe-file-name.ts';
import { createExport, downloadExport } from '../test/create-and-download-export.ts';
import { createStudent, createSubject } from '../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../test/create-tutor.ts';
import { createCompletedLesson } from '../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';

/** A web build, alongside a file that must not be served. */
const folder = mkdtempSync(join(tmpdir(), 'lessonbook-pages-'));
const dist = join(folder, 'dist');
let app: TestApp;
beforeAll(async () => {
  mkdirSync(join(dist, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'secret.txt'), 'outside the web folder');
  writeFileSync(join(dist, 'index.html'), '<p>the page</p>');
  writeFileSync(join(dist, 'assets', 'app.js'), 'the script');
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000', WEB_DIST: dist });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

/** No path separators, no '..', and nothing that could end a header. */
const SAFE = /^(?!.*\.\.)[\w][\w.-]*$/;

describe('[T12] user input cannot change the path of a file', () => {
  test.each([
    ['../../etc/passwd', 'etc-passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['Invoice ../../1.pdf', 'Invoice-.-.-1.pdf'],
    ['a"\r\nset-cookie: x', 'a---set-cookie--x'],
    ['.bashrc', 'bashrc'],
    ['Łódź\u202Efdp.exe', '--d--fdp.exe'],
  ])('%j is saved as %j', (name, expected) => {
    const safe = safeFileName(name);
    expect(safe).toBe(expected.replace(/^[.-]+/, ''));
    expect(safe).toMatch(SAFE);
  });

  test('PDF, CSV and export files have safe names, both as downloads and as attachments', async () => {
    const hostile = '../../../etc/passwd';
    const { browser } = await createTutorWhoCanEmailFamilies(app, { name: hostile });
    await browser.call(businessSettings.saveBusinessSettings, {
      body: {
        tradingName: hostile,
        paymentInstructions: 'In cash',
        dueDays: 7,
        invoicePrefix: '../../',
        nextInvoiceNumber: 1,
      },
    });
    const student = await createStudent(browser, {
      name: `${hostile}\r\nX-Planted: yes`,
      carerName: hostile,
      carerEmail: 'paths@families.example',
    });
    const subject = await createSubject(browser, { name: hostile, defaultFee: 35 });
    await createCompletedLesson(
      { browser, studentId: student.id, subjectId: subject.id },
      student.id,
      '2026-11-10',
    );
    const [draft] = (
      await browser.call(invoices.draftInvoice, {
        body: { familyId: student.familyId as number, from: '2026-11-01', to: '2026-11-30' },
      })
    ).body;
    const id = draft?.id ?? 0;
    await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
    const { id: exportId } = await createExport(browser);
    for (const path of [
      `/api/invoices/${id}.pdf`,
      '/api/reports/earnings.pdf?period=all_time',
      '/api/reports/earnings.csv?period=all_time',
      `/api/exports/${exportId}.zip`,
    ]) {
      const { status, headers } = await browser.send('GET', path);
      expect([path, status]).toEqual([path, 200]);
      const name = /^attachment; filename="(.*)"$/.exec(
        headers.get('content-disposition') ?? '',
      )?.[1];
      expect(name, path).toMatch(SAFE);
      expect(headers.get('x-planted')).toBeNull();
    }
    for (const name of Object.keys(await downloadExport(app, browser, exportId)))
      for (const part of name.split('/')) expect(part).toMatch(SAFE);
    await browser.call(messages.sendInvoice, {
      params: { id },
      body: { channel: 'email' } as never,
    });
    const mail = await app.mailbox.waitFor((sent) => sent.to.includes('paths@families.example'));
    expect(mail.attachments.length).toBeGreaterThan(0);
    for (const { filename } of mail.attachments) expect(filename).toMatch(SAFE);
  });

  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/%00/../secret.txt',
    '/index.html%00.txt',
    '/../../../../etc/passwd',
  ])('%s does not escape the web folder', async (path) => {
    const body = await fetchRaw(path);
    expect(body).not.toContain('outside the web folder');
    expect(body).not.toContain('root:x:');
  });

  test('files in the web folder are served', async () => {
    expect(await fetchRaw('/assets/app.js')).toBe('the script');
  });
});

/** Sends the path unchanged, because fetch would normalise it. */
function fetchRaw(path: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
}
