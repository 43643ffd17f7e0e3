export interface GoogleProfile {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly hostedDomain: string | null;
}

/** Whether Google hosts the mailbox. If so, a Google login proves ownership of the address. */
export const isGoogleAuthoritative = (profile: GoogleProfile): boolean =>
  /@gmail\.com$/i.test(profile.email) || (profile.emailVerified && profile.hostedDomain !== null);

export interface ExistingAccount {
  readonly emailVerifiedAt: Date | null;
  readonly passwordHash: string | null;
  readonly isDemo: boolean;
  /** The account is already linked to another Google account. */
  readonly hasGoogle: boolean;
}

/**
 * Decides how a Google login may be linked to an existing account with the same address. Linking is automatic only if
 * both sides have verified the address: Google hosts the mailbox, and the tutor has followed our own verification link.
 * An address can be reassigned to another person, so linking a second Google account requires the password.
 */
export function decideLinking(
  profile: GoogleProfile,
  account: ExistingAccount,
): 'automatic' | 'with_password' | 'never' {
  if (account.isDemo) return 'never';
  const isVerifiedByBoth = account.emailVerifiedAt !== null && isGoogleAuthoritative(profile);
  const usesPasswordOnly = account.passwordHash !== null && !account.hasGoogle;
  return isVerifiedByBoth && usesPasswordOnly ? 'automatic' : 'with_password';
}
