import { accounts } from '@lessonbook/contract/accounts';
import { subjects } from '@lessonbook/contract/subjects';
import type { GoogleStandIn } from '@lessonbook/fakes/google';
import type { Mailbox } from '@lessonbook/fakes/mailbox';
import type { StripeStandIn } from '@lessonbook/fakes/stripe';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { PASSWORD } from '@lessonbook/server/src/test/tutor.ts';
import type pg from 'pg';
import { nextAct } from '../acts/all.ts';
import { looking } from '../inside.ts';
import { Journal } from '../journal.ts';
import { ANSWERED, type Tally } from '../tally.ts';
import { Client, type Street } from './client.ts';
import { Gate } from './gate.ts';
import { type Room, Seat } from './seat.ts';
import { confirmEmail, connectCalendar, connectCards, startReminders } from './settle-in.ts';

export interface House {
  street: Street;
  inside: pg.Pool;
  tally: Tally;
  seed: number;
  mailbox: Mailbox;
  stripe: StripeStandIn['control'];
  google: GoogleStandIn['control'];
}

/** One tutor with several browsers, which all write into one book. */
export class Tutor {
  readonly journal = new Journal();
  readonly gate = new Gate();
  readonly seats: Seat[] = [];
  readonly username: string;
  readonly #house: House;
  readonly #number: number;
  tutorId = '';
  room: Room | null = null;

  constructor(house: House, number: number) {
    this.#house = house;
    this.#number = number;
    this.username = `tutor${number}`;
  }

  async open(browsers: number): Promise<void> {
    const { inside, tally, seed } = this.#house;
    const first = this.#client(0);
    await this.#signUp(first);
    const found = await looking(inside, (client) =>
      client.query<{ tutor_id: string }>(
        'select tutor_id from login_directory where username = $1',
        [this.username],
      ),
    );
    this.tutorId = found.rows[0]?.tutor_id ?? '';
    const { today } = (await first.read(accounts.me, undefined)).body;
    const subject = await first.write(subjects.createSubject, {
      body: { name: 'Maths', defaultFee: 30 },
    });
    const room: Room = {
      username: this.username,
      today,
      subjectId: subject.body.id,
      journal: this.journal,
      tally,
      till: await this.#settleIn(first),
      letters: [],
      reminded: [],
      exported: false,
    };
    this.room = room;
    for (let number = 0; number < browsers; number += 1) {
      const client = number === 0 ? first : this.#client(number);
      if (number > 0) await this.#logIn(client);
      const random = new Random(seed + this.#number * 7_919 + number * 104_729);
      this.seats.push(new Seat(room, client, random, number));
    }
  }

  /** As somebody at Google; none for a tutor who has no calendar there. */
  get googleUser(): string | null {
    return this.#number % 2 === 1 ? `${this.username}@gmail.example` : null;
  }

  /** Every other tutor takes cards, the others keep a calendar at Google. */
  async #settleIn(client: Client): Promise<Room['till']> {
    const { mailbox, stripe, google, inside } = this.#house;
    await confirmEmail(client, mailbox, `${this.username}@tutors.example`);
    await startReminders(client);
    if (this.googleUser !== null) {
      await connectCalendar(client, google, this.googleUser);
      return null;
    }
    const accountId = await connectCards(client, stripe, inside, this.tutorId);
    return { accountId, control: stripe };
  }

  /** Every browser goes on until so many writes of this tutor were acknowledged; before each act it may be told to wait. */
  async work(writes: number, stopped: () => boolean, pace: () => Promise<void>): Promise<void> {
    const { tally } = this.#house;
    const done = () => this.seats.reduce((sum, { client }) => sum + client.acknowledged, 0);
    await Promise.all(
      this.seats.map(async (seat) => {
        while (done() < writes && !stopped()) {
          await pace();
          await this.gate.pass(async () => void (await nextAct(seat)(seat)));
        }
      }),
    ).catch((problem: unknown) => {
      tally.fault(ANSWERED, `${this.username}: ${String(problem)}`);
    });
  }

  #client(number: number): Client {
    const { street, tally, seed } = this.#house;
    const random = new Random(seed + this.#number * 15_485_863 + number * 32_452_843);
    return new Client(street, `${this.username}-${number}`, random, tally);
  }

  async #signUp(client: Client): Promise<void> {
    const { username } = this;
    const outcome = await client.write(accounts.signup, {
      body: {
        name: `Tutor ${username}`,
        username,
        email: `${username}@tutors.example`,
        password: PASSWORD,
        timeZone: 'Europe/London',
      },
    });
    // Asked again after a lost answer, the name is taken: by ourselves.
    if (outcome.status !== 201 && !(outcome.status === 409 && outcome.unsure)) {
      throw new Error(`Sign-up of ${username} answered ${outcome.status}`);
    }
    await this.#logIn(client);
  }

  async #logIn(client: Client): Promise<void> {
    const outcome = await client.write(accounts.login, {
      body: { username: this.username, password: PASSWORD },
    });
    if (outcome.status !== 200) throw new Error(`Login of ${this.username}: ${outcome.status}`);
  }
}
