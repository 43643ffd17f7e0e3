import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { createContext, logListening, stopOnSignals } from './create-context.ts';

const config = readConfig();
const { context, close } = await createContext(config, 'api');
const http = await buildApp(context);

stopOnSignals(context, async () => {
  // In-flight requests still use the context, so it is closed last.
  await http.stop();
  await close();
});

const address = await http.fastify.listen({ host: config.host, port: config.port });
logListening(context, 'api', address);
