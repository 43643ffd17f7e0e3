import { setTimeout as pause } from 'node:timers/promises';
import type { FakeGoogle } from '@lessonbook/fakes/google';
import type { Mailbox } from '@lessonbook/fakes/mailbox';
import type { FakeStripe } from '@lessonbook/fakes/stripe';
import { Random } from '@lessonbook/server/src/test/model/random.ts';

interface Vendors {
  mailbox: Mailbox;
  stripe: FakeStripe['control'];
  google: FakeGoogle['control'];
}

type VendorFault = (vendors: Vendors, random: Random) => unknown;

/** Number of emails accepted without a reply: the sender retries, so each arrives twice. */
let droppedCount = 0;
export const getDroppedMailCount = (): number => droppedCount;

const randomRepeatCount = (random: Random) => random.between(1, 5);

const VENDOR_FAULTS: readonly VendorFault[] = [
  ({ mailbox }, random) => mailbox.rejectNext(451, randomRepeatCount(random)),
  async ({ mailbox }, random) => {
    const stall = mailbox.stallBeforeData();
    await pause(random.between(200, 2_500));
    stall.release();
  },
  ({ mailbox }) => {
    droppedCount += 1;
    mailbox.dropAfterData(1);
  },
  ({ stripe }, random) =>
    stripe.addFault({ kind: 'status', status: 500, times: randomRepeatCount(random) }),
  ({ stripe }, random) =>
    stripe.addFault({ kind: 'status', status: 429, times: randomRepeatCount(random) }),
  ({ stripe }, random) => stripe.addFault({ kind: 'reset', times: randomRepeatCount(random) }),
  ({ stripe }, random) =>
    stripe.addFault({ kind: 'done-then-reset', times: randomRepeatCount(random) }),
  ({ stripe }, random) =>
    stripe.addFault({ kind: 'slow', ms: 700, times: randomRepeatCount(random) }),
  ({ stripe }) => stripe.addFault({ kind: 'hang', times: 1 }),
  async ({ stripe }, random) => {
    await stripe.hold();
    await pause(random.between(500, 2_500));
    await stripe.release();
  },
  ({ google }, random) =>
    google.addFault({ kind: 'status', status: 500, times: randomRepeatCount(random) }),
  ({ google }, random) =>
    google.addFault({ kind: 'status', status: 429, times: randomRepeatCount(random) }),
  ({ google }, random) => google.addFault({ kind: 'reset', times: randomRepeatCount(random) }),
  ({ google }, random) =>
    google.addFault({ kind: 'done-then-reset', times: randomRepeatCount(random) }),
  ({ google }) => google.addFault({ kind: 'hang', times: 1 }),
  // Sync tokens become invalid (410), access tokens expire, watch channels stop.
  ({ google }) => google.expireSyncTokens(),
  ({ google }) => google.expireAccessTokens(),
  ({ google }) => google.dropChannels(),
];

/** Injects vendor faults at points chosen by the seed. */
export class VendorFaultInjector {
  readonly #vendors: Vendors;
  readonly #random: Random;
  readonly #triggerCounts: number[];
  injected = 0;

  constructor(vendors: Vendors, seed: number, count: number, writes: number) {
    this.#vendors = vendors;
    this.#random = new Random(seed ^ 0x77656174);
    this.#triggerCounts = Array.from({ length: count }, (_, index) =>
      Math.round((writes * (0.05 + 0.9 * index)) / count),
    );
  }

  /** Configures normal vendor behaviour: webhooks arrive twice, late and in any order, and are retried. */
  async start(): Promise<void> {
    const { stripe, google } = this.#vendors;
    const backoff = [100, 300, 1_000, 2_000, 4_000, 8_000];
    const delivery = { copies: 2, shuffle: true, delay: [0, 300] as const, backoff };
    await stripe.setDelivery(delivery);
    await google.setDelivery(delivery);
    await google.setQuotas({ perUserPerMinute: 100_000, perProjectPerMinute: 1_000_000 });
  }

  async run(acknowledged: () => number, isFinished: () => boolean): Promise<void> {
    for (const triggerCount of this.#triggerCounts) {
      const fault = this.#random.pick(VENDOR_FAULTS);
      while (acknowledged() < triggerCount && !isFinished()) await pause(5);
      if (isFinished()) return;
      this.injected += 1;
      await fault(this.#vendors, this.#random);
    }
  }

  async clear(): Promise<void> {
    const { stripe, google } = this.#vendors;
    await stripe.clearFaults();
    await google.clearFaults();
    await stripe.release();
    await stripe.settleDebits();
  }
}
