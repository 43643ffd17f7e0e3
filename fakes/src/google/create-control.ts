import { applyDecision, type ConsentContext, parseConsentRequest } from './consent.ts';
import type { GoogleControl } from './control-interface.ts';
import type { ApiContext } from './handle-calendar-api-request.ts';
import { reportUsers } from './report-stored-calendars.ts';
import {
  addEventAsUser,
  deleteCalendarAsUser,
  deleteEventAsUser,
  finishPendingConferences,
  moveEventAsUser,
  removeConferenceAsUser,
  renameEventAsUser,
  restoreEventAsUser,
} from './user-actions.ts';

export function createControl(
  api: ApiContext,
  consent: ConsentContext,
  defaultUser: string,
): GoogleControl {
  const { state, grants, channels, listTokens, quota, faults, conformance, calls } = api;
  const { queue } = channels;
  return {
    consent: async (authUrl, { user, decision = 'allow' } = {}) => {
      const request = parseConsentRequest(consent, new URL(authUrl).searchParams);
      consent.requests.delete(request.id);
      const account = (user ?? request.loginHint ?? defaultUser).toLowerCase();
      return { redirect: applyDecision(consent, request, account, decision) };
    },
    revoke: async (user) => grants.revoke(user),
    expireAccessTokens: async (user) => grants.expireAccessTokens(user),
    report: async (user) => reportUsers(state, grants, user),
    addEvent: async (calendarId, event) => addEventAsUser(state, calendarId, event),
    moveEvent: async (ref, to) => moveEventAsUser(state, ref, to),
    renameEvent: async (ref, summary) => renameEventAsUser(state, ref, summary),
    deleteEvent: async (ref) => deleteEventAsUser(state, ref),
    restoreEvent: async (ref) => restoreEventAsUser(state, ref),
    deleteCalendar: async (calendarId) => deleteCalendarAsUser(state, calendarId),
    setConferenceOutcome: async (outcome) => {
      state.conferenceOutcome = outcome;
    },
    finishConferences: async (outcome) => finishPendingConferences(state, outcome),
    removeConference: async (ref) => removeConferenceAsUser(state, ref),
    setMeetAllowed: async (user, isAllowed) => {
      if (isAllowed) state.usersWithoutMeet.delete(user);
      else state.usersWithoutMeet.add(user);
    },
    expireSyncTokens: async () => listTokens.expireSyncTokens(),
    channels: async () => channels.active().map((channel) => ({ ...channel })),
    dropChannels: async () => channels.dropAll(),
    setDelivery: async (settings) => {
      queue.settings = { ...queue.settings, ...settings };
      return queue.settings;
    },
    deliveries: async () => channels.log(),
    hold: async () => queue.hold(),
    release: async () => queue.release(),
    whenIdle: () => queue.whenIdle(),
    addFault: async (fault) => faults.add(fault),
    clearFaults: async () => faults.clear(),
    faults: async () => faults.remaining(),
    setQuotas: async (quotas) => {
      quota.quotas = { ...quota.quotas, ...quotas };
      return quota.quotas;
    },
    quotaUsage: async () => quota.report(),
    calls: async () => calls.all(),
    clearCalls: async () => calls.clear(),
    advanceClock: async (millis) => state.clock.advance(millis),
    now: async () => state.clock.millis(),
    conformance: async () => conformance.report(),
  };
}
