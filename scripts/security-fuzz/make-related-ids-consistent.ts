import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import type { IdPool } from './id-pool.ts';
import type { Operation } from './operations.ts';

interface AlignContext {
  operation: Operation;
  random: Random;
  pool: IdPool;
  largest?: unknown;
}

interface RequestIds {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** Makes ids consistent: the session belongs to the lesson, the student to the session, and the charge to the family. */
export function alignIds(
  { operation, random, pool, largest }: AlignContext,
  { path, query, body }: RequestIds,
): void {
  const pick = (kind: string): [number, number] | undefined => {
    const pairs = pool[kind] ?? [];
    if (pairs.length === 0) return undefined;
    const [first, second] = String(random.pick(pairs)).split(' ').map(Number);
    return [first ?? 0, second ?? 0];
  };
  if (operation.path === '/api/lessons/{id}/students/{studentId}') {
    const pair = pick('group and student');
    if (pair) [path['id'], path['studentId']] = pair;
  }
  if (operation.path.startsWith('/api/sessions/{id}/students/')) {
    const isRestore = operation.path.endsWith('/restore');
    const pair = pick(isRestore ? 'session and cancelled seat' : 'session and seat');
    if (pair) [path['id'], path['studentId']] = pair;
  }
  if (operation.path === '/api/sessions/{id}/complete' && !largest) {
    const pair = pick('session and seat');
    const [exception] = ((body as Record<string, unknown>)['students'] ?? []) as {
      studentId: unknown;
    }[];
    if (pair && exception) [path['id'], exception.studentId] = pair;
  }
  if (operation.path === '/api/sessions/{id}/not-arrived' && operation.body) {
    const pair = pick('current session and seat');
    const { messages } = body as { messages: Record<string, unknown>[] };
    // One message, about a student for whom none has been sent yet.
    messages.length = 1;
    if (pair) [path['id'], (messages[0] ?? {})['studentId']] = pair;
    Object.assign(messages[0] ?? {}, { replacesMessageId: null });
  }
  if (/^\/api\/lessons\/\{id\}(?!\/students)/.test(operation.path)) {
    const pair = pick('lesson and session');
    const target = operation.body ? (body as Record<string, unknown>) : query;
    if (pair) [path['id'], target['sessionId']] = pair;
    if (operation.path === '/api/lessons/{id}' && operation.method === 'GET')
      delete query['sessionId'];
  }
  if (operation.path.includes('{contactId}')) {
    const pair = pick('student and contact');
    if (pair) [path['id'], path['contactId']] = pair;
  }
  if (operation.path.endsWith('/payers')) {
    const pair = pick('student and contact');
    // The percentages add up to 100 and the payers are contacts of the student.
    if (pair) {
      const [studentId, contactId] = pair;
      const other = (pool['student and contact'] ?? [])
        .map((each) => String(each).split(' ').map(Number))
        .find(([student, contact]) => student === studentId && contact !== contactId)?.[1];
      path['id'] = studentId;
      (body as Record<string, unknown>)['payers'] =
        other === undefined
          ? [{ contactId, percent: 100 }]
          : [
              { contactId, percent: 60 },
              { contactId: other, percent: 40 },
            ];
    }
  }
  if (operation.path.includes('{chargeId}')) {
    const pair = pick('family and charge');
    if (pair) [path['id'], path['chargeId']] = pair;
  }
}
