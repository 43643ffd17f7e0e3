import { setTimeout as sleep } from 'node:timers/promises';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { lessons } from '@lessonbook/contract/lessons';
import { payments } from '@lessonbook/contract/payments';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import {
  createStudent,
  createSubject,
} from '@lessonbook/server/src/test/create-student-and-subject.ts';
import { createTutor } from '@lessonbook/server/src/test/create-tutor.ts';
import { waitUntil } from '@lessonbook/test-env/wait-until';

/** A lesson or payment, identified by its title or note. Times are in milliseconds. */
export interface JournalEntry {
  marker: string;
  sentAt: number;
  /** When the API acknowledged it; null if there was no response. */
  ackedAt: number | null;
}

export interface Writers {
  entries: JournalEntry[];
  browsers: Browser[];
  usernames: string[];
  /** Resolves once this many more writes have been acknowledged. */
  waitForAcknowledgedWrites: (count: number) => Promise<void>;
  /** Resolves when no request is in flight. */
  pause: () => Promise<void>;
  resume: () => void;
  stop: () => Promise<void>;
}

/** Starts tutors who write continuously, one request at a time each, and keeps a journal of their writes. */
export async function startWriters(url: string, tutors: number, prefix: string): Promise<Writers> {
  const journal: JournalEntry[] = [];
  const state = { paused: false, stopped: false, inFlight: 0 };

  const seededTutors = await Promise.all(
    Array.from({ length: tutors }, async (_, index) => {
      const username = `${prefix}${index}`;
      const { browser } = await createTutor(
        { browser: () => new Browser(url, url) },
        { username, email: `${username}@example.com` },
      );
      const subject = await createSubject(browser);
      const student = await createStudent(browser, { name: `Student of ${username}` });
      return { browser, username, subjectId: subject.id, student };
    }),
  );

  async function write(tutor: (typeof seededTutors)[number], count: number): Promise<void> {
    const { browser, username, subjectId, student } = tutor;
    const entry: JournalEntry = {
      marker: `${username} ${count}`,
      sentAt: Date.now(),
      ackedAt: null,
    };
    journal.push(entry);
    const { status } =
      count % 2 === 0
        ? await browser.call(lessons.createLesson, {
            body: {
              studentId: student.id,
              subjectId,
              title: entry.marker,
              // Twelve lessons a day, without overlaps.
              date: addDaysToDate('2030-01-01', Math.floor(count / 24)),
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
    // 5xx is expected while the database is down; other errors are bugs in this file.
    else if (status < 500) throw new Error(`${entry.marker} returned ${status}`);
  }

  async function writeContinuously(tutor: (typeof seededTutors)[number]): Promise<void> {
    for (let count = 0; !state.stopped; count += 1) {
      while (state.paused && !state.stopped) await sleep(5);
      if (state.stopped) return;
      state.inFlight += 1;
      await write(tutor, count)
        .catch((error: unknown) => {
          // fetch throws a TypeError when the API cannot be reached.
          if (!(error instanceof TypeError)) throw error;
        })
        .finally(() => {
          state.inFlight -= 1;
        });
    }
  }
  const workers = seededTutors.map(writeContinuously);

  return {
    entries: journal,
    browsers: seededTutors.map(({ browser }) => browser),
    usernames: seededTutors.map(({ username }) => username),
    async waitForAcknowledgedWrites(count) {
      const countAcknowledged = () => journal.filter(({ ackedAt }) => ackedAt !== null).length;
      const target = countAcknowledged() + count;
      await waitUntil(
        () => countAcknowledged() >= target,
        () => 'writes are no longer acknowledged',
      );
    },
    async pause() {
      state.paused = true;
      while (state.inFlight > 0) await sleep(5);
    },
    resume() {
      state.paused = false;
    },
    async stop() {
      state.stopped = true;
      await Promise.all(workers);
    },
  };
}
