import pg from 'pg';
import { expect, test } from 'vitest';
import { toAppError } from '../http/error-handler.ts';
import { DatabaseUnreachableError } from './database-unavailable-errors.ts';

const withCode = (code: string, error: Error = new Error('failed')) =>
  Object.assign(error, { code });
const databaseError = (code: string) => withCode(code, new pg.DatabaseError('failed', 6, 'error'));

test.each([
  'EAI_AGAIN',
  'EAI_FAIL',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])('F51 the network error %s is converted to 503 with Retry-After', (code) => {
  expect(toAppError(withCode(code))).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
});

test.each([
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08P01',
  '25006',
  '25P03',
  '40001',
  '40P01',
  '53000',
  '53100',
  '53200',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
])('F51 the SQLSTATE %s is converted to 503 with Retry-After', (code) => {
  expect(toAppError(databaseError(code))).toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 2,
  });
});

test.each([
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
])('F51 the driver error “%s” is converted to 503 with Retry-After', (message) => {
  expect(toAppError(new Error(message))).toMatchObject({
    code: 'unavailable',
    retryAfterSeconds: 2,
  });
});

test('F51 a failed socket reset is converted to 503 with Retry-After', () => {
  const error = Object.assign(withCode('EINVAL', new Error('reset EINVAL')), { syscall: 'reset' });
  expect(toAppError(error)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
});

test('F51 an unreachable database is converted to 503 with Retry-After', () => {
  const error = new DatabaseUnreachableError(new Error('timeout'));
  expect(toAppError(error)).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 });
});

test.each([
  ['a constraint violation', databaseError('23505')],
  ['a missing table', databaseError('42P01')],
  ['a missing privilege', databaseError('42501')],
  ['a missing file', withCode('ENOENT')],
  ['any other error', new Error('Unexpected')],
])('F51 %s is converted to 500', (_, error) => {
  expect(toAppError(error)).toMatchObject({ code: 'internal' });
});
