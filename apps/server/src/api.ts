import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { startContext, stopOnSignals, tellListening } from './start.ts';

const config = readConfig();
const { context, close } = await startContext(config, 'api');
const http = await buildApp(context);

stopOnSignals(context, async () => {
  // What the running requests use is closed only after them.
  await http.stop();
  await close();
});

const address = await http.fastify.listen({ host: config.host, port: config.port });
tellListening(context, 'api', address);
