import type { FastifyInstance, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, register } from 'prom-client';
import { AppError } from '../app-error.ts';
import { secretsMatch } from '../crypto/tokens.ts';

let collecting = false;

/** Collects memory, CPU and event loop metrics; they can be registered only once per process. */
function collectProcessMetrics(): void {
  if (!collecting) collectDefaultMetrics();
  collecting = true;
}

interface HealthOptions {
  readonly checkReady: () => Promise<void>;
  /** Sets the gauges that are read at scrape time, such as connections and waiting jobs. */
  readonly updateMetrics: () => void | Promise<void>;
  readonly metricsToken: string | undefined;
  /** Whether 127.0.0.1 may read the metrics if there is no token. */
  readonly allowLocalMetrics: boolean;
}

/**
 * /healthz: the process is running. /readyz: it can serve requests, so a load balancer may send traffic. /metrics:
 * Prometheus metrics.
 */
export function healthRoutes(fastify: FastifyInstance, options: HealthOptions): void {
  collectProcessMetrics();
  fastify.get('/healthz', async () => ({ status: 'ok' }));
  fastify.get('/readyz', async (_request, reply) => {
    try {
      await options.checkReady();
      return { status: 'ready' };
    } catch {
      return reply.status(503).send({ status: 'not ready' });
    }
  });
  fastify.get('/metrics', async (request, reply) => {
    if (!canReadMetrics(request, options))
      throw new AppError('not_found', "We couldn't find that.");
    try {
      await options.updateMetrics();
    } catch (error) {
      // The other metrics are still served when the database is down, because that is when they are needed most.
      request.log.warn({ err: error }, 'could not update some metrics');
    }
    return reply.type(register.contentType).send(await register.metrics());
  });
}

function canReadMetrics(
  request: FastifyRequest,
  { metricsToken, allowLocalMetrics }: HealthOptions,
): boolean {
  if (metricsToken !== undefined)
    return secretsMatch(request.headers.authorization ?? '', `Bearer ${metricsToken}`);
  const address = request.socket.remoteAddress?.replace('::ffff:', '');
  return allowLocalMetrics && address === '127.0.0.1';
}
