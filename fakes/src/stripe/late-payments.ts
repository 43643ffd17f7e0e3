import { tell } from './events.ts';
import { idOf } from './ids.ts';
import { settleCharge } from './settle-charge.ts';
import type { World } from './world.ts';

/** The bank answers about a debit, as the payer chose on the page unless told otherwise. */
export function settleDebit(
  world: World,
  sessionId: string,
  outcome?: 'succeeded' | 'failed',
): 'succeeded' | 'failed' {
  const plan = world.plan(sessionId);
  const { room, session } = plan;
  const intent = room.intents.get(idOf(session.payment_intent));
  const charge = intent && room.charges.get(idOf(intent.latest_charge));
  if (!intent || !charge || charge.status !== 'pending') {
    throw new Error(`${sessionId} waits for no bank`);
  }
  const result = outcome ?? plan.laterOutcome ?? 'succeeded';
  plan.laterOutcome = null;

  if (result === 'succeeded') {
    settleCharge(world, plan, intent, charge);
    session.payment_status = 'paid';
    tell(world, room, 'charge.succeeded', charge);
    tell(world, room, 'payment_intent.succeeded', intent);
    tell(world, room, 'checkout.session.async_payment_succeeded', session);
    return result;
  }
  const message = 'The customer’s bank account has too little money in it.';
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
  tell(world, room, 'charge.failed', charge);
  tell(world, room, 'payment_intent.payment_failed', intent);
  tell(world, room, 'checkout.session.async_payment_failed', session);
  return result;
}

/** Sessions whose debit the bank has not answered yet. */
export function waitingDebits(world: World): string[] {
  return [...world.plans.values()]
    .filter((plan) => plan.laterOutcome !== null)
    .map((plan) => plan.session.id);
}
