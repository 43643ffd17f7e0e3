import { closeAccount, completeOnboarding, deauthorize, setCapabilities } from './accounts.ts';
import type { Conformance } from './api-description-conformance.ts';
import { expireOverdueSessions, expireSession } from './checkout-sessions.ts';
import type { StripeControl } from './control-interface.ts';
import { closeDispute, openDispute, sendEvidence } from './disputes.ts';
import type { AnyEvent } from './event-types.ts';
import type { StripeFaults } from './fault-error-replies.ts';
import { sendForgedEvent } from './forged-webhooks.ts';
import type { Collection } from './paged-collection.ts';
import { authenticate, payByBank, payByCard } from './pay-checkout-session.ts';
import { failRefund, refundCharge, settleRefund } from './refunds.ts';
import { reportAccounts } from './report-stored-payments.ts';
import { pendingDebits, settleDebit } from './settle-bank-debits.ts';
import type { AccountStore, StripeState } from './state.ts';
import type { WebhookSender } from './webhook-sender.ts';

export interface ControlContext {
  state: StripeState;
  webhooks: WebhookSender;
  faults: StripeFaults;
  conformance: Conformance;
}

export function createControl(context: ControlContext): StripeControl {
  const { state, webhooks, faults, conformance } = context;
  return {
    setWebhooks: async ({ account, connect }) => {
      if (account !== undefined) webhooks.accountEndpoint = account;
      if (connect !== undefined) webhooks.connectEndpoint = connect;
    },
    completeOnboarding: async (id) => completeOnboarding(state, id),
    setCapabilities: async (id, change) => setCapabilities(state, id, change),
    disablePayouts: async (id) => setCapabilities(state, id, { payouts: 'restricted' }),
    restorePayouts: async (id) => setCapabilities(state, id, { payouts: 'active' }),
    deauthorize: async (id) => deauthorize(state, id),
    closeAccount: async (id) => void closeAccount(state, id),
    ...createPaymentControl(state),
    ...createRefundControl(state),
    setDelivery: async (settings) => {
      webhooks.settings = { ...webhooks.settings, ...settings };
      return webhooks.settings;
    },
    deliveries: async () => webhooks.log(),
    hold: async () => webhooks.hold(),
    release: async () => webhooks.release(),
    whenIdle: () => webhooks.whenIdle(),
    redeliver: async (eventId) => webhooks.resend(findEvent(state, eventId)),
    events: async (type) =>
      listEvents(state).filter((event) => type === undefined || event.type === type),
    sendForged: (kind, options) => sendForgedEvent(state, webhooks, kind, options),
    addFault: async (fault) => faults.add(fault),
    clearFaults: async () => faults.clear(),
    faults: async () => faults.remaining(),
    advanceClock: async (millis) => {
      state.clock.advance(millis);
      expireOverdueSessions(state);
    },
    now: async () => state.clock.millis(),
    report: async (accountId) => {
      expireOverdueSessions(state);
      return reportAccounts(state, accountId);
    },
    conformance: async () => conformance.report(),
  };
}

type PaymentControls = 'payOnCheckoutPage' | 'expireSession' | 'settleDebit' | 'settleDebits';

function createPaymentControl(state: StripeState): Pick<StripeControl, PaymentControls> {
  return {
    payOnCheckoutPage: async (sessionId, paymentMethod, options = {}) => {
      const payer = { email: options.email ?? null, name: options.name ?? null };
      if (paymentMethod === 'bank-debit-succeeds' || paymentMethod === 'bank-debit-fails') {
        return payByBank(state, sessionId, paymentMethod, payer);
      }
      const result = payByCard(state, sessionId, paymentMethod, payer);
      if (result.outcome !== 'authenticate') return result;
      return authenticate(state, sessionId, options.authentication !== 'fail', payer);
    },
    expireSession: async (sessionId) => {
      expireSession(state, state.findCheckout(sessionId).store, sessionId);
    },
    settleDebit: async (sessionId, outcome) => settleDebit(state, sessionId, outcome),
    settleDebits: async () => {
      const sessionIds = pendingDebits(state);
      for (const sessionId of sessionIds) settleDebit(state, sessionId);
      return sessionIds.length;
    },
  };
}

type RefundControls =
  | 'refundFromDashboard'
  | 'failRefund'
  | 'settleRefund'
  | 'openDispute'
  | 'sendEvidence'
  | 'closeDispute';

function createRefundControl(state: StripeState): Pick<StripeControl, RefundControls> {
  return {
    refundFromDashboard: async (chargeId, amount) => {
      const [store, charge] = findInAnyAccount(state, chargeId, (each) => each.charges);
      return refundCharge(state, store, charge, amount ?? null).id;
    },
    failRefund: async (refundId) =>
      failRefund(state, ...findInAnyAccount(state, refundId, (each) => each.refunds)),
    settleRefund: async (refundId) =>
      settleRefund(state, ...findInAnyAccount(state, refundId, (each) => each.refunds)),
    openDispute: async (chargeId, options) => {
      const [store, charge] = findInAnyAccount(state, chargeId, (each) => each.charges);
      return openDispute(state, store, charge, options).id;
    },
    sendEvidence: async (disputeId) =>
      sendEvidence(state, ...findInAnyAccount(state, disputeId, (each) => each.disputes)),
    closeDispute: async (disputeId, result) => {
      const [store, dispute] = findInAnyAccount(state, disputeId, (each) => each.disputes);
      closeDispute(state, store, dispute, result);
    },
  };
}

/** Finds an object by id across all accounts, because control calls do not pass the account. */
function findInAnyAccount<T extends { id: string }>(
  state: StripeState,
  id: string,
  collectionOf: (store: AccountStore) => Collection<T>,
): [AccountStore, T] {
  for (const store of state.allStores()) {
    const found = collectionOf(store).get(id);
    if (found) return [store, found];
  }
  throw new Error(`There is no ${id}`);
}

function listEvents(state: StripeState): AnyEvent[] {
  return [...state.allStores().flatMap((store) => store.events.all()), ...state.thinEvents.all()];
}

function findEvent(state: StripeState, id: string): AnyEvent {
  const thin = state.thinEvents.get(id);
  return thin ?? findInAnyAccount(state, id, (store) => store.events)[1];
}
