import Fastify from 'fastify';
import { readConfig } from './config.ts';
import { createContext, logListening, stopOnSignals } from './create-context.ts';
import { jobs } from './jobs.ts';
import { healthRoutes } from './platform/observability/health-and-metrics-routes.ts';

const config = readConfig();
const { context, close } = await createContext(config, 'worker');
await context.queue.work(context, jobs);

// The worker's HTTP server serves only the health and metrics routes.
const health = Fastify({ logger: false });
healthRoutes(health, {
  checkReady: () => context.db.ping(),
  updateMetrics: () => {
    context.db.updateMetrics();
    return context.queue.updateMetrics();
  },
  metricsToken: config.metricsToken,
  allowLocalMetrics: config.allowLocalMetrics,
});

stopOnSignals(context, async () => {
  await health.close();
  await close();
});

const address = await health.listen({ host: config.host, port: config.workerPort });
logListening(context, 'worker', address);
