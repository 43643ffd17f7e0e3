import { expect, test } from 'vitest';
import { classifyRemoteChange, type RemoteState } from './classify-remote-change.ts';
import { NO_CONFERENCE } from './google-meet-conference-state.ts';
import { type DesiredEvent, type KnownState, REMOVING } from './sync-action.ts';

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
const remote: RemoteState = {
  deleted: false,
  fingerprint: 'current',
  startsAt: at('16:00'),
  endsAt: at('17:00'),
};
const moved = { ...remote, fingerprint: 'moved', startsAt: at('18:00'), endsAt: at('19:00') };

test.each<[string, RemoteState | null, Partial<KnownState>, Partial<DesiredEvent>, string]>([
  ['unchanged', remote, {}, {}, 'in_sync'],
  [
    'unchanged, response lost',
    remote,
    { syncedHash: 'old', pendingHash: 'current' },
    {},
    'in_sync',
  ],
  ['version sent before', { ...remote, fingerprint: 'old' }, { syncedHash: 'old' }, {}, 'stale'],
  ['version in flight', { ...moved, fingerprint: 'x' }, { pendingHash: 'x' }, {}, 'stale'],
  ['renamed', { ...remote, fingerprint: 'renamed' }, {}, {}, 'overwrite'],
  ['moved', moved, {}, {}, 'moved'],
  ['made an all-day event', { ...moved, startsAt: null, endsAt: null }, {}, {}, 'moved'],
  ['moved on both sides', moved, {}, { startsAt: at('15:00') }, 'overwrite'],
  ['moved after completion', moved, {}, { isMovable: false }, 'overwrite'],
  ['moved, then reverted', moved, { overwriteRemote: true }, {}, 'overwrite'],
  ['deleted', { ...remote, deleted: true }, {}, {}, 'deleted'],
  ['not found', null, {}, {}, 'deleted'],
  ['deleted after completion', { ...remote, deleted: true }, {}, { isMovable: false }, 'overwrite'],
  ['deleted, then reverted', null, { overwriteRemote: true }, {}, 'insert'],
  ['never confirmed as sent', null, { syncedHash: null, pendingHash: 'x' }, {}, 'insert'],
  [
    'removed by us, session takes place again',
    { ...remote, deleted: true },
    { pendingHash: REMOVING },
    {},
    'overwrite',
  ],
])('event in Google: %s', (_name, remoteState, knownChange, desiredChange, kind) => {
  expect(
    classifyRemoteChange(
      remoteState,
      { ...known, ...knownChange },
      { ...desired, ...desiredChange },
    ),
  ).toBe(kind);
});
