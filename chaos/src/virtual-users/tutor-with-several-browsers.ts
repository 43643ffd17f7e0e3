import { accounts } from '@lessonbook/contract/accounts';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { subjects } from '@lessonbook/contract/subjects';
import { daytimeZone } from '@lessonbook/fakes/shared/daytime-zone';
import { PASSWORD } from '@lessonbook/server/src/test/create-tutor.ts';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import type { ChaosEnvironment } from '../chaos-environment.ts';
import { withRetries } from '../crash-tolerant-db-pool.ts';
import { ExpectedState } from '../expected-state.ts';
import { ALWAYS_RESPONDS } from '../results.ts';
import { signInContact } from '../workload/family-portal.ts';
import { nextAction } from '../workload/weighted-actions.ts';
import {
  confirmEmail,
  connectCalendar,
  connectCards,
  startReminders,
} from './confirm-email-and-connect-vendors.ts';
import { QuiesceBarrier } from './quiesce-barrier.ts';
import { RetryingClient } from './retrying-client.ts';
import { type TutorContext, VirtualUser } from './virtual-user-state.ts';

/** One tutor with several virtual users who share one account. */
export class Tutor {
  readonly expected = new ExpectedState();
  readonly barrier = new QuiesceBarrier();
  readonly users: VirtualUser[] = [];
  readonly username: string;
  readonly #environment: ChaosEnvironment;
  readonly #number: number;
  tutorId = '';
  context: TutorContext | null = null;

  constructor(environment: ChaosEnvironment, number: number) {
    this.#environment = environment;
    this.#number = number;
    this.username = `tutor${number}`;
  }

  async setUp(userCount: number): Promise<void> {
    const { maintenanceDb, results, seed } = this.#environment;
    const first = this.#createClient(0);
    await this.#signUp(first);
    const result = await withRetries(maintenanceDb, (client) =>
      client.query<{ tutor_id: string }>(
        'select tutor_id from login_directory where username = $1',
        [this.username],
      ),
    );
    this.tutorId = result.rows[0]?.tutor_id ?? '';
    const { today } = (await first.read(accounts.me, undefined)).body;
    const subject = await first.write(subjects.createSubject, {
      body: { name: 'Maths', defaultFee: 30 },
    });
    const context: TutorContext = {
      username: this.username,
      today,
      subjectId: subject.body.id,
      expected: this.expected,
      results,
      cardAccount: await this.#connectVendors(first),
      sentMessages: [],
      remindedLessons: [],
      exportRequested: false,
    };
    this.context = context;
    for (let number = 0; number < userCount; number += 1) {
      const client = number === 0 ? first : this.#createClient(number);
      if (number > 0) await this.#logIn(client);
      const random = new Random(seed + this.#number * 7_919 + number * 104_729);
      this.users.push(new VirtualUser(context, client, random, number));
    }
    const [user] = this.users as [VirtualUser];
    await first.write(portalSettings.openPortal, undefined);
    user.signedInContact = await signInContact(user, this.#environment.mailbox, () =>
      this.#createClient(userCount),
    );
  }

  /** The Google account; null for a tutor without a connected calendar. */
  get googleUser(): string | null {
    return this.#number % 2 === 1 ? `${this.username}@gmail.example` : null;
  }

  /** Half of the tutors take card payments; the others connect a Google calendar. */
  async #connectVendors(client: RetryingClient): Promise<TutorContext['cardAccount']> {
    const { mailbox, stripe, google, maintenanceDb } = this.#environment;
    await confirmEmail(client, mailbox, `${this.username}@tutors.example`);
    await startReminders(client);
    if (this.googleUser !== null) {
      await connectCalendar(client, google, this.googleUser);
      return null;
    }
    const accountId = await connectCards(client, stripe, maintenanceDb, this.tutorId);
    return { accountId, control: stripe };
  }

  /** Each virtual user runs actions until the tutor has this many acknowledged writes; `throttle` may delay an action. */
  async runActions(
    writes: number,
    isStopped: () => boolean,
    throttle: () => Promise<void>,
  ): Promise<void> {
    const { results } = this.#environment;
    const countAcknowledged = () =>
      this.users.reduce((sum, { client }) => sum + client.acknowledged, 0);
    await Promise.all(
      this.users.map(async (user) => {
        while (countAcknowledged() < writes && !isStopped()) {
          await throttle();
          await this.barrier.run(async () => void (await nextAction(user)(user)));
        }
      }),
    ).catch((error: unknown) => {
      results.reportViolation(ALWAYS_RESPONDS, `${this.username}: ${String(error)}`);
    });
  }

  #createClient(number: number): RetryingClient {
    const { servers, results, seed } = this.#environment;
    const random = new Random(seed + this.#number * 15_485_863 + number * 32_452_843);
    return new RetryingClient(servers, `${this.username}-${number}`, random, results);
  }

  async #signUp(client: RetryingClient): Promise<void> {
    const { username } = this;
    const outcome = await client.write(accounts.signup, {
      body: {
        name: `Tutor ${username}`,
        username,
        email: `${username}@tutors.example`,
        password: PASSWORD,
        timeZone: daytimeZone(),
      },
    });
    // After a lost response, the retry finds that this tutor already has the username.
    if (outcome.status !== 201 && !(outcome.status === 409 && outcome.outcomeUnknown)) {
      throw new Error(`Signing up ${username} returned ${outcome.status}`);
    }
    await this.#logIn(client);
    // Required before a family can be asked for money.
    await client.write(businessSettings.saveBusinessSettings, {
      body: {
        paymentInstructions: 'In cash at the lesson',
        dueDays: 7,
        invoicePrefix: '',
        nextInvoiceNumber: 1,
      },
    });
  }

  async #logIn(client: RetryingClient): Promise<void> {
    const outcome = await client.write(accounts.login, {
      body: { username: this.username, password: PASSWORD },
    });
    if (outcome.status !== 200)
      throw new Error(`Logging in as ${this.username} returned ${outcome.status}`);
  }
}
