import { normalizeLogin } from './normalize-login.ts';

export interface GoogleProfile {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly hostedDomain: string | null;
}

/** Whether Google hosts the mailbox, so that its identity proves ownership of the address. */
export const isAuthoritative = (person: GoogleProfile): boolean =>
  /@gmail\.com$/i.test(person.email) || (person.emailVerified && person.hostedDomain !== null);

export interface ExistingAccount {
  readonly emailVerifiedAt: Date | null;
  readonly passwordHash: string | null;
  readonly isDemo: boolean;
  /** The account is already linked to another Google account. */
  readonly hasGoogle: boolean;
}

/**
 * How a Google login may be linked to the existing account with the same address. Automatic only when both sides have
 * verified the address: Google because it hosts the mailbox, we by our own mail. Google may reassign an address to
 * another person, so linking a second Google account needs the password too.
 */
export function decideLinking(
  person: GoogleProfile,
  account: ExistingAccount,
): 'automatic' | 'with_password' | 'never' {
  if (account.isDemo) return 'never';
  const isVerified = account.emailVerifiedAt !== null && isAuthoritative(person);
  const isUnlinked = account.passwordHash !== null && !account.hasGoogle;
  return isVerified && isUnlinked ? 'automatic' : 'with_password';
}

/** A valid display name: the one from Google, otherwise the local part of the address. */
export function displayNameFrom(name: string | null, email: string): string {
  const candidates = [name ?? '', email.split('@')[0] ?? ''].map((candidate) => candidate.trim());
  const found = candidates.find((candidate) => candidate.length >= 2) ?? 'Tutor';
  return Array.from(found).slice(0, 50).join('');
}

const MAX_USERNAME_LENGTH = 40;

/** Usernames to try in order: the local part without invalid characters, then the same with a number. */
export function usernameCandidates(email: string, count: number): string[] {
  const [local = ''] = email.split('@');
  const plain = normalizeLogin(local)
    .normalize('NFD')
    .replace(/\+.*$/, '')
    .replaceAll(/[^a-z0-9._-]/g, '')
    .slice(0, MAX_USERNAME_LENGTH);
  const base = plain.length >= 3 ? plain : `tutor${plain && `.${plain}`}`;
  return [base, ...Array.from({ length: count - 1 }, (_, index) => `${base}${index + 2}`)];
}
