import type { Endpoint } from '@lessonbook/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';

/** PostgreSQL keeps no NUL in a text, and no half of a character that is written in two; no keyboard types either. */
const UNSTORABLE_CHARACTERS =
  /\\u0000|\\ud[89ab][\da-f]{2}(?!\\ud[c-f][\da-f]{2})|(?<!\\ud[89ab][\da-f]{2})\\ud[c-f][\da-f]{2}/i;

/** JSON only; an empty body is no body, whatever the header says. What is signed stays as it came. */
export function registerBodyParsers(fastify: FastifyInstance): void {
  const strict = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else if (request.routeOptions.config.signed) done(null, body);
    else if (UNSTORABLE_CHARACTERS.test(body as string)) done(unstorableTextError());
    else void strict(request, body as string, done);
  });
  // A mail program's 'unsubscribe' is a form; its one field says nothing that the address does not.
  const form = 'application/x-www-form-urlencoded';
  fastify.addContentTypeParser(form, { parseAs: 'string' }, (request, _body, done) => {
    if (request.routeOptions.config.fromAnywhere) done(null, undefined);
    else done(new AppError('unsupported_media', 'Please send JSON.'));
  });
}

const unstorableTextError = () =>
  new AppError('invalid', 'The text holds a character that cannot be kept.');

/** The same for what stands in the address. */
export function rejectNullBytes(values: unknown): void {
  const texts = Object.values((values ?? {}) as Record<string, unknown>).flat();
  if (texts.some((text) => typeof text === 'string' && text.includes('\0')))
    throw unstorableTextError();
}

/** The server refuses whatever the form refuses, with the same words. */
export function parseInput(schema: Endpoint['body'], value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.')] ??= issue.message;
  throw new AppError('invalid', parsed.error.issues[0]?.message ?? 'Invalid input', { fields });
}
