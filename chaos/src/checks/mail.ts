import type { Mailbox } from '@lessonbook/fakes/mailbox';
import type pg from 'pg';
import type { ChaosResults } from '../results.ts';
import type { Tutor } from '../virtual-users/tutor-with-several-browsers.ts';

export const MAIL_COMPLETE = 'mail: none missing, none for cancelled lessons';
export const MAIL_DUPLICATES = 'mail: at most kills × sends in flight duplicates';

/** How many emails one worker may have sent but not yet recorded: its job concurrency. */
const SENDS_IN_FLIGHT = 20;
/** Maximum duration of one attempt: a send that started before a cancellation may end after it. */
const SEND_TIMEOUT_MS = 45_000;

interface MessageRow {
  message_id: string;
  kind: string;
  state: string;
  /** The worker has recorded an attempt, so the email may have arrived. */
  maybe_sent: boolean;
  address: string;
  subject: string;
}

type ReceivedMail = ReturnType<Mailbox['emails']>[number];

const toMessageId = ({ messageId }: ReceivedMail): string => messageId.replace(/^<|@.*$/g, '');

/** What the family of one of tomorrow's lessons has not received; null if nothing is missing. */
function describeMissingMail(
  cancelledAt: number | null,
  receivedKinds: readonly (string | undefined)[],
): string | null {
  const isReminded = receivedKinds.includes('lesson_reminder');
  if (cancelledAt === null) return isReminded ? null : 'no reminder';
  // A notice without a reminder is fine: an attempt to send the reminder was cut off, and the worker could not know
  // whether it had succeeded.
  return isReminded && !receivedKinds.includes('lesson_change')
    ? 'a reminder but no notice of the cancellation'
    : null;
}

/** Describes what families have not yet received about tomorrow's lessons. */
export async function findPendingReminders(
  maintenanceDb: pg.Pool,
  mailbox: Mailbox,
  tutors: readonly Tutor[],
): Promise<string[]> {
  const { rows } = await maintenanceDb.query<Pick<MessageRow, 'message_id' | 'kind'>>(
    `select 'message.' || public_id as message_id, kind from messages where channel = 'email'`,
  );
  const kinds = new Map(rows.map((row) => [row.message_id, row.kind]));
  const byAddress = Map.groupBy(mailbox.emails(), ({ to }) => to[0] ?? '');
  return tutors
    .flatMap(({ context }) => context?.remindedLessons ?? [])
    .flatMap(({ address, cancelledAt }) => {
      const received = (byAddress.get(address) ?? []).map((mail) => kinds.get(toMessageId(mail)));
      const missing = describeMissingMail(cancelledAt, received);
      return missing === null ? [] : [`${address} got ${missing}`];
    });
}

export async function checkMail(
  maintenanceDb: pg.Pool,
  results: ChaosResults,
  mailbox: Mailbox,
  tutors: readonly Tutor[],
): Promise<string[]> {
  const emails = mailbox.emails();
  const byId = Map.groupBy(emails, toMessageId);
  const { rows: messages } = await maintenanceDb.query<MessageRow>(
    `select 'message.' || public_id as message_id, kind, state, sent_at is not null as maybe_sent, address, subject from messages where channel = 'email'`,
  );
  for (const { message_id: id, state, maybe_sent: maybeSent, subject } of messages) {
    const arrived = byId.has(id);
    if (state === 'sent' && !arrived)
      results.reportViolation(MAIL_COMPLETE, `"${subject}" was sent but did not arrive`);
    if (state === 'waiting' || state === 'failed')
      results.reportViolation(MAIL_COMPLETE, `"${subject}" is ${state}`);
    if (state === 'skipped' && arrived && !maybeSent)
      results.reportViolation(MAIL_COMPLETE, `"${subject}" was skipped but arrived`);
  }
  const subjects = new Set(emails.map(({ subject }) => subject));
  const skippedSubjects = new Set(
    messages.filter(({ state }) => state === 'skipped').map(({ subject }) => subject),
  );
  const kinds = new Map(messages.map((message) => [message.message_id, message.kind]));
  const kindOf = (mail: ReceivedMail) => kinds.get(toMessageId(mail));
  const byAddress = Map.groupBy(emails, ({ to }) => to[0] ?? '');
  for (const { context, username } of tutors) {
    if (!context) continue;
    for (const { subject, session } of context.sentMessages) {
      // A retry is skipped if the lesson has changed since.
      const isOutdated = session?.mayHaveSkippedNotice && skippedSubjects.has(subject);
      if (!subjects.has(subject) && !isOutdated)
        results.reportViolation(MAIL_COMPLETE, `${subject} was acknowledged but did not arrive`);
    }
    for (const { address, cancelledAt } of context.remindedLessons) {
      const received = byAddress.get(address) ?? [];
      const missing = describeMissingMail(cancelledAt, received.map(kindOf));
      if (missing) results.reportViolation(MAIL_COMPLETE, `${address} got ${missing}`);
      const isLate = (mail: ReceivedMail) =>
        cancelledAt !== null &&
        kindOf(mail) === 'lesson_reminder' &&
        new Date(mail.receivedAt).getTime() > cancelledAt + SEND_TIMEOUT_MS;
      if (received.some(isLate))
        results.reportViolation(MAIL_COMPLETE, `${address} got a reminder for a cancelled lesson`);
    }
    const confirmations = (byAddress.get(`${username}@tutors.example`) ?? []).length;
    if (confirmations === 0)
      results.reportViolation(MAIL_COMPLETE, `${username} got no email to confirm the address`);
  }
  return [`${emails.length} emails with ${byId.size} different Message-IDs`];
}

/** An email is sent twice if the worker, the database or the connection dies between sending and recording it. */
export function checkDuplicateMail(
  results: ChaosResults,
  mailbox: Mailbox,
  kills: { worker: number; postgres: number },
  dropped: number,
): string {
  const emails = mailbox.emails();
  const duplicates = emails.length - new Set(emails.map(({ messageId }) => messageId)).size;
  const limit = (kills.worker + kills.postgres) * SENDS_IN_FLIGHT + dropped;
  if (duplicates > limit)
    results.reportViolation(MAIL_DUPLICATES, `${duplicates}, expected at most ${limit}`);
  return `${duplicates} duplicate emails (at most ${limit}: ${kills.worker} worker kills and ${kills.postgres} PostgreSQL kills with ${SENDS_IN_FLIGHT} sends in flight each, and ${dropped} emails accepted without a reply)`;
}
