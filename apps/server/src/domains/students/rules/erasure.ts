/** The person to erase, with the strings that identify them in other tables. */
export interface ErasedPerson {
  readonly kind: 'student' | 'carer';
  readonly id: number;
  /** Full name, e-mail address and phone number: unique to the person, so they are redacted in any text. */
  readonly identifiers: readonly string[];
  /** Not unique; redacted only in messages and notes of this family. */
  readonly firstName: string;
  readonly email: string | null;
  readonly phone: string | null;
}

interface PersonDetails {
  name: string;
  email: string | null;
  phone: string | null;
}

/** A single name ('Maya') is not unique and is left out. */
export function identifyingStrings({ name, email, phone }: PersonDetails): string[] {
  const fullName = name.trim();
  return [/\s/.test(fullName) ? fullName : null, email, phone].filter(
    (text): text is string => text !== null && text.length > 3,
  );
}

export const isSameName = (input: string, name: string): boolean =>
  normalizeName(input) === normalizeName(name);

const normalizeName = (name: string): string => name.trim().replaceAll(/\s+/g, ' ').toLowerCase();
