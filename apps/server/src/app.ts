import type { Context } from './context.ts';
import { accountRoutes } from './domains/accounts/routes.ts';
import { findLogin } from './domains/accounts/service/log-in.ts';
import { openApiRoutes } from './openapi.ts';
import { Http } from './platform/http.ts';
import { healthRoutes } from './platform/metrics.ts';
import { serveNoPages, serveWebApp } from './platform/web-app.ts';

/** Every route there is. */
export async function buildApp(context: Context): Promise<Http> {
  const { config, db, log } = context;
  const http = await Http.make({
    origin: config.origin,
    cookie: config.cookie,
    trustedProxies: config.trustedProxies,
    log,
    findLogin: (token) => findLogin(context, token),
  });
  healthRoutes(http.fastify, { ready: () => db.ping(), metricsToken: config.metricsToken });
  accountRoutes(http, context);
  openApiRoutes(http, config.cookie.name);
  if (config.webDist) await serveWebApp(http.fastify, config.webDist, config.cookie.name);
  else serveNoPages(http.fastify);
  return http;
}
