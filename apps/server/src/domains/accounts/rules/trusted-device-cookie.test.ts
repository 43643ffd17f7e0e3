import { expect, test } from 'vitest';
import {
  createDeviceId,
  isDeviceTrusted,
  parseDeviceCookie,
  serializeDeviceCookie,
} from './trusted-device-cookie.ts';

const trustedAt = new Date('2026-11-16T12:00:00.123Z');
const id = createDeviceId(trustedAt, 'abc_-9');

test.each([
  ['immediately', null, '2026-11-16T12:00:00.123Z', true],
  ['a year less a second later', null, '2027-11-16T11:59:59Z', true],
  ['a year and a second later', null, '2027-11-16T12:00:02Z', false],
  [
    'trusted after all devices were invalidated',
    '2026-11-16T12:00:00.123Z',
    '2026-11-17T12:00:00Z',
    true,
  ],
  [
    'trusted before all devices were invalidated',
    '2026-11-16T12:00:00.124Z',
    '2026-11-17T12:00:00Z',
    false,
  ],
  ['trusted in the future', null, '2026-11-16T11:00:00Z', false],
])('isDeviceTrusted: %s', (_, validAfter, now, expected) => {
  expect(
    isDeviceTrusted(id, validAfter === null ? null : new Date(validAfter), new Date(now)),
  ).toBe(expected);
});

test('the cookie stores at most four devices, and malformed entries are ignored', () => {
  const device = (n: number) => ({
    id: createDeviceId(trustedAt, `n${n}`),
    signature: 's'.repeat(43),
  });
  const five = [1, 2, 3, 4, 5].map(device);
  expect(parseDeviceCookie(serializeDeviceCookie(five))).toEqual(five.slice(0, 4));
  expect(parseDeviceCookie('')).toEqual([]);
  expect(parseDeviceCookie(`~.~x~${id}.short~${id}.${'s'.repeat(44)}`)).toEqual([]);
});
