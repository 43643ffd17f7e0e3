import { setTimeout as sleep } from 'node:timers/promises';
import { plusDays } from '@lessonbook/contract/dates';
import { lessons } from '@lessonbook/contract/lessons';
import { payments } from '@lessonbook/contract/payments';
import { Browser } from '@lessonbook/server/src/test/browser.ts';
import { newStudent, newSubject } from '@lessonbook/server/src/test/factories.ts';
import { createTutor } from '@lessonbook/server/src/test/tutor.ts';
import { waitUntil } from '@lessonbook/test-env/wait-until';

/** A lesson or payment that a tutor wrote down, known by its words. Times are the machine's, in milliseconds. */
export interface Entry {
  marker: string;
  sentAt: number;
  /** When the API said that it is written; null if no answer came. */
  ackedAt: number | null;
}

export interface Writers {
  entries: Entry[];
  browsers: Browser[];
  usernames: string[];
  /** Returns when so many more writes have been acknowledged. */
  acknowledge: (count: number) => Promise<void>;
  /** Returns when every answer is in. */
  pause: () => Promise<void>;
  resume: () => void;
  stop: () => Promise<void>;
}

/** Tutors who write without a break, each one thing after the other, and a journal of what they were told. */
export async function startWriters(url: string, tutors: number, prefix: string): Promise<Writers> {
  const journal: Entry[] = [];
  const state = { paused: false, stopped: false, busy: 0 };

  const people = await Promise.all(
    Array.from({ length: tutors }, async (_, index) => {
      const username = `${prefix}${index}`;
      const { browser } = await createTutor(
        { browser: () => new Browser(url, url) },
        { username, email: `${username}@example.com` },
      );
      const subject = await newSubject(browser);
      const student = await newStudent(browser, { name: `Student of ${username}` });
      return { browser, username, subjectId: subject.id, student };
    }),
  );

  async function write(person: (typeof people)[number], count: number): Promise<void> {
    const { browser, username, subjectId, student } = person;
    const entry: Entry = { marker: `${username} ${count}`, sentAt: Date.now(), ackedAt: null };
    journal.push(entry);
    const { status } =
      count % 2 === 0
        ? await browser.call(lessons.createLesson, {
            body: {
              studentId: student.id,
              subjectId,
              title: entry.marker,
              // Twelve a day, one after the other, so that none is in another's way.
              date: plusDays('2030-01-01', Math.floor(count / 24)),
              startTime: `${String(8 + ((count / 2) % 12)).padStart(2, '0')}:00`,
              endTime: `${String(8 + ((count / 2) % 12)).padStart(2, '0')}:45`,
              fee: 30,
            },
          })
        : await browser.call(payments.recordPayment, {
            body: {
              familyId: student.familyId as number,
              amount: 3000,
              currency: 'GBP',
              method: 'cash',
              date: '2026-11-15',
              note: entry.marker,
            },
          });
    if (status === 201) entry.ackedAt = Date.now();
    // A database that is away is the point of it; anything else would be a mistake of this file.
    else if (status < 500) throw new Error(`${entry.marker} was answered with ${status}`);
  }

  async function work(person: (typeof people)[number]): Promise<void> {
    for (let count = 0; !state.stopped; count += 1) {
      while (state.paused && !state.stopped) await sleep(5);
      if (state.stopped) return;
      state.busy += 1;
      await write(person, count)
        .catch((problem: unknown) => {
          // fetch says so when the API cannot be reached.
          if (!(problem instanceof TypeError)) throw problem;
        })
        .finally(() => {
          state.busy -= 1;
        });
    }
  }
  const working = people.map(work);

  return {
    entries: journal,
    browsers: people.map(({ browser }) => browser),
    usernames: people.map(({ username }) => username),
    async acknowledge(count) {
      const acknowledged = () => journal.filter(({ ackedAt }) => ackedAt !== null).length;
      const enough = acknowledged() + count;
      await waitUntil(
        () => acknowledged() >= enough,
        () => 'the tutors do not write',
      );
    },
    async pause() {
      state.paused = true;
      while (state.busy > 0) await sleep(5);
    },
    resume() {
      state.paused = false;
    },
    async stop() {
      state.stopped = true;
      await Promise.all(working);
    },
  };
}
