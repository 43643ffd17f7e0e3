import type { LoginRow, Security } from '@lessonbook/contract/security';

/** An account with a password and nothing else yet. */
export const guarded: Security = {
  hasPassword: true,
  isDemo: false,
  passkeysOffered: true,
  passkeys: [],
  authenticatorOffered: true,
  authenticatorOn: false,
  recoveryCodesLeft: 0,
};

export const logins: LoginRow[] = [
  {
    id: 'here',
    device: 'Firefox on Windows',
    isThis: true,
    firstSeenAt: '2026-11-15T08:00:00Z',
    lastSeenAt: '2026-11-15T09:00:00Z',
  },
  {
    id: 'there',
    device: 'Safari on iPhone',
    isThis: false,
    firstSeenAt: '2026-11-10T08:00:00Z',
    lastSeenAt: '2026-11-14T18:30:00Z',
  },
];
