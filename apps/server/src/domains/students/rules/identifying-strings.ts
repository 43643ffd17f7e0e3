/** The person to erase, with the strings that identify them in other tables. */
export interface ErasedPerson {
  readonly kind: 'student' | 'carer';
  readonly id: number;
  /** Full name, email address and phone number. Unique to the person, so they are redacted in any text. */
  readonly identifiers: readonly string[];
  /** Not unique, so it is redacted only in this family's messages and notes. */
  readonly firstName: string;
  readonly email: string | null;
  readonly phone: string | null;
}

interface PersonDetails {
  name: string;
  email: string | null;
  phone: string | null;
}

/** A single-word name such as 'Maya' is not unique, so it is omitted. */
export function identifyingStrings({ name, email, phone }: PersonDetails): string[] {
  const fullName = name.trim();
  return [/\s/.test(fullName) ? fullName : null, email, phone].filter(
    (text): text is string => text !== null && text.length > 3,
  );
}

export const isSameName = (input: string, name: string): boolean =>
  normalizeName(input) === normalizeName(name);

const normalizeName = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase();
