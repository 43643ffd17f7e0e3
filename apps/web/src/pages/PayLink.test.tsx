import type { PublicBill } from '@lessonbook/contract/bills';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { toasts } from '../lib/toast.ts';
import { publicBill } from '../test/invoices.ts';
import { renderApp } from '../test/render-app.tsx';
import { answerCalls, json, signedOut } from '../test/responder.ts';

const withInvoice: Partial<PublicBill> = {
  kind: 'invoice',
  invoice: {
    number: '0012',
    issuedOn: '2026-11-10',
    dueOn: '2026-11-17',
    total: 11000,
    paid: 500,
    credited: 0,
    note: 'Thank you for your trust',
  },
};

function openLink(bill: Partial<PublicBill> = {}, address = '/pay/b_abc') {
  const token = address.split('/')[2];
  const server = answerCalls({
    'GET /api/me': signedOut,
    [`GET /api/pay/${token}`]: () => json(200, publicBill(bill)),
  });
  return { ...renderApp(address), server };
}

test('a family sees to whom, how much, and what for, without logging in', async () => {
  const { address } = openLink();
  expect(await screen.findByRole('heading', { name: 'Payment to Ada Fenwick' })).toBeTruthy();
  expect(document.title).toBe('Payment to Ada Fenwick | Lessonbook');
  expect(screen.getAllByText('£105.00')).toHaveLength(2);
  expect(screen.getByRole('heading', { name: 'Maya' })).toBeTruthy();
  // Of an account, what is still open of each lesson.
  expect(screen.getByText('£70')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Download PDF' })).toBeNull();
  expect(document.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe('noindex');
  expect(address()).toBe('/pay/b_abc');
});

test('every bank detail can be copied, the amount as a bare number', async () => {
  const { user } = openLink();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const copies = await screen.findAllByRole('button', { name: /^Copy, / });
  expect(copies.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Copy, Account name',
    'Copy, Sort code',
    'Copy, Account number',
    'Copy, Amount',
    'Copy, Reference',
  ]);
  await user.click(screen.getByRole('button', { name: 'Copy, Amount' }));
  expect(writeText).toHaveBeenLastCalledWith('105.00');
  expect(await screen.findByText('Copied, Amount')).toBeTruthy();
});

test('a browser that keeps its clipboard closed is no dead end', async () => {
  const { user } = openLink();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  await user.click(await screen.findByRole('button', { name: 'Copy, Reference' }));
  expect(await screen.findByText('Press and hold the text to copy it.')).toBeTruthy();
});

test('saying that it was transferred tells the tutor and marks nothing as paid', async () => {
  const { user, server } = openLink();
  server.answers['POST /api/pay/b_abc/transferred'] = () =>
    json(200, publicBill({ claimedOn: '2026-11-15' }));
  await user.click(await screen.findByRole('button', { name: "I've paid by bank transfer" }));
  expect(await screen.findByText(/Thank you\. On 15 Nov 2026/)).toBeTruthy();
  expect(screen.getAllByText('£105.00')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: "I've paid by bank transfer" })).toBeNull();
});

test('the claim is still there after a reload', async () => {
  openLink({ claimedOn: '2026-11-14' });
  expect(await screen.findByText(/Thank you\. On 14 Nov 2026/)).toBeTruthy();
});

test('a claim that does not arrive says so', async () => {
  const { user, server } = openLink();
  server.answers['POST /api/pay/b_abc/transferred'] = () => json(500, {});
  await user.click(await screen.findByRole('button', { name: "I've paid by bank transfer" }));
  await screen.findByText('That did not reach your tutor. Please try again.');
  expect(screen.getByRole('button', { name: "I've paid by bank transfer" })).toBeTruthy();
});

test('without bank details the tutor is to be asked', async () => {
  openLink({ bank: null });
  expect(await screen.findByText('Ask Ada Fenwick how to pay.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Copy/ })).toBeNull();
  expect(screen.queryByRole('button', { name: "I've paid by bank transfer" })).toBeNull();
});

test('an invoice shows its number, what was paid, its note and its PDF', async () => {
  openLink(withInvoice, '/invoices/i_abc');
  const facts = await screen.findByText(/^Invoice 0012/);
  expect(facts.textContent).toBe('Invoice 0012, due 17 Nov 2026. Of £110.00, £5.00 is paid.');
  expect(screen.getByText('Thank you for your trust')).toBeTruthy();
  const pdf = screen.getByRole('link', { name: 'Download PDF' });
  expect(pdf.getAttribute('href')).toBe('/api/pay/i_abc/pdf');
  // Of an invoice, what it asked for.
  expect(screen.getByText('£75')).toBeTruthy();
});

test('what is paid or void asks for nothing', async () => {
  openLink({ ...withInvoice, state: 'paid', amounts: [] }, '/invoices/i_abc');
  expect(await screen.findByText('Nothing to pay. Thank you.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Copy/ })).toBeNull();
});

test('a void invoice says so', async () => {
  openLink({ ...withInvoice, state: 'void', amounts: [] }, '/invoices/i_abc');
  const words = 'Ada Fenwick has cancelled invoice 0012; there is nothing to pay.';
  expect(await screen.findByText(words)).toBeTruthy();
});

test('several currencies stand below each other and are not added', async () => {
  openLink({
    amounts: [
      { currency: 'GBP', due: 10500 },
      { currency: 'EUR', due: 4000 },
    ],
  });
  expect(await screen.findByRole('button', { name: 'Copy, Amount in EUR' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy, Amount in GBP' })).toBeTruthy();
});

test.each([
  [404, 'This payment link is not valid; please ask your tutor for a new one.'],
  [429, 'This page was opened very often just now; please wait a minute.'],
  [500, 'This page could not be loaded.'],
])('%i is one sentence', async (status, sentence) => {
  const { user, server } = openLink();
  server.answers['GET /api/pay/b_abc'] = () => json(status, { message: 'No' });
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(sentence);
  expect(toasts.current()).toBeNull();
  const retry = screen.queryByRole('button', { name: 'Try again' });
  expect(retry === null).toBe(status === 404);
  if (!retry) return;
  server.answers['GET /api/pay/b_abc'] = () => json(200, publicBill());
  await user.click(retry);
  expect(await screen.findByRole('heading', { name: 'Payment to Ada Fenwick' })).toBeTruthy();
});
