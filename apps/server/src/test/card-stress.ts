import { accounts } from '@lessonbook/contract/accounts';
import { cards } from '@lessonbook/contract/card-payments';
import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import { type FakeStripe, startStripe } from '@lessonbook/fakes/stripe';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import pg from 'pg';
import { findViolations } from '../invariants.ts';
import { Browser } from './browser-client.ts';
import { findCardDifferences } from './compare-payments-with-stripe.ts';
import { createStudent } from './create-student-and-subject.ts';
import { newSignupInput } from './create-tutor.ts';
import { Random } from './model/random.ts';
import { findStripeAccountId, WEBHOOK_SECRETS, webhookEndpoints } from './stripe-test-app.ts';
import { sharedDatabase } from './test-app.ts';
import { wakeWorkerForDueJobs } from './wake-worker.ts';

/* Runs hundreds of card payments, refunds and disputes while webhooks are repeated, delayed, reordered and forged, and
   workers are killed. At the end, our ledger must match the provider's. */

export interface CardStressOptions {
  seed: number;
  payments: number;
  kills: number;
  /** SQL that introduces a bug which the run must detect. */
  seededBug?: string;
  /** How long to wait at the end for all events to be processed. */
  timeoutMs: number;
}

export interface CardStressReport {
  payments: number;
  events: number;
  deliveries: number;
  kills: number;
  /** Number of events that were processed more than once or not at all. */
  mishandledEvents: number;
  /** Number of forged events that were accepted. */
  acceptedForgeries: number;
  forged: number;
  checked: number;
  violations: unknown[];
  /** Differences from the provider's data, and violated invariants. */
  differences: string[];
}

const TUTOR_COUNT = 4;
const PAYMENT_METHODS = [
  ...Array.from({ length: 12 }, () => '4242424242424242'),
  '4000000000000002',
  '4000002500003155',
  'bank-debit-succeeds',
  'bank-debit-succeeds',
  'bank-debit-fails',
];
const FORGERIES = [
  'wrong-signature',
  'stale',
  'tampered',
  'no-signature',
  'other-account',
  'wrong-mode',
] as const;

interface Tutor {
  browser: Browser;
  accountId: string;
}

export async function runCardStress(options: CardStressOptions): Promise<CardStressReport> {
  const stripe = await startStripe({ seed: options.seed });
  const lessonbook = await startLessonbook({
    database: sharedDatabase(),
    workers: 2,
    env: {
      RATE_LIMIT_FACTOR: '100000',
      LOG_LEVEL: 'silent',
      STRIPE_SECRET_KEY: stripe.apiKey,
      STRIPE_URL: stripe.url,
      STRIPE_ACCOUNT_SECRET: WEBHOOK_SECRETS.account,
      STRIPE_PAYMENT_SECRET: WEBHOOK_SECRETS.connect,
    },
  });
  const adminDb = new pg.Pool({ connectionString: lessonbook.databaseUrls.maintenanceUrl, max: 2 });
  const stopWaking = wakeWorkerForDueJobs(lessonbook.databaseUrls.maintenanceUrl);
  try {
    return await new StressRun(options, stripe, lessonbook, adminDb).run();
  } finally {
    await Promise.all([adminDb.end(), stopWaking()]);
    await lessonbook.stop();
    await stripe.close();
  }
}

class StressRun {
  readonly #options: CardStressOptions;
  readonly #stripe: FakeStripe;
  readonly #lessonbook: Lessonbook;
  readonly #adminDb: pg.Pool;
  readonly #random: Random;
  readonly #tutors: Tutor[] = [];
  #forged = 0;
  #acceptedForgeries = 0;
  #killCount = 0;

  constructor(
    options: CardStressOptions,
    stripe: FakeStripe,
    lessonbook: Lessonbook,
    adminDb: pg.Pool,
  ) {
    this.#options = options;
    this.#stripe = stripe;
    this.#lessonbook = lessonbook;
    this.#adminDb = adminDb;
    this.#random = new Random(options.seed);
  }

  async run(): Promise<CardStressReport> {
    const { control } = this.#stripe;
    await control.setWebhooks(webhookEndpoints(this.#lessonbook.url));
    for (let n = 0; n < TUTOR_COUNT; n += 1) await this.#createTutor();
    if (this.#options.seededBug) await this.#insertSeededBug(this.#options.seededBug);
    await control.setDelivery({ copies: 3, shuffle: true, delay: [0, 400] });
    let started = 0;
    const makePayments = async () => {
      while (started < this.#options.payments) {
        started += 1;
        await this.#makePayment(started);
        if (this.#killCount < this.#options.kills * (started / this.#options.payments) - 0.5) {
          await this.#killWorker();
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, makePayments));
    await control.settleDebits();
    await this.#waitUntilIdle();
    return this.#report();
  }

  async #insertSeededBug(statement: string): Promise<void> {
    const owner = new pg.Client(this.#lessonbook.databaseUrls.ownerUrl);
    await owner.connect();
    await owner.query(statement);
    await owner.end();
  }

  async #createTutor(): Promise<void> {
    const browser = new Browser(this.#lessonbook.url, this.#lessonbook.url);
    const input = newSignupInput();
    await browser.call(accounts.signup, { body: input });
    const { username, password } = input;
    await browser.call(accounts.login, { body: { username, password } });
    await browser.call(cards.createCardAccount);
    const accountId = await findStripeAccountId({ admin: this.#adminDb }, browser);
    await this.#stripe.control.completeOnboarding(accountId);
    await browser.call(cards.saveDefaultMethod, { body: { paymentMethod: 'stripe' } });
    this.#tutors.push({ browser, accountId });
  }

  async #makePayment(number: number): Promise<void> {
    const { control } = this.#stripe;
    const random = this.#random;
    const tutor = random.pick(this.#tutors);
    const { browser, accountId } = tutor;
    const student = await createStudent(browser, { name: `Payer ${number}` });
    const familyId = student.familyId as number;
    const debt = { amount: random.between(100, 20_000), currency: 'GBP' as const };
    await browser.call(families.setOpeningBalance, {
      params: { id: familyId },
      body: { ...debt, date: '2026-01-01' },
    });
    const { body: family } = await browser.call(families.family, {
      params: { id: familyId },
      query: {},
    });
    const checkout = await browser.call(cards.payByCard, {
      params: { token: family.payToken },
      body: { currency: 'GBP' },
    });
    const sessionId = /\/c\/pay\/(\w+)/.exec(checkout.body.url ?? '')?.[1];
    if (!sessionId)
      throw new Error(`the checkout was not created: ${checkout.status} ${checkout.error.message}`);
    if (random.chance(0.1)) await this.#forge(accountId, sessionId);
    if (random.chance(0.05)) return control.expireSession(sessionId);
    const result = await control.payOnCheckoutPage(sessionId, random.pick(PAYMENT_METHODS));
    if (result.outcome === 'paid' && random.chance(0.4))
      await this.#refundOrDispute(tutor, sessionId);
  }

  /** Makes a partial or full refund, from the app or the provider's dashboard, or opens a dispute. */
  async #refundOrDispute({ browser, accountId }: Tutor, sessionId: string): Promise<void> {
    const { control } = this.#stripe;
    const random = this.#random;
    const [report] = await control.report(accountId);
    const payment = report?.payments.find((each) => each.sessionId === sessionId);
    const chargeId = payment?.chargeId ?? '';
    const amount = random.between(1, payment?.amount ?? 1);
    if (random.chance(0.3)) {
      const dispute = await control.openDispute(chargeId);
      if (random.chance(0.7)) {
        await control.closeDispute(dispute, random.pick(['won', 'lost'] as const));
      }
      return;
    }
    if (random.chance(0.5)) {
      const refund = await control.refundFromDashboard(chargeId, amount);
      if (random.chance(0.2)) await control.failRefund(refund);
      return;
    }
    // The payment exists in the app only once its webhook has been processed.
    const { rows } = await this.#adminDb.query<{ payment_id: number }>(
      'select payment_id from checkouts where stripe_session_id = $1 and payment_id is not null',
      [sessionId],
    );
    const id = rows[0]?.payment_id;
    if (id !== undefined) {
      await browser.call(payments.refundPayment, {
        params: { id },
        body: { amount, date: '2026-11-16' },
      });
    }
  }

  async #forge(account: string, sessionId: string): Promise<void> {
    const kind = this.#random.pick(FORGERIES);
    const object = { id: sessionId, object: 'checkout.session', payment_status: 'paid' };
    const target = kind === 'other-account' ? {} : { account };
    const { eventId } = await this.#stripe.control.sendForged(kind, { ...target, object });
    const { rowCount } = await this.#adminDb.query(
      'select 1 from webhook_events where event_id = $1',
      [eventId],
    );
    this.#forged += 1;
    this.#acceptedForgeries += rowCount ?? 0;
  }

  async #killWorker(): Promise<void> {
    this.#killCount += 1;
    const worker = this.#lessonbook.workers.shift();
    worker?.kill('SIGKILL');
    await worker?.exited;
    await this.#lessonbook.startWorker();
  }

  async #waitUntilIdle(): Promise<void> {
    const deadline = performance.now() + this.#options.timeoutMs;
    for (;;) {
      await this.#stripe.control.whenIdle();
      const { rows } = await this.#adminDb.query<{ remaining: number }>(
        `select count(*)::int as remaining from jobs.job where name in ('card-event', 'card-refund') and state < 'completed'`,
      );
      if (rows[0]?.remaining === 0 || performance.now() > deadline) return;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  async #report(): Promise<CardStressReport> {
    const { control } = this.#stripe;
    const deliveries = await control.deliveries();
    const { checked, violations } = await control.conformance();
    const violatedInvariants = await this.#violatedInvariants();
    const accountIds = this.#tutors.map(({ accountId }) => accountId);
    const compared = await findCardDifferences(this.#adminDb, control, accountIds);
    return {
      payments: this.#options.payments,
      events: new Set(deliveries.map((delivery) => delivery.eventId)).size,
      deliveries: deliveries.length,
      kills: this.#killCount,
      mishandledEvents: await this.#countMishandledEvents(),
      forged: this.#forged,
      acceptedForgeries: this.#acceptedForgeries,
      checked,
      violations,
      differences: [...compared, ...violatedInvariants],
    };
  }

  async #countMishandledEvents(): Promise<number> {
    const { rows } = await this.#adminDb.query<{ difference: number }>(
      `select abs((select count(*) from webhook_events) - (select count(*) from jobs.job where name = 'card-event'))::int
        as difference`,
    );
    return rows[0]?.difference ?? -1;
  }

  async #violatedInvariants(): Promise<string[]> {
    const client = await this.#adminDb.connect();
    try {
      return (await findViolations(client)).map(({ rule, detail }) => `${rule}: ${detail}`);
    } finally {
      client.release();
    }
  }
}
