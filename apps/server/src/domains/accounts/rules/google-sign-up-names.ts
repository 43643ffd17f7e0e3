import { normalizeLogin } from './normalize-login.ts';

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
