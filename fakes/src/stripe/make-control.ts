import { closeAccount, completeOnboarding, deauthorize, setCapabilities } from './accounts.ts';
import { readBooks } from './books.ts';
import type { Conformance } from './conformance.ts';
import type { StripeControl } from './control.ts';
import type { Deliveries } from './deliveries.ts';
import { closeDispute, openDispute, sendEvidence } from './disputes.ts';
import type { AnyEvent } from './event-types.ts';
import type { StripeFaults } from './faults.ts';
import { forge } from './forge.ts';
import { settleDebit, waitingDebits } from './late-payments.ts';
import { authenticate, payByBank, payByCard } from './payments.ts';
import { failRefund, refundCharge, settleRefund } from './refunds.ts';
import { expireOverdue, expireSession } from './sessions.ts';
import type { Shelf } from './shelf.ts';
import type { Room, World } from './world.ts';

export interface ControlParts {
  world: World;
  deliveries: Deliveries;
  faults: StripeFaults;
  conformance: Conformance;
}

export function makeControl(parts: ControlParts): StripeControl {
  const { world, deliveries, faults, conformance } = parts;
  return {
    setWebhooks: async ({ account, connect }) => {
      if (account !== undefined) deliveries.accountEndpoint = account;
      if (connect !== undefined) deliveries.connectEndpoint = connect;
    },
    completeOnboarding: async (id) => completeOnboarding(world, id),
    setCapabilities: async (id, change) => setCapabilities(world, id, change),
    disablePayouts: async (id) => setCapabilities(world, id, { payouts: 'restricted' }),
    restorePayouts: async (id) => setCapabilities(world, id, { payouts: 'active' }),
    deauthorize: async (id) => deauthorize(world, id),
    closeAccount: async (id) => void closeAccount(world, id),
    ...payingControl(world),
    ...afterwardsControl(world),
    deliver: async (settings) => {
      deliveries.settings = { ...deliveries.settings, ...settings };
      return deliveries.settings;
    },
    deliveries: async () => deliveries.log(),
    hold: async () => deliveries.hold(),
    release: async () => deliveries.release(),
    quiet: () => deliveries.quiet(),
    redeliver: async (eventId) => deliveries.resend(findEvent(world, eventId)),
    events: async (type) =>
      allEvents(world).filter((event) => type === undefined || event.type === type),
    forge: (kind, ask) => forge(world, deliveries, kind, ask),
    fault: async (fault) => faults.add(fault),
    clearFaults: async () => faults.clear(),
    faults: async () => faults.left(),
    turnClock: async (millis) => {
      world.clock.turn(millis);
      expireOverdue(world);
    },
    now: async () => world.clock.millis(),
    books: async (accountId) => {
      expireOverdue(world);
      return readBooks(world, accountId);
    },
    conformance: async () => conformance.report(),
  };
}

type Paying = 'payAsBrowser' | 'expireSession' | 'settleDebit' | 'settleDebits';

function payingControl(world: World): Pick<StripeControl, Paying> {
  return {
    payAsBrowser: async (sessionId, means, more = {}) => {
      const payer = { email: more.email ?? null, name: more.name ?? null };
      if (means === 'bank-debit-succeeds' || means === 'bank-debit-fails') {
        return payByBank(world, sessionId, means, payer);
      }
      const result = payByCard(world, sessionId, means, payer);
      if (result.outcome !== 'authenticate') return result;
      return authenticate(world, sessionId, more.authentication !== 'fail', payer);
    },
    expireSession: async (sessionId) => {
      expireSession(world, world.plan(sessionId).room, sessionId);
    },
    settleDebit: async (sessionId, outcome) => settleDebit(world, sessionId, outcome),
    settleDebits: async () => {
      const waiting = waitingDebits(world);
      for (const sessionId of waiting) settleDebit(world, sessionId);
      return waiting.length;
    },
  };
}

type Afterwards =
  | 'refundFromDashboard'
  | 'failRefund'
  | 'settleRefund'
  | 'openDispute'
  | 'sendEvidence'
  | 'closeDispute';

function afterwardsControl(world: World): Pick<StripeControl, Afterwards> {
  return {
    refundFromDashboard: async (chargeId, amount) => {
      const [room, charge] = findIn(world, chargeId, (each) => each.charges);
      return refundCharge(world, room, charge, amount ?? null).id;
    },
    failRefund: async (refundId) =>
      failRefund(world, ...findIn(world, refundId, (each) => each.refunds)),
    settleRefund: async (refundId) =>
      settleRefund(world, ...findIn(world, refundId, (each) => each.refunds)),
    openDispute: async (chargeId, ask) => {
      const [room, charge] = findIn(world, chargeId, (each) => each.charges);
      return openDispute(world, room, charge, ask).id;
    },
    sendEvidence: async (disputeId) =>
      sendEvidence(world, ...findIn(world, disputeId, (each) => each.disputes)),
    closeDispute: async (disputeId, result) => {
      const [room, dispute] = findIn(world, disputeId, (each) => each.disputes);
      closeDispute(world, room, dispute, result);
    },
  };
}

/** Whoever steers knows only the object, not whose it is. */
function findIn<T extends { id: string }>(
  world: World,
  id: string,
  shelfOf: (room: Room) => Shelf<T>,
): [Room, T] {
  for (const room of world.allRooms()) {
    const found = shelfOf(room).get(id);
    if (found) return [room, found];
  }
  throw new Error(`There is no ${id}`);
}

function allEvents(world: World): AnyEvent[] {
  return [...world.allRooms().flatMap((room) => room.events.all()), ...world.thinEvents.all()];
}

function findEvent(world: World, id: string): AnyEvent {
  const thin = world.thinEvents.get(id);
  return thin ?? findIn(world, id, (room) => room.events)[1];
}
