import { setTimeout as pause } from 'node:timers/promises';
import type { GoogleStandIn } from '@lessonbook/fakes/google';
import type { Mailbox } from '@lessonbook/fakes/mailbox';
import type { StripeStandIn } from '@lessonbook/fakes/stripe';
import { Random } from '@lessonbook/server/src/test/model/random.ts';

interface Vendors {
  mailbox: Mailbox;
  stripe: StripeStandIn['control'];
  google: GoogleStandIn['control'];
}

type Trouble = (vendors: Vendors, random: Random) => unknown;

/** Takes letters and hangs up: the sender must send them again, and each comes twice. */
let lettersDropped = 0;
export const droppedLetters = (): number => lettersDropped;

const times = (random: Random) => random.between(1, 5);

const TROUBLES: readonly Trouble[] = [
  ({ mailbox }, random) => mailbox.refuseNext(451, times(random)),
  async ({ mailbox }, random) => {
    const release = mailbox.stallBeforeData();
    await pause(random.between(200, 2_500));
    release();
  },
  ({ mailbox }) => {
    lettersDropped += 1;
    mailbox.dropAfterData(1);
  },
  ({ stripe }, random) => stripe.fault({ kind: 'status', status: 500, times: times(random) }),
  ({ stripe }, random) => stripe.fault({ kind: 'status', status: 429, times: times(random) }),
  ({ stripe }, random) => stripe.fault({ kind: 'reset', times: times(random) }),
  ({ stripe }, random) => stripe.fault({ kind: 'done-then-reset', times: times(random) }),
  ({ stripe }, random) => stripe.fault({ kind: 'slow', ms: 700, times: times(random) }),
  ({ stripe }) => stripe.fault({ kind: 'hang', times: 1 }),
  async ({ stripe }, random) => {
    await stripe.hold();
    await pause(random.between(500, 2_500));
    await stripe.release();
  },
  ({ google }, random) => google.fault({ kind: 'status', status: 500, times: times(random) }),
  ({ google }, random) => google.fault({ kind: 'status', status: 429, times: times(random) }),
  ({ google }, random) => google.fault({ kind: 'reset', times: times(random) }),
  ({ google }, random) => google.fault({ kind: 'done-then-reset', times: times(random) }),
  ({ google }) => google.fault({ kind: 'hang', times: 1 }),
  // What was read before is forgotten there (410), the hour of the token is over, nobody calls us any more.
  ({ google }) => google.expireSyncTokens(),
  ({ google }) => google.expireAccessTokens(),
  ({ google }) => google.dropChannels(),
];

/** Lets vendors fail at moments that the seed has chosen, until told to stop. */
export class Weather {
  readonly #vendors: Vendors;
  readonly #random: Random;
  readonly #moments: number[];
  troubles = 0;

  constructor(vendors: Vendors, seed: number, storms: number, writes: number) {
    this.#vendors = vendors;
    this.#random = new Random(seed ^ 0x77656174);
    this.#moments = Array.from({ length: storms }, (_, index) =>
      Math.round((writes * (0.05 + 0.9 * index)) / storms),
    );
  }

  /** What vendors do anyway: say things twice, late and in any order, and try again for a while. */
  async begin(): Promise<void> {
    const { stripe, google } = this.#vendors;
    const backoff = [100, 300, 1_000, 2_000, 4_000, 8_000];
    const usual = { copies: 2, shuffle: true, delay: [0, 300] as const, backoff };
    await stripe.deliver(usual);
    await google.deliver(usual);
    await google.setQuotas({ perUserPerMinute: 100_000, perProjectPerMinute: 1_000_000 });
  }

  async blow(acknowledged: () => number, over: () => boolean): Promise<void> {
    for (const moment of this.#moments) {
      const trouble = this.#random.pick(TROUBLES);
      while (acknowledged() < moment && !over()) await pause(5);
      if (over()) return;
      this.troubles += 1;
      await trouble(this.#vendors, this.#random);
    }
  }

  async heal(): Promise<void> {
    const { stripe, google } = this.#vendors;
    await stripe.clearFaults();
    await google.clearFaults();
    await stripe.release();
    await stripe.settleDebits();
  }
}
