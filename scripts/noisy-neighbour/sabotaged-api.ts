/** Starts the API with two operations without limits, which the harness must detect. */
import type { Endpoint } from '@lessonbook/contract/endpoint';
import { buildApp } from '@lessonbook/server/src/app.ts';
import { readConfig } from '@lessonbook/server/src/config.ts';
import { createContext, stopOnSignals } from '@lessonbook/server/src/create-context.ts';
import { sql } from 'kysely';
import * as z from 'zod/mini';

const Text = z.object({ text: z.string().check(z.maxLength(30_000)) });

const plantedEndpoint = (path: string): Endpoint => ({
  method: 'POST',
  path: `/api/planted/${path}`,
  access: 'login',
  summary: 'Planted',
  body: Text,
  reply: Text,
});

const config = readConfig();
const { context, close } = await createContext(config, 'api');
const http = await buildApp(context);

// Compares every character with every other.
http.on(plantedEndpoint('quadratic'), async ({ body }) => {
  const { text } = body as unknown as z.infer<typeof Text>;
  let equal = 0;
  for (let first = 0; first < text.length; first += 1)
    for (let second = 0; second < text.length; second += 1)
      if (text.codePointAt(first) === text.codePointAt(second)) equal += 1;
  return { text: String(equal) };
});

// Holds a pooled database connection for several seconds.
http.on(plantedEndpoint('connection'), async () => {
  await sql`select pg_sleep(3)`.execute(context.db.global);
  return { text: 'slept' };
});

stopOnSignals(context, async () => {
  await http.stop();
  await close();
});
await http.fastify.listen({ host: config.host, port: config.port });
