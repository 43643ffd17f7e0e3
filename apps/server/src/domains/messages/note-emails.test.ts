import { accounts } from '@lessonbook/contract/accounts';
import { emailPreferences } from '@lessonbook/contract/email-preferences';
import { lessonNotes, type SaveNoteInput } from '@lessonbook/contract/lesson-notes';
import { messages } from '@lessonbook/contract/messages';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { portalNotes } from '@lessonbook/contract/portal-notes';
import { sessions } from '@lessonbook/contract/sessions';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { reauthenticate } from '../../test/create-tutor.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import { markStudentsAsLeft } from '../../test/mark-students-as-left.ts';
import { createSignedInFamily } from '../../test/move-request-fixture.ts';
import { addSecondContact, NO_ACCESS } from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendDueNoteEmails } from './service/outbound/send-lesson-note-emails.ts';
import { sendMessage } from './service/outbound/send-message.ts';

/* The test clock starts at noon on Monday 16 November 2026. */

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

/** Ruth is the main contact for Maya and Leo. Maya is in a group with Sam, who is from another family. The portal is open. */
async function createFamily() {
  const family = await createSignedInFamily(app);
  const { browser, maya, leo, group, own, ruthEmail } = family;
  const seats = {
    maya: { id: group.sessionId, studentId: maya.id },
    leo: { id: own.sessionId, studentId: leo.id },
    sam: { id: group.sessionId, studentId: family.sam.id },
  };
  const share = (name: keyof typeof seats, note: Partial<SaveNoteInput>) =>
    browser.call(lessonNotes.saveNote, {
      params: seats[name],
      body: { share: true, ...note },
    });
  const withdraw = (name: keyof typeof seats) =>
    browser.call(lessonNotes.withdrawNote, { params: seats[name] });
  const emails = (email = ruthEmail) =>
    app.mailbox
      .emails()
      .filter(({ to, subject }) => to.includes(email) && subject.startsWith('New note'));
  const run = async () => {
    await sendDueNoteEmails(app.context);
    await waitUntilMessagesProcessed(browser);
  };
  return { ...family, seats, share, withdraw, emails, run };
}

const setHour = async (
  { browser }: Pick<Awaited<ReturnType<typeof createFamily>>, 'browser'>,
  hour: 8 | 15 | 18 | 20 | null,
) => browser.call(portalSettings.setNoteEmailHour, { body: { hour } });

describe('the email with new notes', () => {
  test('is sent to each contact at the chosen hour, with notes about their own children only', async () => {
    const family = await createFamily();
    const { share, run, emails, tomEmail } = family;
    await share('maya', { did: 'Fractions', nextTime: 'Decimals' });
    await share('sam', { did: 'Integrals' });
    await share('leo', { homework: 'Exercise 9B', dueOn: '2026-11-25' });
    app.clock.advance({ hours: 5, minutes: 59 });
    await run();
    expect(emails()).toEqual([]);
    app.clock.advance({ minutes: 1 });
    await run();
    const [mail, ...others] = emails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('New notes for Leo and Maya');
    expect(mail?.text).toContain(
      [
        'Hi Ruth,',
        "There are new notes about Leo and Maya's lessons.",
        'Leo, Wed 18 Nov, Maths:\nHomework (for Wed 25 Nov): Exercise 9B',
        'Maya, Tue 17 Nov, Maths:\nFractions\nNext time: Decimals',
        `You can see all notes here: ${app.context.config.origin}/family`,
      ].join('\n\n'),
    );
    expect(mail?.text).not.toMatch(/Sam|Integrals|Hale/);
    expect(emails(tomEmail).map(({ subject }) => subject)).toEqual(['New note for Sam']);
    expect(emails(tomEmail)[0]?.text).not.toMatch(/Maya|Leo|Fractions/);
  });

  test('is sent once, even by concurrent runs, and the next email contains only new notes', async () => {
    const { share, run, emails } = await createFamily();
    await share('maya', { did: 'Fractions' });
    app.clock.advance({ hours: 6 });
    await Promise.all([run(), run(), run()]);
    await run();
    expect(emails()).toHaveLength(1);
    await share('leo', { did: 'Percentages' });
    await run();
    app.clock.advance({ hours: 23, minutes: 59 });
    await run();
    expect(emails()).toHaveLength(1);
    app.clock.advance({ minutes: 1 });
    await run();
    expect(emails()).toHaveLength(2);
    expect(emails()[1]?.text).toContain('Percentages');
    expect(emails()[1]?.text).not.toContain('Fractions');
    app.clock.advance({ days: 1 });
    await run();
    expect(emails()).toHaveLength(2);
  });

  test('is sent once a day even if the tutor chooses a later hour, and newer notes are sent the next day', async () => {
    const family = await createFamily();
    const { share, run, emails } = family;
    await share('maya', { did: 'Fractions' });
    await setHour(family, 15);
    app.clock.advance({ hours: 3 });
    await run();
    expect(emails()).toHaveLength(1);
    await setHour(family, 20);
    await share('leo', { did: 'Percentages' });
    app.clock.advance({ hours: 5 });
    await run();
    expect(emails()).toHaveLength(1);
    app.clock.advance({ days: 1 });
    await run();
    expect(emails()).toHaveLength(2);
  });

  test('contains the latest version, but no drafts or withdrawn notes', async () => {
    const { share, withdraw, run, emails } = await createFamily();
    await share('maya', { did: 'Fractoins' });
    await share('maya', { did: 'Fractions' });
    await share('maya', { did: 'Draft', share: false });
    await share('leo', { did: 'Percentages' });
    await withdraw('leo');
    app.clock.advance({ hours: 6 });
    await run();
    expect(emails().map(({ subject }) => subject)).toEqual(['New note for Maya']);
    expect(emails()[0]?.text).toContain('Fractions');
    expect(emails()[0]?.text).not.toMatch(/Fractoins|Draft|Percentages/);
  });

  test('leaves out withdrawn notes, and is skipped if access was removed or the address has changed', async () => {
    const { browser, share, withdraw, run, emails, ruthEmail, contacts } = await createFamily();
    await share('maya', { did: 'Fractions' });
    await share('leo', { did: 'Percentages' });
    app.clock.advance({ hours: 6 });
    await run();
    const { rows } = await app.admin.query<{ tutor_id: string; id: number }>(
      `select tutor_id, id from messages where address = $1 and kind = 'lesson_notes'`,
      [ruthEmail],
    );
    const [message] = rows as [(typeof rows)[number]];
    const sendAgain = async () => {
      await app.admin.query(
        `update messages set state = 'waiting', sent_at = null where tutor_id = $1 and id = $2`,
        [message.tutor_id, message.id],
      );
      await sendMessage(app.context, { tutorId: message.tutor_id, messageId: message.id });
      const { body } = await browser.call(messages.message, { params: { id: message.id } });
      return body.state;
    };
    await withdraw('leo');
    expect(await sendAgain()).toBe('sent');
    expect(emails()).toHaveLength(2);
    expect(emails()[1]).toMatchObject({ subject: 'New note for Maya' });
    expect(emails()[1]?.text).not.toContain('Percentages');
    const access = (seesNotes: boolean) =>
      app.admin.query('update contact_access set sees_notes = $2 where contact_id = $1', [
        contacts.ruth,
        seesNotes,
      ]);
    await access(false);
    expect(await sendAgain()).toBe('skipped');
    await access(true);
    await app.admin.query('update contacts set email = $2 where id = $1 and email = $3', [
      contacts.ruth,
      `new-${ruthEmail}`,
      ruthEmail,
    ]);
    expect(await sendAgain()).toBe('skipped');
    expect(emails()).toHaveLength(2);
  });

  test('is not sent while the portal is closed, and then contains only notes from the last week', async () => {
    const family = await createFamily();
    const { browser, share, run, emails } = family;
    await browser.call(portalSettings.closePortal);
    await share('leo', { did: 'Percentages' });
    app.clock.advance({ days: 5 });
    await share('maya', { did: 'Fractions' });
    app.clock.advance({ days: 3 });
    await run();
    expect(emails()).toEqual([]);
    await reauthenticate(browser);
    await browser.call(portalSettings.openPortal);
    app.clock.advance({ hours: 6 });
    await run();
    expect(emails().map(({ subject }) => subject)).toEqual(['New note for Maya']);
  });

  test('is not sent to a contact who has no address or is suspended, or while these emails are turned off', async () => {
    const family = await createFamily();
    const { browser, maya, contacts, share, run, emails } = family;
    const email = `second-${family.ruthEmail}`;
    const second = await addSecondContact(browser, maya.id, { email, access: { seesNotes: true } });
    await browser.call(portalSettings.suspendContact, {
      params: { id: second },
      body: { isSuspended: true },
    });
    await app.admin.query('update contacts set email = null where id = $1 and email = $2', [
      contacts.ruth,
      family.ruthEmail,
    ]);
    await share('maya', { did: 'Fractions' });
    await share('sam', { did: 'Integrals' });
    await setHour(family, null);
    app.clock.advance({ hours: 6 });
    await run();
    expect(emails(family.tomEmail)).toEqual([]);
    await setHour(family, 20);
    app.clock.advance({ hours: 2 });
    await run();
    expect([emails(family.tomEmail).length, emails(email).length, emails().length]).toEqual([
      1, 0, 0,
    ]);
  });

  test('is not sent once access to the student has ended, and the contact is not named as a reader', async () => {
    const { browser, maya, seats, share, run, emails } = await createFamily();
    await markStudentsAsLeft(browser, { studentIds: [maya.id], lastDate: '2026-11-17' });
    const readers = async () => {
      const { body } = await browser.call(lessonNotes.sessionNotes, { params: seats.maya });
      return body.students.map((student) => student.readers);
    };
    app.clock.set('2026-11-17T23:59:00Z');
    expect(await readers()).toEqual([['Ruth'], ['Tom']]);
    await share('maya', { did: 'Fractions' });
    await share('leo', { did: 'Percentages' });
    app.clock.advance({ minutes: 1 });
    expect(await readers()).toEqual([[], ['Tom']]);
    app.clock.advance({ hours: 18 });
    await run();
    expect(emails().map(({ subject }) => subject)).toEqual(['New note for Leo']);
  });

  test('does not contain notes from a completion that was undone, and the portal no longer shows them', async () => {
    const { browser, own, group, ruth, share, run, emails } = await createFamily();
    const readNotes = async () => {
      const { body } = await ruth.browser.call(portalNotes.portalNotes, {
        params: { publicId: ruth.publicId },
        query: {},
      });
      return [...body.notes.map(({ did }) => did), ...body.homework.map(({ text }) => text)];
    };
    await share('leo', { homework: '9B' });
    const complete = (id: number, did: string) =>
      browser.call(sessions.completeSessions, {
        body: { sessions: [{ id, familyNote: { did, share: true } }] },
      });
    const reopen = (withdrawNotes: boolean) =>
      browser.call(sessions.reopenSession, {
        params: { id: own.sessionId },
        body: { acceptOverlaps: true, withdrawNotes },
      });
    await complete(own.sessionId, 'Fractions');
    await complete(group.sessionId, 'Decimals');
    expect(await readNotes()).toEqual(['Fractions', 'Decimals', '9B']);
    expect((await reopen(true)).status).toBe(200);
    await browser.call(sessions.reopenSessions, { body: { ids: [group.sessionId] } });
    expect(await readNotes()).toEqual(['9B']);
    app.clock.advance({ hours: 6 });
    await run();
    expect(emails().map(({ subject }) => subject)).toEqual(['New note for Leo']);
    expect(emails()[0]?.text).toContain('9B');
    expect(emails()[0]?.text).not.toContain('Fractions');
    // Undoing a completion without a note does not withdraw the note of an earlier completion.
    await complete(own.sessionId, 'Percentages');
    await reopen(false);
    await browser.call(sessions.completeSession, { params: { id: own.sessionId }, body: {} });
    await reopen(true);
    expect(await readNotes()).toEqual(['Percentages', '9B']);
  });

  test('is retried after a failure with the corrected address, even for a contact who does not pay', async () => {
    const { browser, leo, share, run, emails } = await createFamily();
    const [wrong, right] = ['paul.typo@families.example', 'paul.right@families.example'];
    const access = { ...NO_ACCESS, seesNotes: true };
    const contactId = await addSecondContact(browser, leo.id, { email: wrong, access });
    await share('leo', { did: 'Percentages' });
    app.clock.advance({ hours: 6 });
    app.mailbox.rejectNext(550, 2);
    await run();
    const log = (await browser.call(messages.listMessages, { query: {} })).body;
    const failed = log.find(({ toName }) => toName === 'Paul Hale');
    expect(failed?.state).toBe('failed');
    await browser.call(studentContacts.updateContact, {
      params: { id: leo.id, contactId },
      body: { name: 'Paul Hale', email: right, access },
    });
    const retried = await browser.call(messages.retryMessage, { params: { id: failed?.id ?? 0 } });
    expect(retried.status).toBe(200);
    await waitUntilMessagesProcessed(browser);
    expect(emails(right).map(({ subject }) => subject)).toEqual(['New note for Leo']);
    expect(emails(wrong)).toEqual([]);
  });

  test('contains a link that stops these emails', async () => {
    const { fixture, leo, share, run, emails } = await createFamily();
    await share('maya', { did: 'Fractions' });
    app.clock.advance({ hours: 6 });
    await run();
    const token = /\/unsubscribe\/(\S+)/.exec(emails()[0]?.text ?? '')?.[1] as string;
    expect(emails()[0]?.headers).toMatchObject({
      'list-unsubscribe': expect.stringContaining(token),
    });
    const { body } = await app.browser().call(emailPreferences.saveReminderPreferences, {
      params: { token },
      body: { stoppedKinds: ['lesson_notes'] },
    });
    expect(body.stoppedKinds).toEqual(['lesson_notes']);
    const { sessionId } = await addLesson(fixture, { studentId: leo.id, date: '2026-11-20' });
    await fixture.browser.call(lessonNotes.saveNote, {
      params: { id: sessionId, studentId: leo.id },
      body: { did: 'Percentages', share: true },
    });
    app.clock.advance({ days: 1 });
    await run();
    expect(emails()).toHaveLength(1);
  });

  test("is sent at the chosen hour in the tutor's time zone", async () => {
    const { browser, share, run, emails } = await createFamily();
    await share('maya', { did: 'Fractions' });
    const { name, email } = (await browser.call(accounts.me)).body;
    await browser.call(accounts.updateMe, {
      body: { name, email, timeZone: 'Europe/Athens' },
    });
    app.clock.advance({ hours: 3, minutes: 59 });
    await run();
    expect(emails()).toEqual([]);
    app.clock.advance({ minutes: 1 });
    await run();
    expect(emails()).toHaveLength(1);
  });
});
