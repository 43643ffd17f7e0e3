import { expect, test } from 'vitest';
import {
  createDeviceId,
  isDeviceTrusted,
  parseDeviceCookie,
  serializeDeviceCookie,
} from './trusted-devices.ts';

const met = new Date('2026-11-16T12:00:00.123Z');
const id = createDeviceId(met, 'abc_-9');

test.each([
  ['at once', null, '2026-11-16T12:00:00.123Z', true],
  ['a year less a second later', null, '2027-11-16T11:59:59Z', true],
  ['a year and a second later', null, '2027-11-16T12:00:02Z', false],
  [
    'met after everyone became a stranger',
    '2026-11-16T12:00:00.123Z',
    '2026-11-17T12:00:00Z',
    true,
  ],
  [
    'met before everyone became a stranger',
    '2026-11-16T12:00:00.124Z',
    '2026-11-17T12:00:00Z',
    false,
  ],
  ['met in the future, which nobody is', null, '2026-11-16T11:00:00Z', false],
])('%s', (_, since, now, known) => {
  expect(isDeviceTrusted(id, since === null ? null : new Date(since), new Date(now))).toBe(known);
});

test('what is written is read again, four at most, and what is no name of ours is left out', () => {
  const device = (n: number) => ({ id: createDeviceId(met, `n${n}`), signature: 's'.repeat(43) });
  const five = [1, 2, 3, 4, 5].map(device);
  expect(parseDeviceCookie(serializeDeviceCookie(five))).toEqual(five.slice(0, 4));
  expect(parseDeviceCookie('')).toEqual([]);
  expect(parseDeviceCookie(`~.~x~${id}.short~${id}.${'s'.repeat(44)}`)).toEqual([]);
});
