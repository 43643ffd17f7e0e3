import { flushCompileCache } from 'node:module';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { eventSubscribers } from './event-subscribers.ts';
import { googleCalendar } from './integrations/google-calendar.ts';
import { googleOpenId } from './integrations/google-sign-in.ts';
import { smtpMailer } from './integrations/mail.ts';
import { stripeCards } from './integrations/stripe.ts';
import { whatsAppCloud } from './integrations/whatsapp.ts';
import type { PdfDrawFunctions } from './pdf-thread.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { ConnectionMonitor } from './platform/db/connection-monitor.ts';
import { Database } from './platform/db/database.ts';
import { EventBus } from './platform/events.ts';
import { PdfRenderer } from './platform/files/pdf-renderer.ts';
import { RateLimiter } from './platform/http/rate-limiter.ts';
import { recordRevision } from './platform/http/request-context.ts';
import { createLogger } from './platform/observability/log.ts';
import { Queue } from './platform/queue/queue.ts';
import { Realtime } from './platform/realtime.ts';

/** Creates the context used by both processes, and a function that closes it. */
export async function createContext(
  config: Config,
  role: 'api' | 'worker',
  clock: Clock = systemClock(config.clockStart),
) {
  const log = createLogger(config.logLevel, role);
  const connectionMonitor = new ConnectionMonitor(config.databaseUrl, (failure) => {
    if (failure) log.error({ err: failure }, 'database unreachable');
    else log.info('database reachable again');
  });
  const { clientConfig } = connectionMonitor;
  const db = new Database(clientConfig, {
    max: config.databasePool,
    onError: (error) => log.warn({ err: error }, 'idle database connection lost'),
    onTutorChanged: (tutorId, revision) => {
      recordRevision(tutorId, revision);
      realtime.publish(tutorId, revision);
    },
  });
  const realtime = new Realtime(clientConfig, db, log);
  const queue = new Queue(clientConfig, log, role === 'worker' ? 'worker' : 'sender');
  await queue.start();
  const mailer = smtpMailer({ ...config.mail, domain: new URL(config.origin).hostname });
  const whatsApp = config.whatsApp && whatsAppCloud(config.whatsApp);
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
    mailer,
    pdf,
    cards: config.stripe && stripeCards(config.stripe),
    googleSignIn:
      config.googleSignIn &&
      googleOpenId({
        ...config.googleSignIn,
        redirectUri: config.origin + googleSignIn.callback.path,
      }),
    calendars: config.googleCalendar && googleCalendar(config.googleCalendar),
    whatsApp,
    realtime,
    events: { publish: (tx, event, payload) => events.publish(context, tx, event, payload) },
  };
  const close = async () => {
    await queue.stop();
    await realtime.stop();
    mailer.close();
    await pdf.close();
    await db.close();
    await connectionMonitor.stop();
  };
  return { context, close };
}

/**
 * Logs the address and flushes Node's compile cache, if one is configured, because the process may later be killed
 * before it can write it. The cache makes the next start a third faster.
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
    stop().then(
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
