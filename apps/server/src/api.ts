import { flushCompileCache } from 'node:module';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { startContext, stopOnSignals } from './start.ts';

const config = readConfig();
const { context, close } = await startContext(config, 'api');
const http = await buildApp(context);

stopOnSignals(context, async () => {
  // What the running requests use is closed only after them.
  await http.stop();
  await close();
});

const address = await http.fastify.listen({ host: config.host, port: config.port });
context.log.info({ address }, 'api listens');
// Kept now and not at the end, which may be sudden: the next start is quicker by a third. Nothing where no cache is set.
flushCompileCache();
