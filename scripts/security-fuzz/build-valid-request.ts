import { MAX_GROUP_STUDENTS } from '@lessonbook/contract/sessions';
import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import type { IdPool } from './id-pool.ts';
import { alignIds } from './make-related-ids-consistent.ts';
import type { Operation, Schema } from './operations.ts';
import { resourceKind } from './resource-kind-of-field.ts';
import { PASSWORD } from './tutor-accounts.ts';

/** A valid request according to the API description. */
export interface RequestData {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

interface BuildContext {
  operation: Operation;
  random: Random;
  pool: IdPool;
  today: string;
  username: string;
  /** Gives every field its largest allowed value. */
  largest?: LargestValues;
}

export interface LargestValues {
  importFile: string;
  /** The first day of the longest period that is requested. */
  firstDate: string;
}

/** The largest values for arrays, texts and numbers that the schema does not limit. */
const UNLIMITED = { items: 500, length: 20_000, number: 1_000_000 };
/** Arrays are shortened to stay below this, because the server refuses larger bodies without reading them. */
const MAX_BODY_LENGTH = 250_000;
/** The length of arrays within arrays, since the largest ones together would have hundreds of megabytes. */
const MAX_NESTED_ITEMS = 15;

/** Builds a request from the schema with the caller's ids, so that it reaches the service. */
export function buildRequest(context: BuildContext): RequestData {
  const { operation, random, largest } = context;
  const data: RequestData = { path: {}, query: {}, body: undefined };
  for (const { name, in: where, required, schema } of operation.parameters)
    if (required || largest || random.chance(0.5))
      data[where][name] = generateValue(context, schema, name);
  if (operation.body) {
    data.body = alignFields(context, generateValue(context, operation.body, ''));
    shortenArrays(data.body);
  }
  alignIds(context, data);
  return data;
}

function shortenArrays(body: unknown): void {
  const arrays = Object.values(body ?? {}).filter((value) => Array.isArray(value));
  while (JSON.stringify(body).length > MAX_BODY_LENGTH && arrays.some(({ length }) => length > 1))
    for (const array of arrays) array.length = Math.ceil(array.length / 2);
}

function generateValue(context: BuildContext, schema: Schema, field: string): unknown {
  const { random, largest } = context;
  const knownFieldValue = schema.type === 'array' ? undefined : knownValue(context, field);
  if (knownFieldValue !== undefined) return knownFieldValue;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) {
    const choices = schema.anyOf.filter((choice) => choice.type !== 'null');
    if (largest) {
      const unbounded = choices.filter((choice) => choice.const === undefined);
      return generateValue(context, random.pick(unbounded.length > 0 ? unbounded : choices), field);
    }
    return random.chance(0.1) ? null : generateValue(context, random.pick(choices), field);
  }
  switch (schema.type) {
    case 'object':
      return generateObject(context, schema, field);
    case 'array': {
      const count = largest
        ? largestArrayLength(context, schema, field)
        : Math.max(schema.minItems ?? 0, 1);
      return Array.from({ length: count }, (_, index) =>
        generateValue(context, schema.items ?? {}, `${field}[${index}]`),
      );
    }
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return largest ? (schema.maximum ?? UNLIMITED.number) : generateNumber(random, schema);
    case 'null':
      return null;
    case undefined:
    default:
      return generateText(context, schema, field);
  }
}

function generateObject(
  context: BuildContext,
  schema: Schema,
  field: string,
): Record<string, unknown> {
  const required = new Set(schema.required ?? []);
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => required.has(name) || context.largest || context.random.chance(0.5))
    .map(([name, each]) => [
      name,
      generateValue(context, each, field === '' ? name : `${field}.${name}`),
    ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** A list of ids has no duplicates. */
function largestArrayLength(
  { operation, pool }: BuildContext,
  { maxItems = UNLIMITED.items }: Schema,
  field: string,
): number {
  const kind = resourceKind(operation.name, field);
  const ids = kind === undefined ? undefined : pool[kind];
  const isNested = field.includes('[');
  return Math.min(maxItems, ids?.length ?? maxItems, isNested ? MAX_NESTED_ITEMS : maxItems);
}

const generateNumber = (random: Random, { minimum, maximum, exclusiveMinimum }: Schema): number => {
  const low = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  return random.between(low < 0 ? 1 : low, Math.min(maximum ?? 100, (low < 0 ? 1 : low) + 50));
};

function generateText(
  { operation, random, today, largest }: BuildContext,
  schema: Schema,
  field: string,
): string {
  const name =
    field
      .replaceAll(/\[\d+\]/g, '')
      .split('.')
      .at(-1) ?? '';
  if (schema.format === 'email' || /email/i.test(name))
    return `own${random.between(1, 9999)}@example.com`;
  if (/phone|^address$/i.test(name) && (schema.maxLength ?? 99) <= 40) return '+447700911111';
  // Prices cannot rise in the past.
  if (
    (operation.path.startsWith('/api/price-rises') && name === 'from') ||
    (operation.path.startsWith('/api/day-changes') && name === 'fromDate')
  )
    return plusDays(today, random.between(1, 60));
  if (/^(from|fromDate)$/.test(name))
    return largest?.firstDate ?? plusDays(today, -random.between(10, 60));
  if (operation.path.startsWith('/api/departures') && /^(noticeUntil|portalEndsOn)$/.test(name))
    return plusDays(today, random.between(31, 60));
  // Payments cannot be in the future.
  if (name === 'date' && /payments|opening/.test(operation.path))
    return plusDays(today, -random.between(0, 9));
  if (/date|on$|^to$|^period|^validFrom$/i.test(name))
    return plusDays(today, random.between(-9, 30));
  if (name === 'startTime') return `0${random.between(6, 9)}:00`;
  if (name === 'endTime') return `${random.between(10, 19)}:00`;
  if (largest) return 'W'.repeat(schema.maxLength ?? UNLIMITED.length);
  const maxLength = Math.min(schema.maxLength ?? 60, 60);
  const text = random.pick(['Own', 'Maths on Monday', 'A note of my own', 'Anna Field', 'x']);
  return text.slice(0, maxLength).padEnd(schema.minLength ?? 0, 'x');
}

const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** Fields that must contain an existing value, which the schema does not express. */
const VALUES_OF_CHECKED_FIELDS = new Map([
  ['sortCode', '20-00-00'],
  ['accountNumber', '55779911'],
  ['iban', 'GB29NWBK60161331926819'],
  ['bic', 'NWBKGB2L'],
  ['phone', '+447700900123'],
  ['carerPhone', '+447700900123'],
  ['invoicePrefix', 'INV-'],
]);

/** Values for fields with constraints that the schema does not express. */
function knownValue(context: BuildContext, field: string): unknown {
  const { operation, random, pool, largest } = context;
  if (operation.name.endsWith('/people/erase') && field === 'id')
    return pool['bystander']?.[0] ?? 1;
  if (field === 'token' && operation.path.includes('{token}'))
    return random.pick(
      pool[operation.path.includes('feeds') ? 'feed token' : 'pay token'] ?? ['x'],
    );
  const kind = resourceKind(operation.name, field);
  if (kind && !(operation.name.includes('passkey') && field !== 'id')) {
    const ids = pool[kind]?.length ? pool[kind] : (pool[kind.replace(/:.*/, '')] ?? []);
    if (ids.length === 0) return 1;
    return (largest && ids[indexInArray(field)]) ?? random.pick(ids);
  }
  if (/(^|\.)(password|proof)$/.test(field)) return PASSWORD;
  const checkedValue = VALUES_OF_CHECKED_FIELDS.get(field);
  if (checkedValue !== undefined) return checkedValue;
  if (field === 'timeZone') return random.pick(['Europe/London', 'Asia/Kolkata']);
  if (field === 'acceptOverlaps') return largest !== undefined || random.chance(0.8);
  if (field === 'minStudents') return 1;
  if (field === 'maxStudents') return MAX_GROUP_STUDENTS;
  if (field === 'period')
    return largest ? 'all_time' : random.pick(['all_time', 'this_month', undefined]);
  if (field === 'offset' && largest) return 0;
  if ((field === 'limit' || field === 'offset') && !largest) return random.between(1, 20);
  if (field === 'channel' && largest) return 'email';
  if (field === 'scope' && largest) return 'all';
  if (field === 'restore') return random.pick(['true', 'false']);
  if (operation.name === 'POST /api/login' && field === 'username') return context.username;
  if (operation.name.endsWith('/people/erase') && field === 'kind') return 'student';
  if (operation.name.endsWith('/people/erase') && field === 'name') return 'Lena Bystander';
  if (operation.path.startsWith('/api/import') && field === 'text')
    return largest?.importFile ?? IMPORT_FILE;
  return undefined;
}

/** The position of a value within its array; -1 for a value that is not in an array. */
const indexInArray = (field: string): number => Number(/\[(\d+)\]/.exec(field)?.[1] ?? -1);

const IMPORT_FILE = 'name,phone,email\nImported Child,+447700900555,imported@example.com\n';

/** Makes dependent fields in a body consistent. */
function alignFields({ operation, pool, today, largest }: BuildContext, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const fields = body as Record<string, unknown>;
  if (operation.path.startsWith('/api/import')) fields['kind'] = largest ? 'lessons' : 'students';
  // A line is either a charge, a session or an item.
  if (largest && operation.name === 'PUT /api/invoices/{id}')
    for (const line of fields['lines'] as Record<string, unknown>[]) {
      delete line['chargeId'];
      delete line['sessionId'];
    }
  // The first student of a new group is the one in studentId.
  const group = fields['students'] as { studentId: unknown }[] | undefined;
  if (!largest && group?.[0] && 'studentId' in fields) {
    const { studentId } = group[0];
    const other = pool['student']?.find((id) => id !== studentId);
    if (other !== undefined) group.push({ studentId: other });
    fields['studentId'] = studentId;
  }
  if ('recurringEndDate' in fields) delete fields['recurringEndDate'];
  if (operation.path.startsWith('/api/time-off')) {
    fields['toDate'] = fields['fromDate'];
    delete fields['startTime'];
    delete fields['endTime'];
  }
  // The terms of a calendar do not overlap.
  const terms = (fields['terms'] ?? []) as Record<string, unknown>[];
  for (const [index, term] of terms.entries()) {
    term['fromDate'] = plusDays(today, index * 14);
    term['toDate'] = plusDays(today, index * 14 + 7);
  }
  return fields;
}
