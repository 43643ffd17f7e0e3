import type { Config } from './config.ts';
import type { CalendarProvider } from './integrations/calendar-provider.ts';
import type { CardProvider } from './integrations/card-provider.ts';
import type { GoogleSignIn } from './integrations/google-sign-in.ts';
import type { Mailer } from './integrations/mail.ts';
import type { WhatsApp } from './integrations/whatsapp.ts';
import type { PdfDrawFunctions } from './pdf-thread.ts';
import type { Realtime } from './platform/change-notifications.ts';
import type { Clock } from './platform/clock.ts';
import type { Database, Tx } from './platform/db/database.ts';
import type { EventKind } from './platform/events.ts';
import type { PdfRenderer } from './platform/files/pdf-renderer.ts';
import type { RateLimiter } from './platform/http/rate-limiter.ts';
import type { Log } from './platform/observability/log.ts';
import type { Job } from './platform/queue/job.ts';
import type { Queue } from './platform/queue/queue.ts';

/** The dependencies shared by all services. Created once per process; tests pass a fake clock. */
export interface Context {
  readonly config: Config;
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly log: Log;
  readonly limiter: RateLimiter;
  readonly mailer: Mailer;
  readonly pdf: PdfRenderer<PdfDrawFunctions>;
  /** Null if Stripe is not configured. */
  readonly cards: CardProvider | null;
  /** Null if Google sign-in is not configured. */
  readonly googleSignIn: GoogleSignIn | null;
  /** Null if Google Calendar is not configured. */
  readonly calendars: CalendarProvider | null;
  /** Null if WhatsApp is not configured. */
  readonly whatsApp: WhatsApp | null;
  readonly realtime: Realtime;
  readonly events: {
    /** Runs all subscribers within this transaction. */
    publish<Payload>(tx: Tx, event: EventKind<Payload>, payload: Payload): Promise<void>;
  };
}

export const defineJob = <Payload extends object>(
  job: Job<Context, Payload>,
): Job<Context, Payload> => job;
