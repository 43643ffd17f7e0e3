import type { Mailbox } from '@lessonbook/fakes/mailbox';
import type pg from 'pg';
import type { ChaosResults } from '../results.ts';
import type { Tutor } from '../virtual-users/tutor.ts';

export const MAIL_COMPLETE = 'mail: none missing, none for what was called off';
export const MAIL_DUPLICATES = 'mail: repeats at most kills × sends in flight';

/** What one worker may have handed over without having noted it: the side by side of its jobs. */
const IN_FLIGHT = 20;
/** As long as one attempt may take: whoever read the book before a cancellation may still be sending after it. */
const SEND_TIMEOUT_MS = 45_000;

interface MessageRow {
  message_id: string;
  kind: string;
  state: string;
  /** The worker itself says that it may have gone. */
  perhaps: boolean;
  address: string;
  subject: string;
}

export async function checkMail(
  adminDb: pg.Pool,
  results: ChaosResults,
  mailbox: Mailbox,
  tutors: readonly Tutor[],
): Promise<string[]> {
  const mails = mailbox.mails();
  const byId = Map.groupBy(mails, ({ messageId }) => messageId.replace(/^<|@.*$/g, ''));
  const { rows: messages } = await adminDb.query<MessageRow>(
    `select 'message.' || public_id as message_id, kind, state, sent_at is not null as perhaps, address, subject from messages where channel = 'email'`,
  );
  for (const { message_id: id, state, perhaps, subject } of messages) {
    const arrived = byId.has(id);
    if (state === 'sent' && !arrived)
      results.fault(MAIL_COMPLETE, `"${subject}" was sent and is not there`);
    if (state === 'waiting' || state === 'failed')
      results.fault(MAIL_COMPLETE, `"${subject}" is ${state}`);
    if (state === 'skipped' && arrived && !perhaps)
      results.fault(MAIL_COMPLETE, `"${subject}" was skipped and is there`);
  }
  const subjects = new Set(mails.map(({ subject }) => subject));
  const kinds = new Map(messages.map((message) => [message.message_id, message.kind]));
  const byAddress = Map.groupBy(mails, ({ to }) => to[0] ?? '');
  for (const { context, username } of tutors) {
    if (!context) continue;
    for (const mark of context.sentSubjects) {
      if (!subjects.has(mark))
        results.fault(MAIL_COMPLETE, `${mark} was acknowledged and did not arrive`);
    }
    for (const { address, cancelledAt } of context.remindedLessons) {
      const got = (byAddress.get(address) ?? []).map((mail) => ({
        at: new Date(mail.receivedAt).getTime(),
        kind: kinds.get(mail.messageId.replace(/^<|@.*$/g, '')),
      }));
      const reminders = got.filter(({ kind }) => kind === 'lesson_reminder');
      if (cancelledAt === null) {
        if (reminders.length === 0) results.fault(MAIL_COMPLETE, `${address} was not reminded`);
        continue;
      }
      if (reminders.some(({ at }) => at > cancelledAt + SEND_TIMEOUT_MS)) {
        results.fault(MAIL_COMPLETE, `${address} was reminded of what had been called off`);
      }
      const corrected = got.some(({ kind }) => kind === 'lesson_change');
      if (reminders.length > 0 && !corrected) {
        results.fault(
          MAIL_COMPLETE,
          `${address} was reminded and never told that it is called off`,
        );
      }
    }
    const welcome = (byAddress.get(`${username}@tutors.example`) ?? []).length;
    if (welcome === 0)
      results.fault(MAIL_COMPLETE, `${username} got no mail to confirm the address`);
  }
  return [`${mails.length} mails under ${byId.size} Message-IDs`];
}

/** Between taking a letter and noting it lies a moment in which worker, database or connection may die. */
export function checkDuplicateMail(
  results: ChaosResults,
  mailbox: Mailbox,
  kills: { worker: number; postgres: number },
  dropped: number,
): string {
  const mails = mailbox.mails();
  const repeats = mails.length - new Set(mails.map(({ messageId }) => messageId)).size;
  const bound = (kills.worker + kills.postgres) * IN_FLIGHT + dropped;
  if (repeats > bound) results.fault(MAIL_DUPLICATES, `${repeats}, at most ${bound}`);
  return `${repeats} mails came twice (at most ${bound}: ${kills.worker} kills of a worker and ${kills.postgres} of PostgreSQL, ${IN_FLIGHT} sends in flight, ${dropped} taken without an answer)`;
}
