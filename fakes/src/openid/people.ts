import { createHash } from 'node:crypto';

/** Somebody who has an account at the provider, in the provider's own words. */
export interface Person {
  sub: string;
  email?: string | undefined;
  email_verified?: boolean | undefined;
  name?: string | undefined;
  picture?: string | undefined;
  /** The company or school that runs the address through Google. */
  hd?: string | undefined;
}

/** What the page's form says about somebody; the same address is the same person, unless another number is given. */
export function parsePerson(form: URLSearchParams): Person {
  const text = (name: string) => form.get(name)?.trim() || undefined;
  const email = text('email');
  return {
    sub: text('sub') ?? numberOf(email ?? ''),
    email,
    email_verified: email ? form.has('email_verified') : undefined,
    name: text('name'),
    hd: text('hd'),
  };
}

/** Twenty-one digits, as Google's are. */
function numberOf(email: string): string {
  const digest = createHash('sha256').update(email.toLowerCase()).digest('hex');
  return BigInt(`0x${digest}`).toString().slice(0, 21);
}
