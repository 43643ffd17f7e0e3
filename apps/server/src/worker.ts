import Fastify from 'fastify';
import { readConfig } from './config.ts';
import { jobs } from './jobs.ts';
import { healthRoutes } from './platform/metrics.ts';
import { startContext, stopOnSignals, tellListening } from './start.ts';

const config = readConfig();
const { context, close } = await startContext(config, 'worker');
await context.queue.work(context, jobs);

// The worker serves nobody but the operator who watches it.
const health = Fastify({ logger: false });
healthRoutes(health, {
  ready: () => context.db.ping(),
  measure: () => {
    context.db.measure();
    return context.queue.measure();
  },
  metricsToken: config.metricsToken,
});

stopOnSignals(context, async () => {
  await health.close();
  await close();
});

const address = await health.listen({ host: config.host, port: config.workerPort });
tellListening(context, 'worker', address);
