import type { User } from '@lessonbook/contract/accounts';

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
