import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import { type IdPool, resourceKind } from './id-pool.ts';
import type { Operation, Schema } from './operations.ts';
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
}

/** Builds a request from the schema with the caller's ids, so that it reaches the service. */
export function buildRequest(context: BuildContext): RequestData {
  const { operation, random } = context;
  const data: RequestData = { path: {}, query: {}, body: undefined };
  for (const { name, in: where, required, schema } of operation.parameters)
    if (required || random.chance(0.5)) data[where][name] = generateValue(context, schema, name);
  if (operation.body) data.body = alignFields(context, generateValue(context, operation.body, ''));
  alignIds(context, data);
  return data;
}

function generateValue(context: BuildContext, schema: Schema, field: string): unknown {
  const { random } = context;
  const known = schema.type === 'array' ? undefined : knownValue(context, field);
  if (known !== undefined) return known;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  if (schema.anyOf) {
    const choices = schema.anyOf.filter((choice) => choice.type !== 'null');
    return random.chance(0.1) ? null : generateValue(context, random.pick(choices), field);
  }
  switch (schema.type) {
    case 'object':
      return generateObject(context, schema, field);
    case 'array': {
      const count = Math.max(schema.minItems ?? 0, 1);
      return Array.from({ length: count }, (_, at) =>
        generateValue(context, schema.items ?? {}, `${field}[${at}]`),
      );
    }
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number':
      return generateNumber(random, schema);
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
    .filter(([name]) => required.has(name) || context.random.chance(0.5))
    .map(([name, each]) => [
      name,
      generateValue(context, each, field === '' ? name : `${field}.${name}`),
    ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

const generateNumber = (random: Random, { minimum, maximum, exclusiveMinimum }: Schema): number => {
  const low = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  return random.between(low < 0 ? 1 : low, Math.min(maximum ?? 100, (low < 0 ? 1 : low) + 50));
};

function generateText(
  { operation, random, today }: BuildContext,
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
  if (/^(from|fromDate)$/.test(name)) return plusDays(today, -random.between(10, 60));
  // Payments cannot be in the future.
  if (name === 'date' && /payments|opening/.test(operation.path))
    return plusDays(today, -random.between(0, 9));
  if (/date|on$|^to$/i.test(name)) return plusDays(today, random.between(-9, 30));
  if (name === 'startTime') return `0${random.between(6, 9)}:00`;
  if (name === 'endTime') return `${random.between(10, 19)}:00`;
  const maxLength = Math.min(schema.maxLength ?? 60, 60);
  const text = random.pick(['Own', 'Maths on Monday', 'A note of my own', 'Anna Field', 'x']);
  return text.slice(0, maxLength).padEnd(schema.minLength ?? 0, 'x');
}

const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** Values for fields with constraints that the schema does not express. */
function knownValue(context: BuildContext, field: string): unknown {
  const { operation, random, pool } = context;
  if (operation.name.endsWith('/people/erase') && field === 'id')
    return pool['bystander']?.[0] ?? 1;
  if (field === 'token' && operation.path.includes('{token}'))
    return random.pick(
      pool[operation.path.includes('feeds') ? 'feed token' : 'pay token'] ?? ['x'],
    );
  const kind = resourceKind(operation.name, field);
  if (kind && !(operation.name.includes('passkey') && field !== 'id')) {
    const own = pool[kind]?.length ? pool[kind] : (pool[kind.replace(/:.*/, '')] ?? []);
    return own.length > 0 ? random.pick(own) : 1;
  }
  if (/(^|\.)(password|proof)$/.test(field)) return PASSWORD;
  if (field === 'timeZone') return random.pick(['Europe/London', 'Asia/Kolkata']);
  if (field === 'acceptOverlaps') return random.chance(0.8);
  if (field === 'period') return random.pick(['all_time', 'this_month', undefined]);
  if (field === 'limit' || field === 'offset') return random.between(1, 20);
  if (field === 'restore') return random.pick(['true', 'false']);
  if (operation.name === 'POST /api/login' && field === 'username') return context.username;
  if (operation.name.endsWith('/people/erase') && field === 'kind') return 'student';
  if (operation.name.endsWith('/people/erase') && field === 'name') return 'Lena Bystander';
  if (operation.path.startsWith('/api/import') && field === 'text') return IMPORT_FILE;
  return undefined;
}

const IMPORT_FILE = 'name,phone,email\nImported Child,+447700900555,imported@example.com\n';

/** Makes dependent fields in a body consistent. */
function alignFields({ operation }: BuildContext, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const whole = body as Record<string, unknown>;
  if (operation.path.startsWith('/api/import')) whole['kind'] = 'students';
  if ('recurringEndDate' in whole) delete whole['recurringEndDate'];
  if (operation.path.startsWith('/api/time-off')) {
    whole['toDate'] = whole['fromDate'];
    delete whole['startTime'];
    delete whole['endTime'];
  }
  return whole;
}

/** Makes ids consistent: the session belongs to the lesson, and the charge to the family. */
function alignIds(
  { operation, random, pool }: BuildContext,
  { path, query, body }: RequestData,
): void {
  const pick = (kind: string): [number, number] | undefined => {
    const pairs = pool[kind] ?? [];
    if (pairs.length === 0) return undefined;
    const [first, second] = String(random.pick(pairs)).split(' ').map(Number);
    return [first ?? 0, second ?? 0];
  };
  if (operation.path.startsWith('/api/lessons/{id}')) {
    const pair = pick('lesson and session');
    const target = operation.body ? (body as Record<string, unknown>) : query;
    if (pair) [path['id'], target['sessionId']] = pair;
    if (operation.path === '/api/lessons/{id}' && operation.method === 'GET')
      delete query['sessionId'];
  }
  if (operation.path.includes('{chargeId}')) {
    const pair = pick('family and charge');
    if (pair) [path['id'], path['chargeId']] = pair;
  }
}
