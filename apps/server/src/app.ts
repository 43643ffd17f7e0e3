import type { Context } from './context.ts';
import {
  accountRoutes,
  factorRoutes,
  googleSignInRoutes,
  secondStepRoutes,
  securityRoutes,
} from './domains/accounts/routes.ts';
import { findLogin } from './domains/accounts/service/log-in.ts';
import { calendarRoutes, feedRoutes } from './domains/calendar/routes.ts';
import { cardRoutes } from './domains/cards/routes.ts';
import { invoiceRoutes, payRoutes } from './domains/invoices/routes.ts';
import { lessonRoutes, sessionRoutes, timeOffRoutes } from './domains/lessons/routes.ts';
import {
  inboxRoutes,
  messageRoutes,
  reminderSettingsRoutes,
  whatsAppRoutes,
} from './domains/messages/routes.ts';
import { ownDataRoutes } from './domains/own-data/routes.ts';
import { familyRoutes, paymentRoutes } from './domains/payments/routes.ts';
import { reportRoutes } from './domains/reports/routes.ts';
import { studentRoutes } from './domains/students/routes.ts';
import { subjectRoutes } from './domains/subjects/routes.ts';
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
  healthRoutes(http.fastify, {
    ready: () => db.ping(),
    measure: () => db.measure(),
    metricsToken: config.metricsToken,
  });
  accountRoutes(http, context);
  googleSignInRoutes(http, context);
  securityRoutes(http, context);
  secondStepRoutes(http, context);
  factorRoutes(http, context);
  subjectRoutes(http, context);
  studentRoutes(http, context);
  lessonRoutes(http, context);
  sessionRoutes(http, context);
  timeOffRoutes(http, context);
  paymentRoutes(http, context);
  familyRoutes(http, context);
  cardRoutes(http, context);
  invoiceRoutes(http, context);
  payRoutes(http, context);
  messageRoutes(http, context);
  reminderSettingsRoutes(http, context);
  inboxRoutes(http, context);
  whatsAppRoutes(http, context);
  calendarRoutes(http, context);
  feedRoutes(http, context);
  reportRoutes(http, context);
  ownDataRoutes(http, context);
  openApiRoutes(http, config.cookie.name);
  if (config.webDist)
    await serveWebApp(http.fastify, config.webDist, {
      cookieName: config.cookie.name,
      serviceWorker: config.serviceWorker,
    });
  else serveNoPages(http.fastify);
  return http;
}
