import { expect, test } from 'vitest';
import { type KnownState, nextSyncAction, type WantedEvent } from './sync-action.ts';

const at = (time: string) => new Date(`2026-11-17T${time}:00Z`);

const wanted: WantedEvent = {
  fingerprint: 'current',
  startsAt: at('16:00'),
  endsAt: at('17:00'),
  open: true,
};
const known: KnownState = {
  etag: '"1"',
  syncedHash: 'current',
  syncedStartsAt: at('16:00'),
  syncedEndsAt: at('17:00'),
  pendingHash: null,
  overwriteRemote: false,
  removed: false,
  rejectedHash: null,
};

test.each<[string, WantedEvent | null, KnownState | null, boolean, string]>([
  ['on neither side', null, null, false, 'nothing'],
  ['session without event', wanted, null, false, 'insert'],
  ['equal on both sides', wanted, known, false, 'nothing'],
  ['session changed', { ...wanted, fingerprint: 'new' }, known, false, 'update'],
  ['session no longer takes place', null, known, false, 'remove'],
  ['event removed', null, { ...known, removed: true }, false, 'nothing'],
  [
    'event removed, session takes place again',
    wanted,
    { ...known, removed: true },
    false,
    'insert',
  ],
  ['sent, response lost', wanted, { ...known, pendingHash: 'x' }, false, 'inspect'],
  ['etag unknown', wanted, { ...known, etag: null }, false, 'inspect'],
  ['our version was chosen', wanted, { ...known, overwriteRemote: true }, false, 'update'],
  ['external change open', wanted, known, true, 'wait'],
  [
    'external change open, session moved since',
    { ...wanted, startsAt: at('15:00') },
    known,
    true,
    'overwrite',
  ],
  ['external change open, session completed', { ...wanted, open: false }, known, true, 'overwrite'],
  ['external change open, session cancelled', null, known, true, 'overwrite'],
  [
    'current version rejected by Google',
    wanted,
    { ...known, rejectedHash: 'current' },
    false,
    'nothing',
  ],
  [
    'earlier version rejected by Google',
    wanted,
    { ...known, syncedHash: null, rejectedHash: 'old' },
    false,
    'update',
  ],
])('%s', (_name, wantedEvent, knownState, hasExternalChange, action) => {
  expect(nextSyncAction(wantedEvent, knownState, hasExternalChange)).toBe(action);
});
