import { IMPORT_FIELDS, type ImportKind } from '@lessonbook/contract/import';

/**
 * Headings accepted besides the field's own, including those that other tutoring products, contact lists and calendars export.
 * Case, spaces and punctuation are ignored.
 */
const ALIASES: Record<ImportKind, Record<string, readonly string[]>> = {
  students: {
    name: [
      'student',
      'student name',
      'student full name',
      'full name',
      'pupil',
      'pupil name',
      'client',
      'client name',
      'display name',
      'contact name',
    ],
    firstName: [
      'given name',
      'forename',
      'student first name',
      'student given name',
      'pupil first name',
      'client first name',
    ],
    lastName: [
      'family name',
      'surname',
      'student last name',
      'student surname',
      'pupil last name',
      'client last name',
    ],
    phone: [
      'student phone',
      'mobile',
      'mobile phone',
      'mobile number',
      'telephone',
      'tel',
      'phone number',
      'cell phone',
      'home phone',
      'student mobile',
      'phone 1 value',
    ],
    email: [
      'e mail',
      'student email',
      'mail',
      'email address',
      'student email address',
      'e mail 1 value',
    ],
    subject: [
      'subjects',
      'instrument',
      'instruments',
      'service',
      'services',
      'course',
      'lesson type',
    ],
    notes: [
      'note',
      'comment',
      'comments',
      'additional information',
      'about',
      'description',
      'student notes',
    ],
    school: ['school name', 'organization', 'organisation'],
    schoolYear: ['year', 'year group', 'grade', 'school grade', 'skill level', 'level', 'class'],
    carerName: [
      'carer',
      'parent',
      'parent name',
      'parent full name',
      'guardian',
      'guardian name',
      'mother',
      'father',
      'customer',
      'customer name',
      'billing contact',
      'billing name',
      'parent 1',
      'parent 1 name',
      'parent guardian',
      'primary contact',
      'account holder',
      'family',
    ],
    carerFirstName: [
      'parent first name',
      'guardian first name',
      'customer first name',
      'parent 1 first name',
      'family first name',
      'billing first name',
    ],
    carerLastName: [
      'parent last name',
      'parent surname',
      'guardian last name',
      'customer last name',
      'parent 1 last name',
      'billing last name',
    ],
    // Not 'balance', because a negative balance is a debt in some products and a credit in others.
    openingBalance: ['owes', 'amount owed', 'amount due', 'outstanding', 'outstanding balance'],
    carerRelationship: ['carer relationship', 'relation', 'relationship to student'],
    carerPhone: [
      'parent phone',
      'parent phone number',
      'parent mobile',
      'parent mobile phone',
      'guardian phone',
      'customer phone',
      'customer mobile',
      'parent 1 phone',
      'billing phone',
      'carer mobile',
      'emergency phone',
    ],
    carerEmail: [
      'carer e mail',
      'parent email',
      'parent e mail',
      'parent email address',
      'guardian email',
      'customer email',
      'parent 1 email',
      'billing email',
    ],
  },
  lessons: {
    student: [
      'student name',
      'students',
      'name',
      'pupil',
      'client',
      'client name',
      'attendee',
      'attendees',
      'participant',
      'customer',
      'invitee name',
      'student full name',
    ],
    subject: [
      'subjects',
      'service',
      'service name',
      'lesson',
      'lesson name',
      'lesson type',
      'category',
      'course',
      'event type',
      'event type name',
      'title',
      'job name',
    ],
    date: ['first date', 'day', 'start date', 'lesson date', 'event date', 'from date'],
    start: [
      'start time',
      'from',
      'begins',
      'time',
      'starts',
      'lesson time',
      'from time',
      'start date time',
    ],
    end: ['end time', 'to', 'ends', 'finish', 'finish time', 'to time', 'end date time'],
    duration: [
      'length',
      'minutes',
      'mins',
      'duration minutes',
      'duration mins',
      'hours',
      'lesson length',
    ],
    fee: [
      'price',
      'amount',
      'cost',
      'rate',
      'charge',
      'charge rate',
      'hourly rate',
      'lesson cost',
      'total',
    ],
    repeats: ['repeat', 'recurrence', 'recurring', 'frequency', 'how often'],
    until: ['weekly until', 'repeat until', 'repeats until', 'end date', 'last date', 'ends on'],
    place: ['location', 'where', 'venue', 'address', 'room', 'meeting link'],
    notes: ['note', 'comment', 'comments', 'description', 'lesson description'],
  },
};

const normalizeHeading = (heading: string): string =>
  heading.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

const fieldsByHeading = (kind: ImportKind): ReadonlyMap<string, string> =>
  new Map(
    IMPORT_FIELDS[kind].flatMap(({ name, label }) =>
      [label, name, ...(ALIASES[kind][name] ?? [])].map(
        (heading) => [normalizeHeading(heading), name] as const,
      ),
    ),
  );
const FIELDS_BY_HEADING: Record<ImportKind, ReadonlyMap<string, string>> = {
  students: fieldsByHeading('students'),
  lessons: fieldsByHeading('lessons'),
};

export interface ColumnMapping {
  /** The field for each column, or null if the column is not imported. */
  fields: (string | null)[];
  missing: string[];
}

/** If two headings match the same field, the first one is used. `chosen` overrides the match by heading. */
export function matchColumns(
  kind: ImportKind,
  header: readonly string[],
  chosen?: readonly (string | null)[],
): ColumnMapping {
  const known = new Set(IMPORT_FIELDS[kind].map(({ name }) => name));
  const used = new Set<string>();
  const fields = header.map((heading, index) => {
    const field = chosen
      ? (chosen[index] ?? null)
      : (FIELDS_BY_HEADING[kind].get(normalizeHeading(heading)) ?? null);
    if (field === null || !known.has(field) || used.has(field)) return null;
    used.add(field);
    return field;
  });
  const hasParts = used.has('firstName') || used.has('lastName');
  const missing = IMPORT_FIELDS[kind].filter(
    ({ name, required }) => required && !used.has(name) && !(name === 'name' && hasParts),
  );
  // One column can contain both: '17/11/2026 16:00'.
  const hasCombinedDateTime = used.has('start') !== used.has('date');
  return {
    fields,
    missing: missing
      .filter(({ name }) => !(hasCombinedDateTime && (name === 'date' || name === 'start')))
      .map(({ label }) => label),
  };
}

export type CellReader = (name: string) => string;

export const toCellReader =
  (fields: readonly (string | null)[], cells: readonly string[]): CellReader =>
  (name) => {
    const index = fields.indexOf(name);
    return index === -1 ? '' : (cells[index] ?? '');
  };
