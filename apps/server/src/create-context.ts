import { flushCompileCache } from 'node:module';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { eventSubscribers } from './event-subscribers.ts';
import type { CalendarProvider } from './integrations/calendar-provider.ts';
import { googleCalendar } from './integrations/google-calendar.ts';
import { googleOpenId } from './integrations/google-sign-in.ts';
import { smtpMailer } from './integrations/mail.ts';
import { stripeCards } from './integrations/stripe.ts';
import { whatsAppCloud } from './integrations/whatsapp.ts';
import type { PdfDrawFunctions } from './pdf-thread.ts';
import { Realtime } from './platform/change-notifications.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { ConnectionMonitor } from './platform/db/connection-monitor.ts';
import { Database } from './platform/db/database.ts';
import { requireDirectConnection } from './platform/db/require-direct-connection.ts';
import { EventBus } from './platform/events.ts';
import { PdfRenderer } from './platform/files/pdf-renderer.ts';
import { RateLimiter } from './platform/http/rate-limiter.ts';
import { recordRevision } from './platform/http/request-context.ts';
import { createLogger, type Log } from './platform/observability/log.ts';
import { stopTracing, traceVendor } from './platform/observability/tracing.ts';
import { Queue } from './platform/queue/queue.ts';

/** Creates the context used by both processes, and a function that closes it. */
export async function createContext(
  config: Config,
  role: 'api' | 'worker',
  clock: Clock = systemClock(config.clockStart),
) {
  const log = createLogger(config.logLevel, role);
  const { requestMonitor, listenMonitor } = createConnectionMonitors(config, log);
  const db = new Database(requestMonitor.clientConfig, {
    max: config.databasePool,
    isWorker: role === 'worker',
    onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
    onTutorChanged: (tutorId, revision) => {
      recordRevision(tutorId, revision);
      realtime.publish(tutorId, revision);
    },
  });
  await requireDirectConnection(listenMonitor.clientConfig);
  const realtime = new Realtime(listenMonitor.clientConfig, db, log);
  const queue = new Queue(listenMonitor.clientConfig, log, role === 'worker' ? 'worker' : 'sender');
  await queue.start();
  const vendors = createVendors(config);
  const limiter = new RateLimiter(db, clock, config.rateLimitFactor);
  const pdf = new PdfRenderer<PdfDrawFunctions>(new URL('./pdf-thread.ts', import.meta.url));
  const events = new EventBus<Context>(eventSubscribers);
  const context: Context = {
    config,
    db,
    queue,
    clock,
    log,
    limiter,
    ...vendors,
    pdf,
    realtime,
    events: { publish: (tx, event, payload) => events.publish(context, tx, event, payload) },
  };
  const close = async () => {
    await queue.stop();
    await realtime.stop();
    vendors.mailer.close();
    await pdf.close();
    await db.close();
    await requestMonitor.stop();
    await listenMonitor.stop();
  };
  return { context, close };
}

/** The adapters of the configured vendors; their calls are traced. */
function createVendors(config: Config) {
  const { mail, origin } = config;
  const mailer = smtpMailer({ ...mail, domain: new URL(origin).hostname });
  return {
    mailer: traceVendor('smtp', mail.smtpUrl, mailer),
    cards: config.stripe && traceVendor('stripe', config.stripe.url, stripeCards(config.stripe)),
    googleSignIn: config.googleSignIn && createGoogleSignIn(config.googleSignIn, origin),
    calendars: config.googleCalendar && createCalendars(config.googleCalendar),
    whatsApp:
      config.whatsApp &&
      traceVendor('whatsapp', config.whatsApp.url, whatsAppCloud(config.whatsApp)),
  };
}

function createGoogleSignIn(options: NonNullable<Config['googleSignIn']>, origin: string) {
  const adapter = googleOpenId({ ...options, redirectUri: origin + googleSignIn.callback.path });
  return traceVendor('google-sign-in', options.issuer, adapter);
}

function createCalendars(options: NonNullable<Config['googleCalendar']>): CalendarProvider {
  const calendars = googleCalendar(options);
  const trace = <Adapter extends object>(adapter: Adapter) =>
    traceVendor('google-calendar', options.url, adapter);
  return { ...trace(calendars), open: (refreshToken) => trace(calendars.open(refreshToken)) };
}

/** Both are the same monitor, unless requests go through a pooler. */
function createConnectionMonitors(config: Config, log: Log) {
  const createMonitor = (url: string, address: 'DATABASE_URL' | 'DATABASE_LISTEN_URL') =>
    new ConnectionMonitor(
      url,
      (failure) => {
        if (failure) log.error({ err: failure, address }, 'database unreachable');
        else log.info({ address }, 'database reachable again');
      },
      address,
    );
  const requestMonitor = createMonitor(config.databaseUrl, 'DATABASE_URL');
  const listenMonitor =
    config.databaseListenUrl === config.databaseUrl
      ? requestMonitor
      : createMonitor(config.databaseListenUrl, 'DATABASE_LISTEN_URL');
  return { requestMonitor, listenMonitor };
}

/**
 * Logs the address and flushes Node's compile cache, if one is configured. Otherwise, the cache would be lost if the process
 * were killed later. The cache makes the next start a third faster.
 */
export function logListening({ log }: Context, role: 'api' | 'worker', address: string): void {
  log.info({ address }, `${role} is listening`);
  flushCompileCache();
}

/** Shuts down gracefully on the first signal; exits with 1 if that takes longer than 20 seconds. */
export function stopOnSignals(context: Context, stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (signal: string) => {
    if (stopping) return;
    stopping = true;
    context.log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), 20_000).unref();
    stop()
      .then(stopTracing)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          context.log.error({ err: error }, 'graceful shutdown failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
