import { normalizeLogin } from './normalize-login.ts';

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

/** Returns a valid display name: the name from Google, or the local part of the address. */
export function toDisplayName(name: string | null, email: string): string {
  const candidates = [name ?? '', email.split('@')[0] ?? ''].map((candidate) => candidate.trim());
  const displayName = candidates.find((candidate) => candidate.length >= 2) ?? 'Tutor';
  return Array.from(displayName).slice(0, 50).join('');
}

const MAX_USERNAME_LENGTH = 40;

/** Usernames to try, in order: the local part without invalid characters, then with a number appended. */
export function usernameCandidates(email: string, count: number): string[] {
  const [localPart = ''] = email.split('@');
  const plain = normalizeLogin(localPart)
    .normalize('NFD')
    .replace(/\+.*$/, '')
    .replaceAll(/[^a-z0-9._-]/g, '')
    .slice(0, MAX_USERNAME_LENGTH);
  const base = plain.length >= 3 ? plain : `tutor${plain && `.${plain}`}`;
  return [base, ...Array.from({ length: count - 1 }, (_, index) => `${base}${index + 2}`)];
}
