import type { LoginRow, SecurityOverview } from '@lessonbook/contract/security';

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
