import { expect, test } from 'vitest';
import { classifyRemoteChange, type RemoteState } from './classify-remote-change.ts';
import { type KnownState, nextSyncAction, REMOVING, type WantedEvent } from './sync-action.ts';

const at = (time: string) => new Date(`2026-11-17T${time}:00Z`);

const wanted: WantedEvent = {
  fingerprint: 'as in the book',
  startsAt: at('16:00'),
  endsAt: at('17:00'),
  open: true,
};
const known: KnownState = {
  etag: '"1"',
  sent: 'as in the book',
  sentStartsAt: at('16:00'),
  sentEndsAt: at('17:00'),
  sending: null,
  forced: false,
  removed: false,
  refused: null,
};
const seen: RemoteState = {
  deleted: false,
  fingerprint: 'as in the book',
  startsAt: at('16:00'),
  endsAt: at('17:00'),
};

test.each<[string, WantedEvent | null, KnownState | null, boolean, string]>([
  ['in neither', null, null, false, 'nothing'],
  ['in the book alone', wanted, null, false, 'insert'],
  ['in both, alike', wanted, known, false, 'nothing'],
  ['changed in the book', { ...wanted, fingerprint: 'new' }, known, false, 'update'],
  ['no longer in the book', null, known, false, 'remove'],
  ['taken out', null, { ...known, removed: true }, false, 'nothing'],
  ['taken out and on again', wanted, { ...known, removed: true }, false, 'insert'],
  ['sent, and nothing was heard', wanted, { ...known, sending: 'x' }, false, 'look'],
  ['not known what is there', wanted, { ...known, etag: null }, false, 'look'],
  ['the book has the last word', wanted, { ...known, forced: true }, false, 'update'],
  ['asked about', wanted, known, true, 'hold'],
  [
    'asked about, then moved in the book',
    { ...wanted, startsAt: at('15:00') },
    known,
    true,
    'overrule',
  ],
  ['asked about, then ticked off', { ...wanted, open: false }, known, true, 'overrule'],
  ['asked about, then cancelled', null, known, true, 'overrule'],
  ['refused as it is', wanted, { ...known, refused: 'as in the book' }, false, 'nothing'],
  ['refused as it was', wanted, { ...known, sent: null, refused: 'old' }, false, 'update'],
])('%s', (_name, inBook, inGoogle, asked, step) => {
  expect(nextSyncAction(inBook, inGoogle, asked)).toBe(step);
});

const elsewhere = { ...seen, fingerprint: 'moved', startsAt: at('18:00'), endsAt: at('19:00') };

test.each<[string, RemoteState | null, Partial<KnownState>, Partial<WantedEvent>, string]>([
  ['alike', seen, {}, {}, 'in step'],
  [
    'alike, though nothing was heard',
    seen,
    { sent: 'old', sending: 'as in the book' },
    {},
    'in step',
  ],
  ['what was sent before', { ...seen, fingerprint: 'old' }, { sent: 'old' }, {}, 'ours'],
  ['what was on its way', { ...elsewhere, fingerprint: 'x' }, { sending: 'x' }, {}, 'ours'],
  ['another name', { ...seen, fingerprint: 'renamed' }, {}, {}, 'write over'],
  ['moved', elsewhere, {}, {}, 'moved'],
  ['made a whole day', { ...elsewhere, startsAt: null, endsAt: null }, {}, {}, 'moved'],
  ['moved, and in the book too', elsewhere, {}, { startsAt: at('15:00') }, 'write over'],
  ['moved after it was taught', elsewhere, {}, { open: false }, 'write over'],
  ['moved, but put back', elsewhere, { forced: true }, {}, 'write over'],
  ['deleted', { ...seen, deleted: true }, {}, {}, 'deleted'],
  ['not there', null, {}, {}, 'deleted'],
  ['deleted after it was taught', { ...seen, deleted: true }, {}, { open: false }, 'write over'],
  ['deleted, but put back', null, { forced: true }, {}, 'insert'],
  ['never certainly sent', null, { sent: null, sending: 'x' }, {}, 'insert'],
  [
    'taken out by us, on again',
    { ...seen, deleted: true },
    { sending: REMOVING },
    {},
    'write over',
  ],
])('found in Google: %s', (_name, facts, before, inBook, verdict) => {
  expect(classifyRemoteChange(facts, { ...known, ...before }, { ...wanted, ...inBook })).toBe(
    verdict,
  );
});
