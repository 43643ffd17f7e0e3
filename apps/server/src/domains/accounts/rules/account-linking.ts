import { normalizeLogin } from './normalize-login.ts';

export interface GoogleProfile {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly hostedDomain: string | null;
}

/** Whether Google itself runs the mailbox, so that its word about who reads it is worth something. */
export const isAuthoritative = (person: GoogleProfile): boolean =>
  /@gmail\.com$/i.test(person.email) || (person.emailVerified && person.hostedDomain !== null);

export interface ExistingAccount {
  readonly emailVerifiedAt: Date | null;
  readonly passwordHash: string | null;
  readonly isDemo: boolean;
  /** Somebody comes in by Google here already, under another lasting name. */
  readonly hasGoogle: boolean;
}

/**
 * Google vouches for an address that an account has already. The account is handed over without a question only when
 * both sides have proven the address: Google because it runs the mailbox, we by our own mail. An address that passed on
 * to another person at Google is no proof either, so a second Google account needs the password too.
 */
export function decideLinking(
  person: GoogleProfile,
  account: ExistingAccount,
): 'by itself' | 'by password' | 'never' {
  if (account.isDemo) return 'never';
  const proven = account.emailVerifiedAt !== null && isAuthoritative(person);
  const plain = account.passwordHash !== null && !account.hasGoogle;
  return proven && plain ? 'by itself' : 'by password';
}

/** A name that the book can hold: what Google says, or else what stands before the at-sign. */
export function displayNameFrom(name: string | null, email: string): string {
  const candidates = [name ?? '', email.split('@')[0] ?? ''].map((each) => each.trim());
  const found = candidates.find((each) => each.length >= 2) ?? 'Tutor';
  return Array.from(found).slice(0, 50).join('');
}

const MAX_USERNAME_LENGTH = 40;

/** Usernames to try in turn: the part before the at-sign with what is allowed in it, then with a number. */
export function usernameCandidates(email: string, count: number): string[] {
  const [local = ''] = email.split('@');
  const plain = normalizeLogin(local)
    .normalize('NFD')
    .replace(/\+.*$/, '')
    .replaceAll(/[^a-z0-9._-]/g, '')
    .slice(0, MAX_USERNAME_LENGTH);
  const base = plain.length >= 3 ? plain : `tutor${plain && `.${plain}`}`;
  return [base, ...Array.from({ length: count - 1 }, (_, at) => `${base}${at + 2}`)];
}
