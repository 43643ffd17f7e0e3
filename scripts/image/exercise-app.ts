import { strict as assert } from 'node:assert';
import { invoices } from '@lessonbook/contract/invoices';
import type { Mailbox } from '@lessonbook/fakes/mailbox';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { createTutorWhoCanEmailFamilies } from '@lessonbook/server/src/test/create-tutor.ts';
import { createFamiliesWithDrafts } from '@lessonbook/server/src/test/families-to-invoice.ts';
import { fetchPdfPages } from '@lessonbook/server/src/test/pdf-text.ts';
import type pg from 'pg';

const DAY_MS = 86_400_000;

/** Opens the pages, signs up, confirms the address with the link in the email, issues an invoice and downloads it. */
export async function exerciseApp(
  url: string,
  mailbox: Mailbox,
  admin: pg.Client,
  log: (line: string) => void,
): Promise<void> {
  const landing = await fetch(url);
  const page = await landing.text();
  assert.equal(landing.status, 200, 'the landing page must be served');
  assert.match(page, /<h1/, 'the landing page must be rendered without scripts');
  const login = await (await fetch(`${url}/login`)).text();
  const [, asset = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(login) ?? [];
  const script = await fetch(url + asset);
  assert.match(script.headers.get('content-type') ?? '', /javascript/);
  log(`the landing page and ${asset} are served`);

  const app = { browser: () => new Browser(url, url), mailbox, admin };
  const { browser, input } = await createTutorWhoCanEmailFamilies(app);
  log(`${input.email} signed up and confirmed the address with the link in the email`);

  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const { draftIds } = await createFamiliesWithDrafts(browser, ['family@example.com'], yesterday);
  const issued = await browser.call(invoices.issueInvoices, { body: { ids: draftIds } });
  assert.equal(issued.status, 200, JSON.stringify(issued.error));
  const [invoice] = issued.body;
  assert(invoice, 'an invoice must be issued');
  const pages = await fetchPdfPages(url, browser, `/api/invoices/${invoice.id}.pdf`);
  const text = pages.join('\n');
  for (const part of ['Carer 0', 'Maths lesson', '£35.00'])
    assert(text.includes(part), `the PDF lacks ${part}: ${text}`);
  log(`invoice ${invoice.number} is a PDF of ${pages.length} page with the lesson and its price`);
}
