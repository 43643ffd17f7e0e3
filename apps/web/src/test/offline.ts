import type { OfflineBook } from '@lessonbook/contract/offline';
import { ada } from './users.ts';

/** Ada's two weeks, as a device keeps them. */
export const adasBook = (change: Partial<OfflineBook> = {}): OfflineBook => ({
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
      tone: 'pine',
      status: 'scheduled',
    },
    {
      date: '2026-11-19',
      startTime: '09:00',
      endTime: '10:00',
      firstName: 'Noah',
      subject: 'Piano',
      tone: 'sky',
      status: 'cancelled',
    },
  ],
  balances: [
    { firstNames: ['Maya', 'Leo'], open: [{ currency: 'GBP', owed: 6500, credit: 0 }] },
    { firstNames: ['Noah'], open: [{ currency: 'EUR', owed: 0, credit: 500 }] },
  ],
  ...change,
});
