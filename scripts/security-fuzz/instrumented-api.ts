/**
 * Starts the API with changes for the fuzzer: without the application's tenant filter (FUZZ_WITHOUT_CHECK lists the global
 * tables), or with seeded bugs (FUZZ_BUGS), one of which delays its response by FUZZ_SLOW_MS. Prints the API's routes.
 */
import { buildApp } from '@lessonbook/server/src/app.ts';
import { readConfig } from '@lessonbook/server/src/config.ts';
import { createContext, stopOnSignals } from '@lessonbook/server/src/create-context.ts';
import { addSeededBugs } from './seeded-bugs.ts';
import { disableTenantFilter } from './strip-tenant-filter-from-sql.ts';

const globalTables = process.env['FUZZ_WITHOUT_CHECK'];
const disabledFilter =
  globalTables === undefined ? undefined : disableTenantFilter(new Set(globalTables.split(',')));

const config = readConfig();
const { context, close } = await createContext(config, 'api');
const http = await buildApp(context);
const canary = process.env['FUZZ_BUGS'];
if (canary !== undefined) addSeededBugs(http, context, canary, Number(process.env['FUZZ_SLOW_MS']));

stopOnSignals(context, async () => {
  await http.stop();
  await close();
});
if (disabledFilter)
  process.on('SIGUSR2', () =>
    process.stdout.write(`statements without the tenant filter: ${disabledFilter.changed()}\n`),
  );
await http.fastify.listen({ host: config.host, port: config.port });
process.stdout.write(
  `routes ${JSON.stringify(http.fastify.printRoutes({ commonPrefix: false }))}\n`,
);
