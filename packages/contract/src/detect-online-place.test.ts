import { expect, test } from 'vitest';
import { isMeetingLink, isOnlinePlace } from './detect-online-place.ts';

test.each([
  'https://meet.google.com/abc-defg-hij',
  'HTTP://example.org/room',
  'Online',
  'online (Zoom)',
  'Zoom',
  'Google Meet',
  'By phone',
])('%s is online', (place) => {
  expect(isOnlinePlace(place)).toBe(true);
});

test.each([
  null,
  '',
  '12 High Street',
  'Library, room 4',
  'Meeting House Lane 3',
  'Phoenix Road 2',
])('%s is in person', (place) => {
  expect(isOnlinePlace(place)).toBe(false);
});

test('only an address with a protocol is a meeting link', () => {
  expect(isMeetingLink('https://zoom.us/j/1')).toBe(true);
  expect(isMeetingLink('zoom.us/j/1')).toBe(false);
  expect(isMeetingLink(null)).toBe(false);
});
