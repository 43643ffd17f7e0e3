import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { lessonNotes } from '@lessonbook/contract/lesson-notes';
import { portalDetails } from '@lessonbook/contract/portal-contact-details';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { reauthenticate } from '../../test/create-tutor.ts';
import { findTextInTables } from '../../test/database-canaries.ts';
import { createSignedInFamily, signInPerson } from '../../test/move-request-fixture.ts';
import { addSecondContact } from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { waitUntilQueueIdle } from '../../test/wait-for-queue-and-control-retries.ts';
import { waitUntilMessagesProcessed } from '../../test/wait-until-messages-processed.ts';
import { sendDueNoteEmails } from '../messages/service/outbound/send-lesson-note-emails.ts';
import { deleteExpiredRecords } from '../portal/service/sign-in.ts';

let app: TestApp;
let client: pg.Client;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  client = new pg.Client(app.urls.maintenanceUrl);
  await client.connect();
});
afterEach(() => app.restartClock());
afterAll(async () => {
  await client.end();
  await app.close();
});

const OLD = { email: 'quillold@families.example', phone: '+447700900801' };
const NEW = { email: 'quillnew@families.example', phone: '+447700900802' };

const count = async (table: string, where: string, values: readonly string[]) =>
  (await client.query(`select 1 from ${table} where ${where}`, [...values])).rowCount;

/** Paul, who does not pay, has been emailed notes, has stopped these emails and has agreed to WhatsApp messages. */
async function createPaul() {
  const family = await createSignedInFamily(app);
  const { browser: tutor, leo, seat } = family;
  const paulId = await addSecondContact(tutor, leo.id, {
    email: OLD.email,
    access: { seesNotes: true },
  });
  const { browser, publicId } = await signInPerson(app, OLD.email);
  const params = { publicId };
  const changePhone = (phone: string) =>
    browser.call(portalDetails.changePortalPhone, { params, body: { phone } });
  await changePhone(OLD.phone);
  await tutor.call(lessonNotes.saveNote, {
    params: { id: seat.sessionId, studentId: leo.id },
    body: { did: 'Fractions', share: true },
  });
  app.clock.advance({ hours: 6 });
  await sendDueNoteEmails(app.context);
  await waitUntilMessagesProcessed(tutor);
  await browser.call(portalDetails.setPortalReminder, {
    params,
    body: { kind: 'lesson_notes', isOn: false },
  });
  await client.query(
    `insert into whatsapp_consents (tutor_id, address, name, wording, given_at)
     select tutor_id, phone, name, 'yes', now() from contacts where phone = $1`,
    [OLD.phone],
  );
  const changeEmail = async () => {
    const codeEmails = () => app.mailbox.emails().filter(({ to }) => to.includes(NEW.email));
    const before = codeEmails().length;
    const body = { email: NEW.email };
    const requested = await browser.call(portalDetails.requestPortalEmailCode, { params, body });
    await app.mailbox.waitFor(() => codeEmails().length > before);
    const code = codeEmails().at(-1)?.subject.slice(0, 6) ?? '';
    return browser.call(portalDetails.changePortalEmail, {
      params,
      body: { requestId: requested.body.requestId, code },
    });
  };
  return { ...family, tutor, paulId, changeEmail, changePhone };
}

test('erasing a person also erases the addresses they replaced in the portal', async () => {
  const { tutor, paulId, changeEmail, changePhone } = await createPaul();
  expect(await count('messages', 'address = $1 and family_id is null', [OLD.email])).toBe(1);

  expect([(await changeEmail()).status, (await changePhone(NEW.phone)).status]).toEqual([200, 200]);
  for (const [email, stopped] of [
    [OLD.email, 0],
    [NEW.email, 1],
  ] as const)
    expect(await count('reminder_opt_outs', 'address = $1', [email]), email).toBe(stopped);
  const endedCondition = 'address = $1 and ended_at is not null';
  expect(await count('whatsapp_consents', endedCondition, [OLD.phone])).toBe(1);

  await reauthenticate(tutor);
  const body = { kind: 'carer' as const, id: paulId, name: 'Paul Hale' };
  expect((await tutor.call(privacy.erasePerson, { body })).status).toBe(200);
  await waitUntilQueueIdle(app.admin);
  app.clock.advance({ days: 3 });
  await deleteExpiredRecords(app.context);
  const texts = [OLD.email, NEW.email, OLD.phone, NEW.phone, 'Paul'];
  expect(await findTextInTables(client, texts)).toEqual([]);
});

test('opt-outs and consent for an address are kept if someone else still uses it', async () => {
  const { contacts, ruthEmail, paulId, changeEmail, changePhone } = await createPaul();
  await client.query('update contacts set phone = $2 where id = $1 and email = $3', [
    contacts.ruth,
    OLD.phone,
    ruthEmail,
  ]);
  await client.query(
    `update students s set email = $2 from contacts c where c.tutor_id = s.tutor_id and c.id = $1 and c.email = $2`,
    [paulId, OLD.email],
  );
  expect([(await changeEmail()).status, (await changePhone(NEW.phone)).status]).toEqual([200, 200]);
  expect(await count('reminder_opt_outs', 'address = $1', [OLD.email])).toBe(1);
  expect(await count('whatsapp_consents', 'address = $1 and ended_at is null', [OLD.phone])).toBe(
    1,
  );
});
