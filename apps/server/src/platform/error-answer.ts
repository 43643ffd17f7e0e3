import { type ErrorCode, errorStatus } from '@lessonbook/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';
import { loginMark, routeOf } from './metrics.ts';
import { networkOf, withoutHost } from './rate-limit.ts';

/** The one place where an error becomes a status and a body. What was not meant for the caller is logged and answered blandly. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const answer = readable(error);
  if (answer.code === 'internal' || answer.code === 'unavailable') {
    request.log.error({ ...whereOf(request), err: error }, 'request failed');
  }
  // Whoever tries doors leaves a trail of these: which door, what it said, and the street they come from.
  else request.log.info({ ...whereOf(request), code: answer.code }, 'refused');
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
  // What was to be a file is none any more.
  reply.removeHeader('content-disposition').type('application/json; charset=utf-8');
  return reply.status(errorStatus[answer.code]).send({
    code: answer.code,
    message: answer.message,
    ...(answer.fields ? { fields: answer.fields } : {}),
    ...(answer.overlaps ? { overlaps: answer.overlaps } : {}),
  });
}

const whereOf = (request: FastifyRequest) => ({
  method: request.method,
  route: routeOf(request),
  network: withoutHost(networkOf(request.ip)),
  login: loginMark(request),
});

const byStatus: Record<number, [ErrorCode, string]> = {
  400: ['invalid', 'The request could not be read.'],
  // The sender of files says so to an address with odd slashes or dots in it.
  403: ['not_found', 'There is nothing here.'],
  404: ['not_found', 'There is nothing here.'],
  408: ['unavailable', 'The request took too long. Please try again.'],
  413: ['too_large', 'That is too large.'],
  415: ['unsupported_media', 'Please send JSON.'],
};

/** The database is away or shutting down: worth trying again, unlike a fault of ours. */
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08001',
]);

/** What the caller is told. */
export function readable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, code, message } = error as {
    statusCode?: number;
    code?: string;
    message?: string;
  };
  const known = byStatus[statusCode ?? 0];
  if (known) return new AppError(...known);
  const away =
    awayCodes.has(code ?? '') ||
    /timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(
      message ?? '',
    );
  if (away)
    return new AppError(
      'unavailable',
      'Lessonbook is catching its breath. Please try again in a moment.',
      { retryAfterSeconds: 2 },
    );
  return new AppError('internal', 'Something went wrong on our side. Please try again.');
}
