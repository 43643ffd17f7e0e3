import { businessDetails } from '@lessonbook/contract/business';
import { plusDays } from '@lessonbook/contract/dates';
import { families } from '@lessonbook/contract/families';
import { invoices } from '@lessonbook/contract/invoices';
import { messages } from '@lessonbook/contract/messages';
import { payments } from '@lessonbook/contract/payments';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import type pg from 'pg';
import { newStudent, newSubject } from './book.ts';
import type { Answer, Browser } from './browser.ts';
import { addLesson } from './teaching.ts';

/** Words that stand for four people, in every field that is about them. */
export const STUDENT = ['quillstu', '447700911111'];
export const CARER = ['quillcar', '447700922222'];
export const SOLO = ['quillsolo', '447700933333'];
/** What every word of such a book begins with; another beginning makes the book of somebody else. */
const BEGINNING = 'quill';

async function done<T>(call: Promise<Answer<T>>): Promise<T> {
  const answer = await call;
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.error)}`);
  return answer.body;
}

/** A book with a word of theirs wherever a person can leave one. */
export async function fillBook(browser: Browser, today: string, begin = BEGINNING) {
  const Begin = begin.charAt(0).toUpperCase() + begin.slice(1);
  const subject = await newSubject(browser, { name: 'Maths' });
  const student = await newStudent(browser, {
    name: `${Begin}stu ${Begin}stu`,
    phone: '+447700911111',
    email: `${begin}stu@family.example`,
    subject: `${begin}stu maths`,
    notes: `${begin}stu is shy`,
    carerName: `${Begin}car ${Begin}car`,
    carerRelationship: `${begin}car aunt`,
    carerPhone: '+447700922222',
    carerEmail: `${begin}car@family.example`,
  });
  await newStudent(browser, {
    name: 'Lena Bystander',
    carerId: student.carerId,
    notes: `Friend of ${Begin}stu ${Begin}stu`,
  });
  const solo = await newStudent(browser, {
    name: `${Begin}solo ${Begin}solo`,
    phone: '+447700933333',
    email: `${begin}solo@family.example`,
  });
  await done(
    browser.call(businessDetails.saveBusiness, {
      body: {
        ...(await done(browser.call(businessDetails.business))),
        tradingName: `${Begin}tut Ltd`,
      },
    }),
  );
  const before = (days: number) => plusDays(today, -days);
  const teach = async (who: { id: number; name: string }, word: string, date: string) => {
    const lesson = {
      browser,
      studentId: who.id,
      subjectId: subject.id,
    };
    const { sessionId } = await addLesson(lesson, {
      title: `${who.name} - Maths`,
      date,
      place: `${word} Street 1`,
      notes: `${word} notes`,
      acceptOverlaps: true,
    });
    return sessionId;
  };
  const complete = (id: number) =>
    done(browser.call(sessions.completeSession, { params: { id }, body: {} }));
  await complete(await teach(student, `${begin}stu`, before(9)));
  await complete(await teach(solo, `${begin}solo`, before(8)));
  const called = await teach(student, `${begin}stu`, before(-5));
  await done(
    browser.call(sessions.cancelSession, {
      params: { id: called },
      body: { cancelledBy: 'student', reason: `${begin}stu is ill` },
    }),
  );
  const coming = await teach(student, `${begin}stu`, before(-6));
  await done(
    browser.call(timeOff.createTimeOff, {
      body: {
        fromDate: before(-40),
        toDate: before(-41),
        reason: `Trip with ${Begin}stu ${Begin}stu`,
      },
    }),
  );
  const familyOf = { carer: student.familyId as number, solo: solo.familyId as number };
  for (const [word, id] of [
    [`${begin}car`, familyOf.carer],
    [`${begin}solo`, familyOf.solo],
  ] as const) {
    await done(
      browser.call(families.updateFamily, {
        params: { id },
        body: { address: `${word} Road 7`, reference: word.toUpperCase() },
      }),
    );
    const [draft] = await done(
      browser.call(invoices.draftInvoice, { body: { familyId: id, from: before(30), to: today } }),
    );
    const invoice = await done(browser.call(invoices.invoice, { params: { id: draft?.id ?? 0 } }));
    await done(
      browser.call(invoices.changeInvoice, {
        params: { id: invoice.id },
        body: {
          note: `Dear ${word} ${word}`,
          dueOn: today,
          lines: [
            ...invoice.lines.map(({ chargeId }) => ({ chargeId })),
            { description: `Book for ${word} ${word}`, amount: 1200 },
          ],
        },
      }),
    );
    await done(browser.call(invoices.issueInvoices, { body: { ids: [invoice.id] } }));
    await done(
      browser.call(messages.sendInvoice, {
        params: { id: invoice.id },
        body: { channel: 'email' } as never,
      }),
    );
    const paid = await done(
      browser.call(payments.recordPayment, {
        body: {
          familyId: id,
          amount: 2000,
          currency: 'GBP',
          method: 'cash',
          date: today,
          note: `from ${word} ${word}, for ${Begin}stu ${Begin}stu`,
        },
      }),
    );
    await done(
      browser.call(payments.refundPayment, {
        params: { id: paid.id },
        body: { amount: 500, date: today, note: `back to ${word}` },
      }),
    );
    for (const channel of ['email', 'whatsapp'] as const)
      await done(browser.call(messages.sendReminder, { body: { familyId: id, channel } }));
  }
  await done(
    browser.call(messages.tell, {
      body: { kind: 'cancelled', sessionIds: [called], channel: 'email' } as never,
    }),
  );
  return { student, solo, carerId: student.carerId as number, familyOf, coming };
}

/** What the clock and vendors leave behind, written as they write it. */
export async function fillTraces(
  client: pg.Client,
  tutorId: string,
  begin = BEGINNING,
): Promise<void> {
  const Begin = begin.charAt(0).toUpperCase() + begin.slice(1);
  await client.query(
    `insert into notifications (tutor_id, id, dedupe_key, kind, text, requires_action, created_at) values
     ($1, 9001, 'claim 1', 'transfer_claimed', '${Begin}car ${Begin}car says that £20 was sent by bank transfer.', true, now()),
     ($1, 9002, 'stopped +447700933333 now', 'message_failed', '${Begin}solo wrote STOP.', true, now()),
     ($1, 9003, 'proposal 1', 'calendar_changed', 'You moved ${Begin}stu in Google.', true, now())`,
    [tutorId],
  );
  await client.query(
    `insert into suppressions (tutor_id, channel, address, reason, created_at) values
     ($1, 'email', '${begin}stu@family.example', 'bounced', now()),
     ($1, 'email', '${begin}car@family.example', 'bounced', now()),
     ($1, 'email', '${begin}solo@family.example', 'unsubscribed', now())`,
    [tutorId],
  );
  await client.query(
    `insert into whatsapp_consents (tutor_id, address, name, wording, given_at) values
     ($1, '+447700911111', '${Begin}stu', 'yes', now()), ($1, '+447700922222', '${Begin}car ${Begin}car', 'yes', now()),
     ($1, '+447700933333', '${Begin}solo', 'yes', now())`,
    [tutorId],
  );
  await client.query(
    `insert into idempotency_keys (tutor_id, key, request_hash, reply, created_at)
     values ($1, 'repeat-1234', '', '{"withTitle":"${Begin}stu ${Begin}stu - Maths"}', now())`,
    [tutorId],
  );
}
