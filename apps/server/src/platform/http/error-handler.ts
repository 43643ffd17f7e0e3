import { type ErrorCode, errorStatus } from '@lessonbook/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import {
  databaseUnavailableError,
  isDatabaseUnavailable,
  isTutorMoved,
  tutorMovedError,
} from '../db/database-unavailable-errors.ts';
import { loginLogId, routePattern } from '../observability/request-logs-and-metrics.ts';
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
  400: ['invalid', "We couldn't read the request."],
  // @fastify/static responds with 403 to paths with suspicious slashes or dots.
  403: ['not_found', "We couldn't find that."],
  404: ['not_found', "We couldn't find that."],
  408: ['unavailable', 'The request took too long. Please try again.'],
  413: ['too_large', 'That file or text is too large.'],
  415: ['unsupported_media', 'Please send JSON.'],
};

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode } = error as { statusCode?: number };
  const known = errorByStatus[statusCode ?? 0];
  if (known) return new AppError(...known);
  if (isTutorMoved(error)) return tutorMovedError(error);
  if (isDatabaseUnavailable(error)) return databaseUnavailableError(error);
  return new AppError('internal', 'Something went wrong on our side. Please try again.');
}
