import { describe, expect, test } from 'vitest';
import { intlOffsets, intlZone } from '../../../test/model/time-zones/intl-offsets.ts';
import { localTimeAt, localTimeAtTransition, zoneOffsetsBetween } from './timezone-transitions.ts';

const toEpochSeconds = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1000;

describe('transitions', () => {
  test.each([
    'Europe/London',
    'Europe/Dublin',
    'Africa/Casablanca',
    'Africa/El_Aaiun',
    'Australia/Lord_Howe',
    'America/Sao_Paulo',
    'America/St_Johns',
    'Pacific/Apia',
    'Pacific/Chatham',
    'Asia/Tehran',
    'Asia/Pyongyang',
    'Asia/Kathmandu',
    'Antarctica/Troll',
    'UTC',
  ])('match Intl in %s', (zone) => {
    const offsets = zoneOffsetsBetween(zone, '2010-01-03', '2039-12-31');
    const oracle = intlZone(zone, toEpochSeconds('2010-01-01'), toEpochSeconds('2040-01-03'));
    expect(offsets.initialOffset).toBe(oracle.initialOffset * 1000);
    expect(offsets.transitions).toEqual(
      oracle.transitions.map(({ at, before, after }) => ({
        at: at * 1000,
        before: before * 1000,
        after: after * 1000,
      })),
    );
    const offsetAt = intlOffsets(zone);
    for (
      let at = toEpochSeconds('2010-01-03');
      at < toEpochSeconds('2039-12-31');
      at += 86_400 * 9.7
    ) {
      const local = new Date((at + offsetAt(at)) * 1000).toISOString().slice(0, 19);
      expect([null, local]).toContain(localTimeAt(offsets, new Date(at * 1000)));
    }
  });

  test('are given in the local time before the change', () => {
    const { transitions } = zoneOffsetsBetween('Europe/London', '2026-09-01', '2027-05-01');
    expect(transitions.map(localTimeAtTransition)).toEqual([
      '2026-10-25T02:00:00',
      '2027-03-28T01:00:00',
    ]);
  });

  test('cover the day that Samoa skipped', () => {
    const offsets = zoneOffsetsBetween('Pacific/Apia', '2011-12-20', '2012-01-10');
    expect(offsets.transitions).toMatchObject([{ before: -10 * 3_600_000, after: 14 * 3_600_000 }]);
    expect(localTimeAt(offsets, new Date('2011-12-30T09:59:00Z'))).toBe('2011-12-29T23:59:00');
    expect(localTimeAt(offsets, new Date('2011-12-30T10:00:00Z'))).toBe('2011-12-31T00:00:00');
  });
});

describe('the local time is null only for times that occur twice', () => {
  test.each([
    ['Europe/London', '2026-10-24T23:59:00Z', '2026-10-25T00:59:00'],
    ['Europe/London', '2026-10-25T00:00:00Z', null],
    ['Europe/London', '2026-10-25T01:59:00Z', null],
    ['Europe/London', '2026-10-25T02:00:00Z', '2026-10-25T02:00:00'],
    ['Europe/London', '2027-03-28T00:59:00Z', '2027-03-28T00:59:00'],
    ['Europe/London', '2027-03-28T01:00:00Z', '2027-03-28T02:00:00'],
    ['Australia/Lord_Howe', '2027-04-03T14:29:00Z', '2027-04-04T01:29:00'],
    ['Australia/Lord_Howe', '2027-04-03T14:30:00Z', null],
    ['Australia/Lord_Howe', '2027-04-03T15:29:00Z', null],
    ['Australia/Lord_Howe', '2027-04-03T15:30:00Z', '2027-04-04T02:00:00'],
  ])('%s at %s', (zone, instant, local) => {
    expect(
      localTimeAt(zoneOffsetsBetween(zone, '2026-09-01', '2027-09-01'), new Date(instant)),
    ).toBe(local);
  });
});
