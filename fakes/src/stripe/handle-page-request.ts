import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendHtml, sendRedirect } from '../shared/http-request-and-reply.ts';
import { completeOnboarding } from './accounts.ts';
import { type Form, parseForm } from './form-encoding.ts';
import { formatMoney } from './format-money.ts';
import { renderStripePage } from './page-layout.ts';
import { toText } from './parse-form-fields.ts';
import {
  authenticate,
  type PayResult,
  payByBank,
  payByCard,
  reasonNotPayable,
} from './pay-checkout-session.ts';
import {
  type PayerFields,
  renderAuthentication,
  renderCheckout,
  renderNoPayment,
} from './render-checkout-page.ts';
import { renderOnboarding, renderUnknownLink } from './render-onboarding-page.ts';
import type { CheckoutState, StripeState } from './state.ts';

/** Serves the HTML pages; returns false for other paths. */
export function handlePage(
  state: StripeState,
  request: IncomingMessage,
  reply: ServerResponse,
  path: string,
  body: string,
): boolean {
  const form = request.method === 'POST' ? parseForm(body) : null;
  const linkToken = /^\/setup\/e\/[^/]+\/(?<token>[^/]+)$/.exec(path)?.groups?.['token'];
  if (linkToken !== undefined) {
    handleOnboarding(state, reply, linkToken, form);
    return true;
  }
  const page = renderPlaceholderPage(state, path);
  if (page !== undefined) {
    sendHtml(reply, 200, page);
    return true;
  }
  if (path === '/favicon.ico') {
    reply.writeHead(204).end();
    return true;
  }
  const payment = /^\/c\/pay\/(?<id>[^/]+)(?<step>\/authenticate)?$/.exec(path)?.groups;
  if (payment?.['id'] !== undefined) {
    handleCheckout(state, reply, payment['id'], payment['step'] !== undefined, form);
    return true;
  }
  return false;
}

/** Placeholder pages: the tutor's dashboard and the payer's receipt. */
function renderPlaceholderPage(state: StripeState, path: string): string | undefined {
  if (path === '/dashboard') {
    const text = 'On the real dashboard, a tutor sees payments and payouts.';
    return renderStripePage('Dashboard', `<h1>Dashboard</h1><p>${text}</p>`);
  }
  const id = /^\/receipts\/(?<id>\w+)$/.exec(path)?.groups?.['id'];
  const stores = id === undefined ? [] : state.allStores();
  const charge = stores
    .map((store) => store.charges.get(id ?? ''))
    .find((each) => each !== undefined);
  if (!charge) return undefined;
  const sum = formatMoney(charge.amount, charge.currency);
  return renderStripePage(
    'Receipt',
    `<h1>Receipt</h1><p class="sum">${sum}</p><p>${charge.id}</p>`,
  );
}

/** A link works once and expires soon; after that it redirects to the refresh URL. */
function handleOnboarding(
  state: StripeState,
  reply: ServerResponse,
  token: string,
  form: Form | null,
): void {
  const link = state.links.get(token);
  if (!link) return sendHtml(reply, 404, renderUnknownLink());
  const expected = form === null ? 'unused' : 'opened';
  const record = state.accounts.get(link.account);
  const isUsable = record && !record.closed && !record.deauthorized;
  if (link.state !== expected || link.expiresAt <= state.clock.millis() || !isUsable) {
    return sendRedirect(reply, link.refreshUrl);
  }
  if (form === null) {
    link.state = 'opened';
    return sendHtml(reply, 200, renderOnboarding(link, record.displayName ?? 'Tutor'));
  }
  link.state = 'used';
  const action = form['action'];
  if (action === 'complete') completeOnboarding(state, link.account);
  sendRedirect(reply, action === 'expire' ? link.refreshUrl : link.returnUrl);
}

function handleCheckout(
  state: StripeState,
  reply: ServerResponse,
  id: string,
  isAuthenticationStep: boolean,
  form: Form | null,
): void {
  const checkout = state.checkouts.get(id);
  if (!checkout)
    return sendHtml(reply, 404, renderNoPayment('There is no such payment page.', null));
  const fields = readPayerFields(checkout, form);
  const merchant = getMerchantName(state, checkout);
  if (form === null) {
    const reason = reasonNotPayable(state, checkout);
    if (reason !== null)
      return sendHtml(reply, 410, renderNoPayment(reason, checkout.session.cancel_url));
    return sendHtml(reply, 200, renderCheckout(checkout, merchant, null, fields));
  }
  const result = isAuthenticationStep
    ? authenticate(state, id, form['result'] === 'complete', toPayer(fields))
    : pay(state, id, form, fields);
  switch (result.outcome) {
    case 'paid':
    case 'processing':
      return sendRedirect(reply, result.redirect);
    case 'authenticate':
      return sendHtml(reply, 200, renderAuthentication(checkout, merchant, fields));
    case 'declined':
      return sendHtml(reply, 200, renderCheckout(checkout, merchant, result.message, fields));
    case 'refused':
      return sendHtml(reply, 410, renderNoPayment(result.message, checkout.session.cancel_url));
  }
}

function pay(state: StripeState, id: string, form: Form, fields: PayerFields): PayResult {
  const method = form['method'];
  if (method === 'bank-debit-succeeds' || method === 'bank-debit-fails') {
    return payByBank(state, id, method, toPayer(fields));
  }
  return payByCard(state, id, toText(form['cardNumber']) ?? '', toPayer(fields));
}

function readPayerFields(checkout: CheckoutState, form: Form | null): PayerFields {
  return {
    email: toText(form?.['email']) ?? checkout.session.customer_email ?? '',
    name: toText(form?.['name']) ?? '',
  };
}

function toPayer({ email, name }: PayerFields) {
  return { email: email || null, name: name || null };
}

function getMerchantName(state: StripeState, checkout: CheckoutState): string {
  const record =
    checkout.store.account === null ? undefined : state.accounts.get(checkout.store.account);
  return record?.displayName ?? 'Lessonbook';
}
