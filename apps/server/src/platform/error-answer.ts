import { type ErrorCode, errorStatus } from '@lessonbook/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './app-error.ts';

/** The one place where an error becomes a status and a body. What was not meant for the caller is logged and answered blandly. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const answer = readable(error);
  if (answer.code === 'internal' || answer.code === 'unavailable') {
    request.log.error({ err: error, route: request.routeOptions.url }, 'request failed');
  }
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', answer.retryAfterSeconds);
  return reply.status(errorStatus[answer.code]).send({
    code: answer.code,
    message: answer.message,
    ...(answer.fields ? { fields: answer.fields } : {}),
    ...(answer.overlaps ? { overlaps: answer.overlaps } : {}),
  });
}

const byStatus: Record<number, [ErrorCode, string]> = {
  400: ['invalid', 'The request could not be read.'],
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

function readable(error: unknown): AppError {
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
    /timeout exceeded when trying to connect|Connection terminated/.test(message ?? '');
  if (away)
    return new AppError(
      'unavailable',
      'Lessonbook is catching its breath. Please try again in a moment.',
      { retryAfterSeconds: 2 },
    );
  return new AppError('internal', 'Something went wrong on our side. Please try again.');
}
