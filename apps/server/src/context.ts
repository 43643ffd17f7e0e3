import type { Config } from './config.ts';
import type { CalendarProvider } from './integrations/calendar.ts';
import type { CardProvider } from './integrations/cards.ts';
import type { GoogleSignIn } from './integrations/google-sign-in.ts';
import type { Mailer } from './integrations/mail.ts';
import type { WhatsApp } from './integrations/whatsapp.ts';
import type { Clock } from './platform/clock.ts';
import type { Database, Tx } from './platform/db.ts';
import type { EventKind } from './platform/events.ts';
import type { Log } from './platform/log.ts';
import type { News } from './platform/news.ts';
import type { Job, Queue } from './platform/queue.ts';
import type { RateLimiter } from './platform/rate-limit.ts';

/** What a use case may reach for. Made once for each process; tests hand in another clock. */
export interface Context {
  readonly config: Config;
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly log: Log;
  readonly limiter: RateLimiter;
  readonly mailer: Mailer;
  /** Null where the server has no account at the card provider. */
  readonly cards: CardProvider | null;
  /** Null where the server has no client at Google. */
  readonly googleSignIn: GoogleSignIn | null;
  /** Null where the server is no client of Google's. */
  readonly calendars: CalendarProvider | null;
  /** None where the server has no account there. */
  readonly whatsApp: WhatsApp | null;
  readonly news: News;
  readonly events: {
    /** Tells every domain above, inside this transaction. */
    publish<Payload>(tx: Tx, event: EventKind<Payload>, payload: Payload): Promise<void>;
  };
}

export const defineJob = <Payload extends object>(
  job: Job<Context, Payload>,
): Job<Context, Payload> => job;
