import { invalidParam, missingParam } from './error-response.ts';
import type { Form, FormValue } from './form-encoding.ts';

export function parseUrl(value: FormValue | undefined, param: string): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string' || !/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw invalidParam(param, 'Not a valid URL', 'url_invalid');
  }
  return value;
}

export function parseEmail(value: FormValue | undefined, param: string): string | null {
  const email = toText(value);
  if (email !== null && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
    throw invalidParam(param, `Invalid email address: ${email}`, 'email_invalid');
  }
  return email;
}

/** At most 50 entries, with keys of up to 40 characters and values of up to 500. */
export function parseMetadata(value: FormValue | undefined, param: string): Record<string, string> {
  const entries = Object.entries(asForm(value)).filter(([, text]) => text !== '');
  if (entries.length > 50) {
    throw invalidParam(param, 'Metadata can have up to 50 keys.');
  }
  for (const [key, text] of entries) {
    if (key.length > 40) {
      const message = `Metadata keys can have up to 40 characters, but the key ${key} has ${key.length}.`;
      throw invalidParam(param, message);
    }
    if (typeof text !== 'string' || text.length > 500) {
      const message = `Metadata values must be strings of at most 500 characters; the value of ${key} is not.`;
      throw invalidParam(`${param}[${key}]`, message);
    }
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

export function parseInteger(value: FormValue | undefined, param: string): number {
  if (value === undefined) throw missingParam(param);
  if (typeof value !== 'string' || !/^\d+$/.test(value)) {
    const valueText = typeof value === 'string' ? value : 'an object';
    throw invalidParam(param, `Invalid integer: ${valueText}`, 'parameter_invalid_integer');
  }
  return Number(value);
}

export function asForm(value: FormValue | undefined): Form {
  return typeof value === 'object' && !Array.isArray(value) ? value : {};
}

export function toText(value: FormValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
