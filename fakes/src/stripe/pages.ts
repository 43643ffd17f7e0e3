import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendHtml, sendRedirect } from '../shared/http-reply.ts';
import { completeOnboarding } from './accounts.ts';
import {
  type PayerFields,
  renderAuthentication,
  renderCheckout,
  renderNoPayment,
} from './checkout-page.ts';
import { type Form, parseForm } from './form-encoding.ts';
import { formatMoney } from './format-money.ts';
import { renderDeadLink, renderOnboarding } from './onboarding-page.ts';
import { renderStripePage } from './page-layout.ts';
import { authenticate, closedReason, type PayResult, payByBank, payByCard } from './payments.ts';
import { toText } from './session-params.ts';
import type { CheckoutPlan, StripeState } from './state.ts';

/** Serves the HTML pages; returns false for other paths. */
export function handlePage(
  state: StripeState,
  request: IncomingMessage,
  reply: ServerResponse,
  path: string,
  body: string,
): boolean {
  const posted = request.method === 'POST' ? parseForm(body) : null;
  const linkToken = /^\/setup\/e\/[^/]+\/(?<token>[^/]+)$/.exec(path)?.groups?.['token'];
  if (linkToken !== undefined) {
    onboarding(state, reply, linkToken, posted);
    return true;
  }
  const page = placeholderPage(state, path);
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
    checkout(state, reply, payment['id'], payment['step'] !== undefined, posted);
    return true;
  }
  return false;
}

/** Placeholder pages: the tutor's dashboard and the payer's receipt. */
function placeholderPage(state: StripeState, path: string): string | undefined {
  if (path === '/dashboard') {
    const text = 'Here a tutor sees payments and payouts, at Stripe itself.';
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
function onboarding(
  state: StripeState,
  reply: ServerResponse,
  token: string,
  posted: Form | null,
): void {
  const link = state.links.get(token);
  if (!link) return sendHtml(reply, 404, renderDeadLink());
  const expected = posted === null ? 'unused' : 'opened';
  const record = state.accounts.get(link.account);
  const usable = record && !record.closed && !record.deauthorized;
  if (link.state !== expected || link.expiresAt <= state.clock.millis() || !usable) {
    return sendRedirect(reply, link.refreshUrl);
  }
  if (posted === null) {
    link.state = 'opened';
    return sendHtml(reply, 200, renderOnboarding(link, record.displayName ?? 'Tutor'));
  }
  link.state = 'used';
  const action = posted['action'];
  if (action === 'complete') completeOnboarding(state, link.account);
  sendRedirect(reply, action === 'expire' ? link.refreshUrl : link.returnUrl);
}

function checkout(
  state: StripeState,
  reply: ServerResponse,
  id: string,
  atBank: boolean,
  posted: Form | null,
): void {
  const plan = state.plans.get(id);
  if (!plan) return sendHtml(reply, 404, renderNoPayment('There is no such payment page.', null));
  const fields = payerFields(plan, posted);
  const merchant = merchantOf(state, plan);
  if (posted === null) {
    const closed = closedReason(state, plan);
    if (closed !== null)
      return sendHtml(reply, 410, renderNoPayment(closed, plan.session.cancel_url));
    return sendHtml(reply, 200, renderCheckout(plan, merchant, null, fields));
  }
  const result = atBank
    ? authenticate(state, id, posted['result'] === 'complete', payerOf(fields))
    : pay(state, id, posted, fields);
  switch (result.outcome) {
    case 'paid':
    case 'processing':
      return sendRedirect(reply, result.redirect);
    case 'authenticate':
      return sendHtml(reply, 200, renderAuthentication(plan, merchant, fields));
    case 'declined':
      return sendHtml(reply, 200, renderCheckout(plan, merchant, result.message, fields));
    case 'refused':
      return sendHtml(reply, 410, renderNoPayment(result.message, plan.session.cancel_url));
  }
}

function pay(state: StripeState, id: string, posted: Form, fields: PayerFields): PayResult {
  const method = posted['method'];
  if (method === 'bank-debit-succeeds' || method === 'bank-debit-fails') {
    return payByBank(state, id, method, payerOf(fields));
  }
  return payByCard(state, id, toText(posted['cardNumber']) ?? '', payerOf(fields));
}

function payerFields(plan: CheckoutPlan, posted: Form | null): PayerFields {
  return {
    email: toText(posted?.['email']) ?? plan.session.customer_email ?? '',
    name: toText(posted?.['name']) ?? '',
  };
}

function payerOf({ email, name }: PayerFields) {
  return { email: email || null, name: name || null };
}

function merchantOf(state: StripeState, plan: CheckoutPlan): string {
  const record = plan.store.account === null ? undefined : state.accounts.get(plan.store.account);
  return record?.displayName ?? 'Lessonbook';
}
