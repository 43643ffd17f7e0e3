import pg from 'pg';
import { insertLogin } from '../../domains/accounts/queries/logins.ts';
import { insertTutor } from '../../domains/accounts/queries/tutor-accounts.ts';
import { setOnlyPayer } from '../../domains/payments/service/payers.ts';
import { insertStudent } from '../../domains/students/queries/students.ts';
import {
  getOrCreateOwnContact,
  linkMainContact,
} from '../../domains/students/service/carers-and-contact-records.ts';
import { insertSubject } from '../../domains/subjects/queries.ts';
import { randomToken, sha256 } from '../../platform/crypto/tokens.ts';
import { uuidV7 } from '../../platform/db/uuid.ts';
import type { Browser } from '../browser-client.ts';
import type { TestApp } from '../test-app.ts';

export interface InsertedTutorFixture {
  tutorId: string;
  browser: Browser;
  studentIds: number[];
  subjectIds: number[];
  /** Returns another browser with the same login. */
  newBrowser: () => Browser;
}

let count = 0;

/** Later than any time that a test sets the clock to. */
const FAR_FUTURE = new Date('2100-01-01T00:00:00Z');

/**
 * Creates a signed-in tutor with students and subjects. The rows are inserted directly, without password hashing or email,
 * because the tests need hundreds of tutors. Everything after that goes over HTTP.
 */
export async function insertTutorFixture(
  app: TestApp,
  timeZone: string,
  studentCount = 2,
): Promise<InsertedTutorFixture> {
  const studentIds = Array.from({ length: studentCount }, (_, index) => index + 1);
  count += 1;
  const name = `model${count}`;
  const now = app.clock.now();
  const tutorId = uuidV7(now);
  const token = randomToken(32);
  await app.context.db.newTutorTransaction(tutorId, async (tx) => {
    await insertTutor(tx, {
      tutorId,
      publicId: randomToken(),
      name: 'Ada Fenwick',
      timeZone,
      trialEndsAt: FAR_FUTURE,
      username: name,
      usernameKey: name,
      email: `${name}@example.com`,
      emailKey: `${name}@example.com`,
      passwordHash: 'not a valid hash',
      now,
    });
    await insertLogin(tx, {
      tokenHash: sha256(token),
      tutorId,
      publicId: randomToken(),
      userAgent: 'model',
      now: FAR_FUTURE,
      expiresAt: new Date('2101-01-01T00:00:00Z'),
    });
    // A connection, so that lessons can use Google Meet. No sync is scheduled, because one is already due.
    await tx
      .insertInto('calendar_connections')
      .values({
        tutor_id: tutorId,
        encrypted_token: 'model',
        synced_from: now,
        connected_at: now,
        due_at: new Date(0),
      })
      .execute();
    // Does not use the id sequence. Tests that add their own students pass a studentCount of 0.
    for (const id of studentIds) {
      const emptyFields = {
        phone: null,
        email: null,
        subject: null,
        notes: null,
        school: null,
        schoolYear: null,
        termCalendarId: null,
        travelFee: null,
      };
      const student = { id, name: `Student ${id}`, ...emptyFields };
      const contactId = await getOrCreateOwnContact(tx, tutorId, student, now);
      await insertStudent(tx, tutorId, { ...student, publicId: randomToken(), contactId, now });
      await linkMainContact(tx, tutorId, id, { contactId, previousId: null });
      await setOnlyPayer(tx, tutorId, id, contactId, now);
    }
    for (const id of [1, 2]) {
      const subjectFields = {
        description: null,
        defaultFee: 3000,
        currency: 'GBP',
        color: 'pine',
      } as const;
      await insertSubject(tx, tutorId, { id, name: `Subject ${id}`, ...subjectFields }, now);
    }
  });
  const newBrowser = () => {
    const browser = app.browser();
    browser.cookies.set(app.context.config.cookie.name, token);
    return browser;
  };
  return {
    tutorId,
    browser: newBrowser(),
    newBrowser,
    studentIds,
    subjectIds: [1, 2],
  };
}

/** Connects with the maintenance role, which bypasses row-level security. */
export async function connectAsMaintenance(app: TestApp): Promise<pg.Client> {
  const client = new pg.Client(app.urls.maintenanceUrl);
  // Returns DATE columns as text.
  client.setTypeParser(1082, (text: string) => text);
  await client.connect();
  return client;
}
