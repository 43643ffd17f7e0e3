import type { Context } from './context.ts';
import { describePublicPage } from './describe-public-pages.ts';
import { accountRecoveryRoutes } from './domains/accounts/routes/email-revert-and-mfa-removal.ts';
import {
  accountRoutes,
  googleSignInRoutes,
  mfaFactorRoutes,
  mfaLoginRoutes,
  securityRoutes,
} from './domains/accounts/routes.ts';
import { findLogin } from './domains/accounts/service/auth/find-login.ts';
import { auditRoutes } from './domains/audit/routes.ts';
import { batchRoutes } from './domains/batches/routes.ts';
import { calendarRoutes, icsFeedRoutes } from './domains/calendar/routes.ts';
import { cardRoutes } from './domains/cards/routes.ts';
import { dayChangeRoutes } from './domains/day-changes/routes.ts';
import { departureRoutes } from './domains/departures/routes.ts';
import { exportRoutes } from './domains/export/routes.ts';
import { importRoutes } from './domains/import/routes.ts';
import { invoiceRoutes, payRoutes } from './domains/invoices/routes.ts';
import {
  lessonNoteRoutes,
  lessonRoutes,
  sessionRoutes,
  studentStatusRoutes,
  termCalendarRoutes,
  timeOffRoutes,
} from './domains/lessons/routes.ts';
import {
  bulkMessageRoutes,
  messageRoutes,
  notificationRoutes,
  reminderSettingsRoutes,
  whatsAppRoutes,
} from './domains/messages/routes.ts';
import { familyRoutes, paymentRoutes } from './domains/payments/routes.ts';
import { portalRoutes, portalSettingsRoutes } from './domains/portal/routes.ts';
import { findContact, findContactLogin } from './domains/portal/service/find-signed-in-contact.ts';
import { priceRiseRoutes } from './domains/price-rises/routes.ts';
import { privacyRoutes } from './domains/privacy/routes.ts';
import { reportRoutes } from './domains/reports/routes.ts';
import { searchRoutes } from './domains/search/routes.ts';
import { studentRoutes } from './domains/students/routes.ts';
import { subjectRoutes } from './domains/subjects/routes.ts';
import { openApiRoutes } from './openapi.ts';
import {
  type AuthenticationOptions,
  authenticateContactLogin,
} from './platform/http/authentication.ts';
import { clientNetwork } from './platform/http/client-network.ts';
import { HttpServer } from './platform/http/http-server.ts';
import { serveApiOnly, serveStaticSite } from './platform/http/static-site.ts';
import { userAgentOf } from './platform/http/user-agent.ts';
import { healthRoutes } from './platform/observability/health-and-metrics-routes.ts';

/** Registers all routes. */
export async function buildApp(context: Context): Promise<HttpServer> {
  const { config, db, log } = context;
  const authentication: AuthenticationOptions = {
    cookie: config.cookie,
    findLogin: (token) => findLogin(context, token),
    findContactLogin: (token) => findContactLogin(context, token),
    findContact: (login, publicId) => findContact(context, login, publicId),
  };
  const http = await HttpServer.create({
    origin: config.origin,
    trustedProxies: config.trustedProxies,
    log,
    ...authentication,
  });
  healthRoutes(http.fastify, {
    checkReady: () => db.ping(),
    updateMetrics: () => db.updateMetrics(),
    metricsToken: config.metricsToken,
    allowLocalMetrics: config.allowLocalMetrics,
  });
  accountRoutes(http, context);
  googleSignInRoutes(http, context);
  securityRoutes(http, context);
  mfaLoginRoutes(http, context);
  mfaFactorRoutes(http, context);
  accountRecoveryRoutes(http, context);
  subjectRoutes(http, context);
  studentRoutes(http, context);
  lessonRoutes(http, context);
  sessionRoutes(http, context);
  termCalendarRoutes(http, context);
  lessonNoteRoutes(http, context);
  timeOffRoutes(http, context);
  studentStatusRoutes(http, context);
  paymentRoutes(http, context);
  familyRoutes(http, context);
  cardRoutes(http, context);
  invoiceRoutes(http, context);
  payRoutes(http, context);
  messageRoutes(http, context);
  bulkMessageRoutes(http, context);
  batchRoutes(http, context);
  priceRiseRoutes(http, context);
  dayChangeRoutes(http, context);
  departureRoutes(http, context);
  reminderSettingsRoutes(http, context);
  notificationRoutes(http, context);
  whatsAppRoutes(http, context);
  calendarRoutes(http, context);
  icsFeedRoutes(http, context);
  reportRoutes(http, context);
  searchRoutes(http, context);
  auditRoutes(http, context);
  exportRoutes(http, context);
  privacyRoutes(http, context);
  importRoutes(http, context);
  portalRoutes(http, context);
  portalSettingsRoutes(http, context);
  openApiRoutes(http, config.cookie.name);
  if (config.webDist)
    await serveStaticSite(http.fastify, config.webDist, {
      origin: config.origin,
      cookieName: config.cookie.name,
      serviceWorker: config.serviceWorker,
      describePage: (path, request, reply) =>
        describePublicPage(context, path, {
          network: clientNetwork(request.ip),
          userAgent: userAgentOf(request),
          readContactLogin: () => authenticateContactLogin(authentication, request, reply),
        }),
    });
  else serveApiOnly(http.fastify);
  return http;
}
