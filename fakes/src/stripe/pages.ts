import type { IncomingMessage, ServerResponse } from 'node:http';
import { html, redirect } from '../shared/reply.ts';
import { completeOnboarding } from './accounts.ts';
import {
  type Filled,
  renderAuthentication,
  renderCheckout,
  renderNoPayment,
} from './checkout-page.ts';
import { type Form, readForm } from './form.ts';
import { inWords } from './money-words.ts';
import { renderDeadLink, renderOnboarding } from './onboarding-page.ts';
import { renderPage } from './page-layout.ts';
import { authenticate, type PayResult, payByBank, payByCard, whyClosed } from './payments.ts';
import { textOf } from './session-params.ts';
import type { SessionPlan, World } from './world.ts';

/** The pages people click through: true when the path was one of theirs. */
export function answerPage(
  world: World,
  request: IncomingMessage,
  reply: ServerResponse,
  path: string,
  body: string,
): boolean {
  const posted = request.method === 'POST' ? readForm(body) : null;
  const setup = /^\/setup\/e\/[^/]+\/(?<token>[^/]+)$/.exec(path)?.groups?.['token'];
  if (setup !== undefined) {
    onboarding(world, reply, setup, posted);
    return true;
  }
  const plain = plainPage(world, path);
  if (plain !== undefined) {
    html(reply, 200, plain);
    return true;
  }
  if (path === '/favicon.ico') {
    reply.writeHead(204).end();
    return true;
  }
  const asked = /^\/c\/pay\/(?<id>[^/]+)(?<step>\/authenticate)?$/.exec(path)?.groups;
  if (asked?.['id'] !== undefined) {
    checkout(world, reply, asked['id'], asked['step'] !== undefined, posted);
    return true;
  }
  return false;
}

/** Where links lead that nothing depends on: the tutor's dashboard and the payer's receipt. */
function plainPage(world: World, path: string): string | undefined {
  if (path === '/dashboard') {
    const text = 'Here a tutor sees payments and payouts, at Stripe itself.';
    return renderPage('Dashboard', `<h1>Dashboard</h1><p>${text}</p>`);
  }
  const id = /^\/receipts\/(?<id>\w+)$/.exec(path)?.groups?.['id'];
  const rooms = id === undefined ? [] : world.allRooms();
  const charge = rooms.map((room) => room.charges.get(id ?? '')).find((each) => each !== undefined);
  if (!charge) return undefined;
  const sum = inWords(charge.amount, charge.currency);
  return renderPage('Receipt', `<h1>Receipt</h1><p class="sum">${sum}</p><p>${charge.id}</p>`);
}

/** A link opens once and not for long; after that it only leads back to who can make a new one. */
function onboarding(world: World, reply: ServerResponse, token: string, posted: Form | null): void {
  const link = world.links.get(token);
  if (!link) return html(reply, 404, renderDeadLink());
  const due = posted === null ? 'fresh' : 'opened';
  const record = world.accounts.get(link.account);
  const usable = record && !record.closed && !record.deauthorized;
  if (link.state !== due || link.expiresAt <= world.clock.millis() || !usable) {
    return redirect(reply, link.refreshUrl);
  }
  if (posted === null) {
    link.state = 'opened';
    return html(reply, 200, renderOnboarding(link, record.displayName ?? 'Tutor'));
  }
  link.state = 'spent';
  const action = posted['action'];
  if (action === 'complete') completeOnboarding(world, link.account);
  redirect(reply, action === 'expire' ? link.refreshUrl : link.returnUrl);
}

function checkout(
  world: World,
  reply: ServerResponse,
  id: string,
  atBank: boolean,
  posted: Form | null,
): void {
  const plan = world.plans.get(id);
  if (!plan) return html(reply, 404, renderNoPayment('There is no such payment page.', null));
  const filled = filledIn(plan, posted);
  const merchant = merchantOf(world, plan);
  if (posted === null) {
    const closed = whyClosed(world, plan);
    if (closed !== null) return html(reply, 410, renderNoPayment(closed, plan.session.cancel_url));
    return html(reply, 200, renderCheckout(plan, merchant, null, filled));
  }
  const result = atBank
    ? authenticate(world, id, posted['result'] === 'complete', payerOf(filled))
    : pay(world, id, posted, filled);
  switch (result.outcome) {
    case 'paid':
    case 'processing':
      return redirect(reply, result.redirect);
    case 'authenticate':
      return html(reply, 200, renderAuthentication(plan, merchant, filled));
    case 'declined':
      return html(reply, 200, renderCheckout(plan, merchant, result.message, filled));
    case 'refused':
      return html(reply, 410, renderNoPayment(result.message, plan.session.cancel_url));
  }
}

function pay(world: World, id: string, posted: Form, filled: Filled): PayResult {
  const method = posted['method'];
  if (method === 'bank-debit-succeeds' || method === 'bank-debit-fails') {
    return payByBank(world, id, method, payerOf(filled));
  }
  return payByCard(world, id, textOf(posted['cardNumber']) ?? '', payerOf(filled));
}

function filledIn(plan: SessionPlan, posted: Form | null): Filled {
  return {
    email: textOf(posted?.['email']) ?? plan.session.customer_email ?? '',
    name: textOf(posted?.['name']) ?? '',
  };
}

function payerOf({ email, name }: Filled) {
  return { email: email || null, name: name || null };
}

function merchantOf(world: World, plan: SessionPlan): string {
  const record = plan.room.account === null ? undefined : world.accounts.get(plan.room.account);
  return record?.displayName ?? 'Lessonbook';
}
