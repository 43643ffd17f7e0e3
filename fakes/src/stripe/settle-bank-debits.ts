import { emitEvent } from './emit-events.ts';
import { idOf } from './id-formats.ts';
import { settleCharge } from './settle-charge.ts';
import type { StripeState } from './state.ts';

/** Settles a debit with the outcome that the payer chose on the page, or with the given one. */
export function settleDebit(
  state: StripeState,
  sessionId: string,
  outcome?: 'succeeded' | 'failed',
): 'succeeded' | 'failed' {
  const checkout = state.findCheckout(sessionId);
  const { store, session } = checkout;
  const intent = store.intents.get(idOf(session.payment_intent));
  const charge = intent && store.charges.get(idOf(intent.latest_charge));
  if (!intent || !charge || charge.status !== 'pending') {
    throw new Error(`${sessionId} has no pending debit`);
  }
  const result = outcome ?? checkout.debitOutcome ?? 'succeeded';
  checkout.debitOutcome = null;

  if (result === 'succeeded') {
    settleCharge(state, checkout, intent, charge);
    session.payment_status = 'paid';
    emitEvent(state, store, 'charge.succeeded', charge);
    emitEvent(state, store, 'payment_intent.succeeded', intent);
    emitEvent(state, store, 'checkout.session.async_payment_succeeded', session);
    return result;
  }
  const message = 'The customer’s bank account has insufficient funds.';
  charge.status = 'failed';
  charge.failure_code = 'insufficient_funds';
  charge.failure_message = message;
  intent.status = 'requires_payment_method';
  intent.last_payment_error = {
    type: 'card_error',
    charge: charge.id,
    code: 'insufficient_funds',
    message,
  };
  emitEvent(state, store, 'charge.failed', charge);
  emitEvent(state, store, 'payment_intent.payment_failed', intent);
  emitEvent(state, store, 'checkout.session.async_payment_failed', session);
  return result;
}

/** Sessions whose debit has not settled yet. */
export function pendingDebits(state: StripeState): string[] {
  return [...state.checkouts.values()]
    .filter((checkout) => checkout.debitOutcome !== null)
    .map((checkout) => checkout.session.id);
}
