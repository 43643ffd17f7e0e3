import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import { endOperation, type Operation, runInOperation } from './tracing.ts';

const requestSeconds = new Histogram({
  name: 'lessonbook_http_request_seconds',
  help: 'Time to respond to a request, by route pattern',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
});

export const routePattern = (request: FastifyRequest): string => request.routeOptions.url ?? 'none';

/** Groups the log lines of one login. Reveals neither the token nor, once the login has ended, the tutor. */
export const loginLogId = (request: FastifyRequest): string | undefined =>
  request.login?.tokenHash.toString('hex').slice(0, 12);

/** Writes one log line and one measurement per request, using the route pattern because a URL may contain a token. */
export function observeRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { method, id } = request;
    request.operation = {
      kind: 'request',
      method,
      route: routePattern(request),
      requestId: id,
    };
    runInOperation(request.operation, done);
  });
  // Events of the request body are emitted outside the async context of the onRequest hook.
  fastify.addHook('preValidation', (request, _reply, done) =>
    runInOperation(request.operation, done),
  );
  fastify.addHook('onResponse', async (request, reply) => {
    const route = routePattern(request);
    const { method } = request;
    const status = reply.statusCode;
    requestSeconds.observe({ method, route, status }, reply.elapsedTime / 1000);
    const ms = Math.round(reply.elapsedTime);
    request.operation.status = status;
    endOperation(request.operation);
    request.log.info({ method, route, status, ms, login: loginLogId(request) }, 'request');
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    operation: Extract<Operation, { kind: 'request' }>;
  }
}
