import { createHash } from 'node:crypto';

/** A user of the provider; the fields have the names of OpenID claims. */
export interface Person {
  sub: string;
  email?: string | undefined;
  email_verified?: boolean | undefined;
  name?: string | undefined;
  picture?: string | undefined;
  /** The Google Workspace domain. */
  hd?: string | undefined;
}

/** Parses the chooser form. The same email address gives the same `sub`, unless the form specifies a different one. */
export function parsePerson(form: URLSearchParams): Person {
  const text = (name: string) => form.get(name)?.trim() || undefined;
  const email = text('email');
  return {
    sub: text('sub') ?? createSub(email ?? ''),
    email,
    email_verified: email ? form.has('email_verified') : undefined,
    name: text('name'),
    hd: text('hd'),
  };
}

/** Twenty-one digits, like Google's. */
function createSub(email: string): string {
  const digest = createHash('sha256').update(email.toLowerCase()).digest('hex');
  return BigInt(`0x${digest}`).toString().slice(0, 21);
}
