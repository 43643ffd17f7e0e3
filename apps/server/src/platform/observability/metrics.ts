import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, register } from 'prom-client';
import { AppError } from '../app-error.ts';
import { sha256 } from '../crypto/tokens.ts';

const requestSeconds = new Histogram({
  name: 'lessonbook_http_request_seconds',
  help: 'Time to answer a request, by route pattern',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
});

let collecting = false;

/** The pattern, never the address. */
export const routePattern = (request: FastifyRequest): string => request.routeOptions.url ?? 'none';

/** Lines of one login belong together; nobody gets back from it to the token, nor to the tutor once the login has ended. */
export const loginLogId = (request: FastifyRequest): string | undefined =>
  request.login?.tokenHash.toString('hex').slice(0, 12);

/** Of the process itself: memory, processor, event loop. */
function collectProcessMetrics(): void {
  if (!collecting) collectDefaultMetrics();
  collecting = true;
}

/** One structured line and one measurement for each request: the route's pattern, never the address. */
export function observeRequests(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', async (request, reply) => {
    const route = routePattern(request);
    const { method } = request;
    const status = reply.statusCode;
    requestSeconds.observe({ method, route, status }, reply.elapsedTime / 1000);
    const ms = Math.round(reply.elapsedTime);
    request.log.info({ method, route, status, ms, login: loginLogId(request) }, 'request');
  });
}

interface HealthOptions {
  readonly ready: () => Promise<void>;
  /** Looks at what is counted by nobody but shows a state: connections, jobs that wait. */
  readonly updateMetrics: () => void | Promise<void>;
  readonly metricsToken: string | undefined;
}

/** /healthz: the process runs. /readyz: it can serve, so a balancer may send traffic. /metrics: for the operator. */
export function healthRoutes(fastify: FastifyInstance, options: HealthOptions): void {
  collectProcessMetrics();
  fastify.get('/healthz', async () => ({ status: 'ok' }));
  fastify.get('/readyz', async (_request, reply) => {
    try {
      await options.ready();
      return { status: 'ready' };
    } catch {
      return reply.status(503).send({ status: 'not ready' });
    }
  });
  fastify.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, options.metricsToken))
      throw new AppError('not_found', 'There is nothing here.');
    try {
      await options.updateMetrics();
    } catch (error) {
      // Figures are wanted most when the database is away.
      request.log.warn({ err: error }, 'some figures could not be taken');
    }
    return reply.type(register.contentType).send(await register.metrics());
  });
}

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined)
    return request.socket.remoteAddress?.replace('::ffff:', '') === '127.0.0.1';
  const sent = request.headers.authorization ?? '';
  return timingSafeEqual(sha256(sent), sha256(`Bearer ${token}`));
}
