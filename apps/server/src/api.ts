import { buildApp } from './app.ts';
import { createContext, logListening, stopOnSignals } from './bootstrap.ts';
import { readConfig } from './config.ts';

const config = readConfig();
const { context, close } = await createContext(config, 'api');
const http = await buildApp(context);

stopOnSignals(context, async () => {
  // What the running requests use is closed only after them.
  await http.stop();
  await close();
});

const address = await http.fastify.listen({ host: config.host, port: config.port });
logListening(context, 'api', address);
