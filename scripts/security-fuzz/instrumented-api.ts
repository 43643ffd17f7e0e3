/**
 * The API as the product builds it, with something of the harness in it: without the application's tenant check
 * (HOSTILE_WITHOUT_CHECK names the global tables), or with planted holes (HOSTILE_HOLES, one of which answers after
 * HOSTILE_SLOW_MS). Prints its routes.
 */
import { buildApp } from '@lessonbook/server/src/app.ts';
import { createContext, stopOnSignals } from '@lessonbook/server/src/bootstrap.ts';
import { readConfig } from '@lessonbook/server/src/config.ts';
import { addSeededBugs } from './seeded-bugs.ts';
import { disableTenantFilter } from './tenant-filter.ts';

const withoutCheck = process.env['HOSTILE_WITHOUT_CHECK'];
const removed =
  withoutCheck === undefined ? undefined : disableTenantFilter(new Set(withoutCheck.split(',')));

const config = readConfig();
const { context, close } = await createContext(config, 'api');
const http = await buildApp(context);
const canary = process.env['HOSTILE_HOLES'];
if (canary !== undefined)
  addSeededBugs(http, context, canary, Number(process.env['HOSTILE_SLOW_MS']));

stopOnSignals(context, async () => {
  await http.stop();
  await close();
});
if (removed)
  process.on('SIGUSR2', () =>
    process.stdout.write(`statements without check: ${removed.changed()}\n`),
  );
await http.fastify.listen({ host: config.host, port: config.port });
process.stdout.write(
  `routes ${JSON.stringify(http.fastify.printRoutes({ commonPrefix: false }))}\n`,
);
