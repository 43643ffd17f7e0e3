import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import { buildRequest, type RequestData } from './build-valid-request.ts';
import { alterToken, type IdPool } from './id-pool.ts';
import { malformedBody } from './malformed-bodies.ts';
import { malformedValue } from './malformed-values.ts';
import { mutatePath } from './mutate-path.ts';
import type { Operation } from './operations.ts';
import type { RawRequest } from './raw-client.ts';
import { resourceKind } from './resource-kind-of-field.ts';
import { ORIGIN } from './start-system-under-test.ts';
import type { LeakedValue } from './victim-data.ts';

export type Caller = 'tutor' | 'anonymous' | 'expired' | 'demo';

/** One request, and whether it must fail. */
export interface Attack {
  operation: Operation;
  /** For example 'student 1000002 of a victim at studentId'. */
  description: string;
  caller: Caller;
  /** Without the caller's cookies, which are added when the request is sent. */
  request: RawRequest;
  /** Sent in addition to the caller's cookies. */
  cookie?: string;
  /** The request names a record that the caller does not own, so it must not succeed. */
  mustFail: boolean;
  /** The request is valid. */
  isValid?: true;
}

export interface AttackContext {
  random: Random;
  ownIds: IdPool;
  highIds: IdPool;
  overlappingIds: IdPool;
  tokens: readonly LeakedValue[];
  today: string;
  username: string;
}

/** Number of attacks of each kind for each operation. */
export interface AttackCounts {
  valid: number;
  victimIds: number;
  /** 'each' sends every token at every position. */
  leakedTokens: number | 'each';
  otherCallers: number;
  malformedValues: number;
  malformedBodies: number;
  mutatedPaths: number;
}

export function generateAttacks(
  operation: Operation,
  context: AttackContext,
  counts: AttackCounts,
): Attack[] {
  const times = (count: number, make: () => Attack | undefined): Attack[] =>
    Array.from({ length: count }, make).filter((attack) => attack !== undefined);
  return [
    ...times(counts.valid, () => validAttack(operation, context)),
    ...times(counts.victimIds, () => victimIdAttack(operation, context)),
    ...(counts.leakedTokens === 'each'
      ? allLeakedTokenAttacks(operation, context)
      : times(counts.leakedTokens, () => leakedTokenAttack(operation, context))),
    ...times(counts.otherCallers, () => otherCallerAttack(operation, context)),
    ...times(counts.malformedValues, () => malformedValueAttack(operation, context)),
    ...times(counts.malformedBodies, () => malformedBodyAttack(operation, context)),
    ...times(counts.mutatedPaths, () => mutatedPathAttack(operation, context)),
  ];
}

function validAttack(operation: Operation, context: AttackContext): Attack {
  const data = fillRequest(operation, context, context.ownIds);
  return { ...createAttack(operation, 'a valid request', data, 'tutor', false), isValid: true };
}

/** Puts a victim's id into one position of a request that otherwise uses the caller's ids. */
function victimIdAttack(operation: Operation, context: AttackContext): Attack | undefined {
  const { random, highIds, overlappingIds } = context;
  const data = fillRequest(operation, context, context.ownIds);
  const positions = findValuePositions(data).filter(({ field }) =>
    resourceKind(operation.name, field),
  );
  if (positions.length === 0) return undefined;
  const { field, set, isInPath } = random.pick(positions);
  const isHighId = random.chance(0.7);
  const pool = isHighId ? highIds : overlappingIds;
  const kind = resourceKind(operation.name, field) ?? '';
  const ids = pool[kind]?.length ? pool[kind] : (pool[kind.replace(/:.*/, '')] ?? []);
  // The ids of the victims' logins and passkeys have been replaced with canaries, which a request must never contain.
  if (ids.length === 0 || typeof ids[0] === 'string') return undefined;
  const id = random.pick(ids);
  set(id);
  const description = `${kind} ${id} of a victim at ${field}`;
  return createAttack(operation, description, data, 'tutor', isHighId && isInPath);
}

function leakedTokenAttack(operation: Operation, context: AttackContext): Attack | undefined {
  const { random } = context;
  const { kind, value, validPaths } = random.pick(context.tokens);
  const isValidHere = validPaths?.test(operation.path) ?? false;
  // On a path where the token is valid, success is not a leak, so one character of the token is changed.
  const sentToken = isValidHere ? alterToken(value) : value;
  const data = fillRequest(operation, context, context.ownIds);
  const positions = findValuePositions(data);
  const headers: Record<string, string> = {};
  const inHeader = random.chance(0.3) || positions.length === 0;
  let where: string;
  let cookie: string | undefined;
  if (inHeader) {
    where = random.pick(ATTACKED_HEADERS);
    if (where.startsWith('cookie ')) cookie = `${where.slice(7)}=${sentToken}`;
    else headers[where] = where === 'authorization' ? `Bearer ${sentToken}` : sentToken;
  } else {
    const position = random.pick(positions);
    position.set(sentToken);
    where = position.field;
  }
  const description = `${kind} of a victim at ${where}`;
  const attack = createAttack(operation, description, data, 'tutor', false, headers);
  // The MFA challenge token is not sent as a cookie, because any holder may use it there.
  return cookie && kind !== 'MFA challenge token' ? { ...attack, cookie } : attack;
}

function allLeakedTokenAttacks(operation: Operation, context: AttackContext): Attack[] {
  return context.tokens.flatMap(({ kind, value }) =>
    findValuePositions(fillRequest(operation, context, context.ownIds)).map((_, index) => {
      const data = fillRequest(operation, context, context.ownIds);
      const position = findValuePositions(data)[index];
      position?.set(value);
      return createAttack(
        operation,
        `${kind} of a victim at ${position?.field}`,
        data,
        'tutor',
        false,
      );
    }),
  );
}

const ATTACKED_HEADERS = [
  'authorization',
  'idempotency-key',
  'if-none-match',
  'x-tutor-id',
  'x-user-id',
  'x-forwarded-for',
  'x-forwarded-user',
  'x-original-url',
  'x-rewrite-url',
  'x-http-method-override',
  'referer',
  'user-agent',
  'stripe-signature',
  'x-goog-channel-id',
  'x-goog-channel-token',
  'x-hub-signature-256',
  'cookie lessonbook-step',
  'cookie lessonbook-google',
  'cookie lessonbook-device',
  'cookie tutor_id',
];

/** Sends the victims' ids as an anonymous caller, with a victim's expired login, or as the demo tutor. */
function otherCallerAttack(operation: Operation, context: AttackContext): Attack {
  const { random, highIds, overlappingIds } = context;
  const caller = random.pick<Caller>(['anonymous', 'expired', 'demo']);
  const data = fillRequest(operation, context, random.pick([highIds, overlappingIds]));
  // The ids of a victim's logins and passkeys are canaries, which a request must never contain.
  for (const { set } of findValuePositions(data).filter(({ value }) =>
    /qzvleak/i.test(String(value)),
  ))
    set('x');
  return createAttack(operation, `by ${caller}, with ids of a victim`, data, caller, false);
}

function malformedValueAttack(operation: Operation, context: AttackContext): Attack | undefined {
  const { random } = context;
  const data = fillRequest(operation, context, context.ownIds);
  const positions = findValuePositions(data);
  if (positions.length === 0) return undefined;
  const { field, set } = random.pick(positions);
  const value = malformedValue(random);
  set(value);
  const preview = JSON.stringify(value).slice(0, 60);
  return createAttack(operation, `${preview} at ${field}`, data, 'tutor', false);
}

function malformedBodyAttack(operation: Operation, context: AttackContext): Attack {
  const data = fillRequest(operation, context, context.ownIds);
  const { type, text } = malformedBody(context.random, data.body);
  const attack = createAttack(
    operation,
    `${type || 'no content type'}: ${String(text).slice(0, 60)}`,
    data,
    'tutor',
    false,
  );
  const { 'content-type': _replaced, ...headers } = attack.request.headers;
  attack.request.headers = type ? { ...headers, 'content-type': type } : headers;
  attack.request.body = text;
  if (operation.method === 'GET') attack.request.method = 'GET';
  return attack;
}

function mutatedPathAttack(operation: Operation, context: AttackContext): Attack {
  const data = fillRequest(operation, context, context.ownIds);
  const attack = createAttack(operation, '', data, 'tutor', false);
  const { method, path } = mutatePath(context.random, attack.request.method, attack.request.path);
  attack.request = { ...attack.request, method, path };
  return { ...attack, description: `undocumented path: ${method} ${path.slice(0, 80)}` };
}

const fillRequest = (
  operation: Operation,
  { random, today, username }: AttackContext,
  pool: IdPool,
): RequestData => buildRequest({ operation, random, pool, today, username });

interface ValuePosition {
  /** For example 'body.lines[0].chargeId'. */
  field: string;
  value: unknown;
  set: (value: unknown) => void;
  isInPath: boolean;
}

/** All values in a request, at any depth. */
function findValuePositions(data: RequestData): ValuePosition[] {
  const positions: ValuePosition[] = [];
  const walk = (parent: Record<string, unknown>, field: string, isInPath: boolean): void => {
    for (const [name, value] of Object.entries(parent)) {
      const fieldPath = Array.isArray(parent)
        ? `${field}[${name}]`
        : field === ''
          ? name
          : `${field}.${name}`;
      positions.push({ field: fieldPath, value, isInPath, set: (next) => (parent[name] = next) });
      if (typeof value === 'object' && value !== null)
        walk(value as Record<string, unknown>, fieldPath, isInPath);
    }
  };
  walk(data.path, '', true);
  walk(data.query, '', false);
  if (typeof data.body === 'object' && data.body !== null)
    walk(data.body as Record<string, unknown>, '', false);
  return positions;
}

function createAttack(
  operation: Operation,
  description: string,
  data: RequestData,
  caller: Caller,
  mustFail: boolean,
  extraHeaders: Record<string, string> = {},
): Attack {
  const rawRequest = toRawRequest(operation, data, extraHeaders);
  return { operation, description, caller, request: rawRequest, mustFail };
}

export function toRawRequest(
  operation: Operation,
  { path, query, body }: RequestData,
  extraHeaders: Record<string, string> = {},
): RawRequest {
  const urlPath = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeValue(path[name]),
  );
  const search = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeValue(value)}`)
    .join('&');
  const headers: Record<string, string> = {
    origin: ORIGIN,
    'accept-encoding': 'gzip, br',
    ...extraHeaders,
  };
  if (operation.body) headers['content-type'] = 'application/json';
  return {
    method: operation.method,
    path: search ? `${urlPath}?${search}` : urlPath,
    headers,
    ...(operation.body ? { body: JSON.stringify(body) } : {}),
  };
}

/** Lone surrogates cannot be encoded and become U+FFFD. */
function encodeValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed()).slice(0, 12_000);
}
