import { expect, test } from 'vitest';
import { NO_CONFERENCE } from './google-meet-conference-state.ts';
import { type DesiredEvent, type KnownState, nextSyncAction } from './sync-action.ts';

const at = (time: string) => new Date(`2026-11-17T${time}:00Z`);

const desired: DesiredEvent = {
  fingerprint: 'current',
  startsAt: at('16:00'),
  endsAt: at('17:00'),
  isMovable: true,
  wantsConference: false,
  hasMeetLink: false,
};
const known: KnownState = {
  ...NO_CONFERENCE,
  etag: '"1"',
  syncedHash: 'current',
  syncedStartsAt: at('16:00'),
  syncedEndsAt: at('17:00'),
  pendingHash: null,
  overwriteRemote: false,
  removed: false,
  rejectedHash: null,
};

const meet: DesiredEvent = { ...desired, wantsConference: true };
const created: KnownState = { ...known, conferenceStatus: 'created' };
const pending: KnownState = {
  ...known,
  conferenceStatus: 'pending',
  conferenceCheckAt: at('12:00'),
};

test.each<[string, DesiredEvent | null, KnownState | null, boolean, string]>([
  ['neither session nor event', null, null, false, 'nothing'],
  ['session without event', desired, null, false, 'insert'],
  ['equal on both sides', desired, known, false, 'nothing'],
  ['session changed', { ...desired, fingerprint: 'new' }, known, false, 'update'],
  ['session no longer takes place', null, known, false, 'remove'],
  ['event removed', null, { ...known, removed: true }, false, 'nothing'],
  [
    'event removed, session takes place again',
    desired,
    { ...known, removed: true },
    false,
    'insert',
  ],
  ['sent, response lost', desired, { ...known, pendingHash: 'x' }, false, 'inspect'],
  ['etag unknown', desired, { ...known, etag: null }, false, 'inspect'],
  ['our version was chosen', desired, { ...known, overwriteRemote: true }, false, 'update'],
  ['unresolved external change', desired, known, true, 'wait'],
  [
    'unresolved external change, session moved since',
    { ...desired, startsAt: at('15:00') },
    known,
    true,
    'overwrite',
  ],
  [
    'unresolved external change, session completed',
    { ...desired, isMovable: false },
    known,
    true,
    'overwrite',
  ],
  ['unresolved external change, session cancelled', null, known, true, 'overwrite'],
  [
    'current version rejected by Google',
    desired,
    { ...known, rejectedHash: 'current' },
    false,
    'nothing',
  ],
  [
    'earlier version rejected by Google',
    desired,
    { ...known, syncedHash: null, rejectedHash: 'old' },
    false,
    'update',
  ],
  ['Meet switched on', meet, known, false, 'update'],
  ['Meet switched off', desired, created, false, 'update'],
  ['Meet with a link', { ...meet, hasMeetLink: true }, created, false, 'nothing'],
  ['Meet without a link, which Google has', meet, created, false, 'inspect'],
  ['Meet pending, check due', meet, pending, false, 'inspect'],
  [
    'Meet pending, check not due',
    meet,
    { ...pending, conferenceCheckAt: at('12:01') },
    false,
    'nothing',
  ],
  ['Meet failed', meet, { ...known, conferenceStatus: 'failed' }, false, 'nothing'],
])('next action: %s', (_name, desiredEvent, knownState, hasExternalChange, action) => {
  expect(nextSyncAction(desiredEvent, knownState, hasExternalChange, at('12:00'))).toBe(action);
});
