import type { Readable } from 'node:stream';
import type { Endpoint } from '@lessonbook/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';

/** NUL and unpaired surrogates, which PostgreSQL cannot store as text. */
const UNSTORABLE_CHARACTERS =
  /\\u0000|\\ud[89ab][\da-f]{2}(?!\\ud[c-f][\da-f]{2})|(?<!\\ud[89ab][\da-f]{2})\\ud[c-f][\da-f]{2}/i;

/** Accepts only JSON; an empty body counts as missing. The body of a signed endpoint is left unparsed. */
export function registerBodyParsers(fastify: FastifyInstance): void {
  const parseStrictly = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else if (request.routeOptions.config.signed) done(null, body);
    else if (UNSTORABLE_CHARACTERS.test(body as string)) done(unstorableTextError());
    else void parseStrictly(request, body as string, done);
  });
  // Mail clients send a form for one-click unsubscribe; its only field has a fixed value (RFC 8058).
  const form = 'application/x-www-form-urlencoded';
  fastify.addContentTypeParser(form, { parseAs: 'string' }, (request, _body, done) => {
    if (request.routeOptions.config.allowCrossOrigin) done(null, undefined);
    else done(new AppError('unsupported_media', 'Please send JSON.'));
  });
}

const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;
const MAX_DISCARD_MS = 2_000;

/**
 * Reads the rest of a body that is too large. Closing the connection while the client is still sending would reset it, and the
 * client would see a network error instead of the response.
 */
export function discardBody(message: Readable): Promise<void> {
  if (message.readableEnded || message.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_DISCARD_MS);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    let received = 0;
    message.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > MAX_DISCARDED_BYTES) finish();
    });
    for (const event of ['end', 'error', 'close']) message.once(event, finish);
  });
}

const unstorableTextError = () =>
  new AppError('invalid', "The text contains a character that can't be saved.");

/** Rejects NUL characters in path and query parameters. */
export function rejectNullBytes(values: unknown): void {
  const texts = Object.values((values ?? {}) as Record<string, unknown>).flat();
  if (texts.some((text) => typeof text === 'string' && text.includes('\0')))
    throw unstorableTextError();
}

/** Validates with the same schema as the form, so the messages are the same. */
export function parseInput(schema: Endpoint['body'], value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.')] ??= issue.message;
  throw new AppError('invalid', parsed.error.issues[0]?.message ?? 'Invalid input', { fields });
}
