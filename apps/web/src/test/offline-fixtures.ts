import type { OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import { ada } from './user-fixtures.ts';

/** Two weeks of Ada's data, as stored on a device. */
export const offlineSnapshot = (overrides: Partial<OfflineSnapshot> = {}): OfflineSnapshot => ({
  owner: ada.id,
  revision: ada.revision,
  asOf: '2026-11-17T14:05:00Z',
  timeZone: 'Europe/London',
  from: '2026-11-17',
  to: '2026-11-30',
  sessions: [
    {
      date: '2026-11-17',
      startTime: '16:00',
      endTime: '17:00',
      firstName: 'Maya',
      subject: 'Maths',
      color: 'pine',
      status: 'scheduled',
    },
    {
      date: '2026-11-19',
      startTime: '09:00',
      endTime: '10:00',
      firstName: 'Noah',
      subject: 'Piano',
      color: 'sky',
      status: 'cancelled',
    },
  ],
  balances: [
    { firstNames: ['Maya', 'Leo'], amounts: [{ currency: 'GBP', owed: 6500, credit: 0 }] },
    { firstNames: ['Noah'], amounts: [{ currency: 'EUR', owed: 0, credit: 500 }] },
  ],
  ...overrides,
});
