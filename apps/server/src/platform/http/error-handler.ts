import { type ErrorCode, errorStatus } from '@lessonbook/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { loginLogId, routePattern } from '../observability/request-metrics.ts';
import { clientNetwork, maskIp } from './client-network.ts';

/**
 * The only place where errors become responses. Unexpected errors are logged, and the client gets a generic message.
 */
export function handleError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const appError = toAppError(error);
  if (appError.code === 'internal' || appError.code === 'unavailable') {
    request.log.error({ ...requestLogFields(request), err: error }, 'request failed');
  }
  // 4xx responses are logged with the route and a masked IP address so that probing can be detected.
  else request.log.info({ ...requestLogFields(request), code: appError.code }, 'request rejected');
  if (appError.retryAfterSeconds !== undefined)
    reply.header('retry-after', appError.retryAfterSeconds);
  // A file endpoint may have set this header before it failed.
  reply.removeHeader('content-disposition').type('application/json; charset=utf-8');
  return reply.status(errorStatus[appError.code]).send({
    code: appError.code,
    message: appError.message,
    ...(appError.fields ? { fields: appError.fields } : {}),
    ...(appError.overlaps ? { overlaps: appError.overlaps } : {}),
  });
}

const requestLogFields = (request: FastifyRequest) => ({
  method: request.method,
  route: routePattern(request),
  network: maskIp(clientNetwork(request.ip)),
  login: loginLogId(request),
});

const errorByStatus: Record<number, [ErrorCode, string]> = {
  400: ['invalid', 'The request could not be read.'],
  // @fastify/static responds with 403 to paths with suspicious slashes or dots.
  403: ['not_found', 'There is nothing here.'],
  404: ['not_found', 'There is nothing here.'],
  408: ['unavailable', 'The request took too long. Please try again.'],
  413: ['too_large', 'That is too large.'],
  415: ['unsupported_media', 'Please send JSON.'],
};

/** The database is unreachable or shutting down, so a retry may succeed. */
const unavailableCodes = new Set([
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

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, code, message } = error as {
    statusCode?: number;
    code?: string;
    message?: string;
  };
  const known = errorByStatus[statusCode ?? 0];
  if (known) return new AppError(...known);
  const unavailable =
    unavailableCodes.has(code ?? '') ||
    /timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(
      message ?? '',
    );
  if (unavailable)
    return new AppError(
      'unavailable',
      'Lessonbook is catching its breath. Please try again in a moment.',
      { retryAfterSeconds: 2 },
    );
  return new AppError('internal', 'Something went wrong on our side. Please try again.');
}
