import { expect, test } from 'vitest';
import {
  type ConferenceState,
  conferenceRequest,
  conferenceRequestId,
  NO_CONFERENCE,
  nextConferenceState,
} from './google-meet-conference-state.ts';

const now = new Date('2026-11-17T12:00:00Z');
const check = { isWanted: true, request: null, now };
const create = { isWanted: true, request: 'create', now } as const;
const state = (
  conferenceStatus: ConferenceState['conferenceStatus'],
  conferenceNumber = 0,
): ConferenceState => ({ ...NO_CONFERENCE, conferenceStatus, conferenceNumber });

test('a conference is requested once, and its removal is requested when it is no longer wanted', () => {
  expect(conferenceRequest(true, null)).toBe('create');
  for (const status of ['pending', 'created', 'failed'] as const) {
    expect(conferenceRequest(true, state(status))).toBeNull();
    expect(conferenceRequest(false, state(status))).toBe('remove');
  }
  expect(conferenceRequest(false, NO_CONFERENCE)).toBeNull();
});

test('a repeated request has the same id; a request after a removal or failure has a new one', () => {
  const first = conferenceRequestId('event', null);
  expect(conferenceRequestId('event', NO_CONFERENCE)).toBe(first);
  const created = nextConferenceState(NO_CONFERENCE, 'created', create);
  expect(conferenceRequestId('event', created)).toBe(first);
  const removed = nextConferenceState(created, null, { isWanted: false, request: 'remove', now });
  expect(removed).toEqual(state(null, 1));
  expect(conferenceRequestId('event', removed)).not.toBe(first);
  expect(nextConferenceState(NO_CONFERENCE, 'failed', create)).toEqual(state('failed', 1));
});

test('a request without a result has failed, and stays failed unless Google turns out to have a link', () => {
  expect(nextConferenceState(NO_CONFERENCE, null, create)).toEqual(state('failed', 1));
  expect(nextConferenceState(state('failed', 1), 'failed', check)).toEqual(state('failed', 1));
  expect(nextConferenceState(state('failed', 1), 'pending', check)).toEqual(state('failed', 1));
  expect(nextConferenceState(state('failed', 1), 'created', check)).toEqual(state('created', 1));
});

test('a conference that was removed in Google is requested again', () => {
  expect(nextConferenceState(state('created'), null, check)).toEqual(state(null, 1));
});

test("a conference that the tutor added to another lesson's calendar event is left alone", () => {
  const unwanted = { isWanted: false, request: null, now };
  expect(nextConferenceState(NO_CONFERENCE, 'created', unwanted)).toEqual(NO_CONFERENCE);
});

test('a pending conference is checked at increasing intervals, and counts as failed after 8 checks', () => {
  let current = nextConferenceState(NO_CONFERENCE, 'pending', create);
  const delays: number[] = [];
  let at = now;
  while (current.conferenceStatus === 'pending') {
    const checkAt = current.conferenceCheckAt ?? at;
    delays.push((checkAt.getTime() - at.getTime()) / 1000);
    // An extra check before the scheduled one, because of another change, does not count.
    expect(nextConferenceState(current, 'pending', { ...check, now: at })).toEqual(current);
    at = checkAt;
    current = nextConferenceState(current, 'pending', { ...check, now: at });
  }
  expect(delays).toEqual([5, 10, 20, 40, 80, 160, 320, 640]);
  expect(current).toEqual(state('failed', 1));
});

test('once a pending conference has been created, it is not checked again', () => {
  const pending = nextConferenceState(NO_CONFERENCE, 'pending', create);
  expect(nextConferenceState(pending, 'created', check)).toEqual(state('created'));
});
