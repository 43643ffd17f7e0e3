import type { User } from '@lessonbook/contract/accounts';
import type { OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import type { LoginRow, SecurityOverview } from '@lessonbook/contract/security';

export const ada: User = {
  id: 'tutor-1',
  name: 'Ada Fenwick',
  email: 'ada@example.com',
  username: 'ada',
  emailVerified: true,
  pendingEmail: null,
  timeZone: 'Europe/London',
  trialEndsAt: '2026-11-28T09:00:00Z',
  trialDaysLeft: 13,
  deletesAt: null,
  accessReviewDue: false,
  mfaRemovalAt: null,
  today: '2026-11-15',
  revision: 1,
};

/** An account with a password only. */
export const passwordOnlySecurity: SecurityOverview = {
  hasPassword: true,
  isDemo: false,
  passkeysOffered: true,
  passkeys: [],
  authenticatorOffered: true,
  authenticatorOn: false,
  authenticatorAddedAt: null,
  recoveryCodesLeft: 0,
  recoveryCodesCreatedAt: null,
  googleLinkedAt: null,
  calendarFeedCreatedAt: null,
  calendarConnectedAt: null,
};

export const logins: LoginRow[] = [
  {
    id: 'here',
    device: 'Firefox on Windows',
    isCurrent: true,
    firstSeenAt: '2026-11-15T08:00:00Z',
    lastSeenAt: '2026-11-15T09:00:00Z',
  },
  {
    id: 'there',
    device: 'Safari on iPhone',
    isCurrent: false,
    firstSeenAt: '2026-11-10T08:00:00Z',
    lastSeenAt: '2026-11-14T18:30:00Z',
  },
];

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
