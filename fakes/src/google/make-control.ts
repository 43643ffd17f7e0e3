import type { ApiParts } from './api.ts';
import { readBooks } from './books.ts';
import { type ConsentParts, decide, openConsent } from './consent.ts';
import type { GoogleControl } from './control.ts';
import {
  addByHand,
  deleteByHand,
  deleteCalendarByHand,
  moveByHand,
  renameByHand,
  restoreByHand,
} from './tutor.ts';

export function makeControl(
  api: ApiParts,
  consent: ConsentParts,
  defaultUser: string,
): GoogleControl {
  const { world, grants, channels, lists, traffic, faults, conformance, calls } = api;
  const { outbox } = channels;
  return {
    consent: async (authUrl, { user, decision = 'allow' } = {}) => {
      const ask = openConsent(consent, new URL(authUrl).searchParams);
      consent.asks.delete(ask.id);
      const whoever = (user ?? ask.loginHint ?? defaultUser).toLowerCase();
      return { redirect: decide(consent, ask, whoever, decision) };
    },
    revoke: async (user) => grants.revoke(user),
    expireAccessTokens: async (user) => grants.expireAccessTokens(user),
    books: async (user) => readBooks(world, grants, user),
    addEvent: async (calendarId, event) => addByHand(world, calendarId, event),
    moveEvent: async (place, to) => moveByHand(world, place, to),
    renameEvent: async (place, summary) => renameByHand(world, place, summary),
    deleteEvent: async (place) => deleteByHand(world, place),
    restoreEvent: async (place) => restoreByHand(world, place),
    deleteCalendar: async (calendarId) => deleteCalendarByHand(world, calendarId),
    expireSyncTokens: async () => lists.expireSyncTokens(),
    channels: async () => channels.alive().map((channel) => ({ ...channel })),
    dropChannels: async () => channels.drop(),
    deliver: async (settings) => {
      outbox.settings = { ...outbox.settings, ...settings };
      return outbox.settings;
    },
    deliveries: async () => channels.log(),
    hold: async () => outbox.hold(),
    release: async () => outbox.release(),
    quiet: () => outbox.quiet(),
    fault: async (fault) => faults.add(fault),
    clearFaults: async () => faults.clear(),
    faults: async () => faults.left(),
    setQuotas: async (quotas) => {
      traffic.quotas = { ...traffic.quotas, ...quotas };
      return traffic.quotas;
    },
    traffic: async () => traffic.report(),
    calls: async () => calls.all(),
    clearCalls: async () => calls.clear(),
    turnClock: async (millis) => world.clock.turn(millis),
    now: async () => world.clock.millis(),
    conformance: async () => conformance.report(),
  };
}
