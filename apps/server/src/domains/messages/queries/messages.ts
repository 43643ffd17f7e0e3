import { sql } from 'kysely';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { linkKeyOf } from '../../../platform/payment-and-feed-link-tokens.ts';
import { limitDedupeKey } from './limit-dedupe-key-length.ts';

/** What a message says about a session. */
export interface CommunicatedSession {
  /** 'c12' for a carer, 's5' for a student. */
  recipient: string;
  sessionId: number;
  studentId: number;
  /** The first session in a chain of moves. Identifies the session even after it has been moved. */
  rootSessionId: number;
  rootPublicId: string;
  /** Null when the message says that the session will not take place. */
  communicatedStartsAt: Date | null;
  /** The time given in the message, even for a session that will not take place. */
  sessionStartsAt: Date;
  sessionEndsAt: Date;
  studentName: string;
  summary: string;
}

export interface NewMessage {
  id: number;
  dedupeKey: string;
  kind: string;
  /** The date of the lessons in a lesson reminder; null for other kinds. */
  lessonDate: string | null;
  channel: string;
  state: 'waiting' | 'draft' | 'skipped';
  automatic: boolean;
  familyId: number | null;
  toName: string;
  address: string;
  /** The recipient's time zone; null means the tutor's. */
  timeZone: string | null;
  subject: string;
  text: string;
  failureReason: string | null;
  invoiceId: number | null;
  paymentId: number | null;
  lessons: readonly CommunicatedSession[];
  now: Date;
}

/** Returns the ids of the inserted messages. A message whose dedupe key already exists is not inserted. */
export async function insertMessages(
  tx: Tx,
  tutorId: string,
  newMessages: readonly NewMessage[],
): Promise<number[]> {
  if (newMessages.length === 0) return [];
  const column = <K extends keyof NewMessage>(key: K) => newMessages.map((message) => message[key]);
  const { rows } = await sql<{ id: number }>`
    insert into messages (tutor_id, id, public_id, dedupe_key, kind, lesson_date, channel, state, automatic, family_id, to_name, address,
      time_zone, subject, text, failure_reason, invoice_id, payment_id, created_at)
    select ${tutorId}::uuid, m.id, m.public_id, m.dedupe_key, m.kind, m.lesson_date, m.channel, m.state, m.automatic, m.family_id, m.to_name,
      m.address, m.time_zone, m.subject, m.text, m.failure_reason, m.invoice_id, m.payment_id, m.created_at
    from unnest(${column('id')}::int[], ${newMessages.map(() => randomToken())}::text[],
      ${newMessages.map(({ dedupeKey }) => limitDedupeKey(dedupeKey))}::text[],
      ${column('kind')}::text[], ${column('lessonDate')}::date[], ${column('channel')}::text[], ${column('state')}::text[], ${column('automatic')}::bool[],
      ${column('familyId')}::int[], ${column('toName')}::text[], ${column('address')}::text[], ${column('timeZone')}::text[],
      ${column('subject')}::text[], ${column('text')}::text[], ${column('failureReason')}::text[],
      ${column('invoiceId')}::int[], ${column('paymentId')}::int[], ${column('now')}::timestamptz[])
      as m(id, public_id, dedupe_key, kind, lesson_date, channel, state, automatic, family_id, to_name, address, time_zone, subject, text,
        failure_reason, invoice_id, payment_id, created_at)
    on conflict (tutor_id, dedupe_key) do nothing
    returning id`.execute(tx);
  const inserted = new Set(rows.map((row) => row.id));
  await insertMessageSessions(
    tx,
    tutorId,
    newMessages
      .filter((message) => inserted.has(message.id))
      .flatMap((message) =>
        message.lessons.map((lesson) => ({ ...lesson, messageId: message.id })),
      ),
  );
  return newMessages.map((message) => message.id).filter((id) => inserted.has(id));
}

/** Returns the given dedupe keys that already have a message. */
export async function existingDedupeKeys(
  tx: Tx,
  tutorId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx
    .selectFrom('messages')
    .where('tutor_id', '=', tutorId)
    .where('dedupe_key', '=', sql<string>`any(${keys}::text[])`)
    .select('dedupe_key as key')
    .execute();
  return new Set(rows.map(({ key }) => key));
}

async function insertMessageSessions(
  tx: Tx,
  tutorId: string,
  communicated: readonly (CommunicatedSession & { messageId: number })[],
): Promise<void> {
  if (communicated.length === 0) return;
  const column = <K extends keyof CommunicatedSession>(key: K) =>
    communicated.map((each) => each[key]);
  await sql`
    insert into message_sessions (tutor_id, message_id, recipient, session_id, student_id, root_session_id, root_public_id,
      communicated_starts_at, session_starts_at, session_ends_at, student_name, summary)
    select ${tutorId}::uuid, t.* from unnest(${communicated.map((each) => each.messageId)}::int[], ${column('recipient')}::text[],
      ${column('sessionId')}::int[], ${column('studentId')}::int[], ${column('rootSessionId')}::int[], ${column('rootPublicId')}::text[],
      ${column('communicatedStartsAt')}::timestamptz[], ${column('sessionStartsAt')}::timestamptz[],
      ${column('sessionEndsAt')}::timestamptz[], ${column('studentName')}::text[], ${column('summary')}::text[]) as t`.execute(
    tx,
  );
}

export async function markSent(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('messages')
    .set({ state: 'sent', failure_reason: null, attempts: sql<number>`attempts + 1`, sent_at: now })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .execute();
}

/** Replaces the content of a message that has not been sent. */
export async function updateMessageContent(
  tx: Tx,
  tutorId: string,
  messageId: number,
  content: { subject: string; text: string },
  lessons: readonly CommunicatedSession[],
): Promise<void> {
  await updateMessage(tx, tutorId, messageId, content);
  await tx
    .deleteFrom('message_sessions')
    .where('tutor_id', '=', tutorId)
    .where('message_id', '=', messageId)
    .execute();
  await insertMessageSessions(
    tx,
    tutorId,
    lessons.map((lesson) => ({ ...lesson, messageId })),
  );
}

export const communicatedSessions = (tx: Tx, tutorId: string, messageId: number) =>
  tx
    .selectFrom('message_sessions')
    .where('tutor_id', '=', tutorId)
    .where('message_id', '=', messageId)
    .select([
      'session_id as sessionId',
      'student_id as studentId',
      'recipient',
      'root_session_id as rootSessionId',
      'root_public_id as rootPublicId',
      'communicated_starts_at as communicatedStartsAt',
      'session_starts_at as sessionStartsAt',
      'session_ends_at as sessionEndsAt',
      'student_name as studentName',
      'summary',
    ]);

export type CommunicatedSessionRecord = RowOf<ReturnType<typeof communicatedSessions>>;

/** WhatsApp reports the status only of messages sent by us. Any other WhatsApp message was marked as sent by the tutor. */
const isMarkedAsSent = sql<boolean>`(channel = 'whatsapp' and state = 'sent' and vendor_id is null)`;

/** Corrections, receipts of card payments and payment updates are recognised by their dedupe keys. */
export const isSentAutomatically = sql<boolean>`(not ${isMarkedAsSent} and (automatic
  or dedupe_key like 'corrected %' or dedupe_key like 'automatic receipt %' or dedupe_key like 'update %'))`;

export const selectMessages = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('messages')
    .where('tutor_id', '=', tutorId)
    .select([
      'id',
      'public_id as publicId',
      'dedupe_key as dedupeKey',
      'kind',
      'lesson_date as lessonDate',
      'channel',
      'state',
      'automatic',
      'family_id as familyId',
      'to_name as toName',
      'address',
      'time_zone as timeZone',
      'subject',
      'text',
      'invoice_id as invoiceId',
      'payment_id as paymentId',
      'attempts',
      'failure_reason as failureReason',
      'created_at as createdAt',
      'sent_at as sentAt',
      'vendor_id as vendorId',
      isMarkedAsSent.as('isMarkedAsSent'),
      isSentAutomatically.as('isSentAutomatically'),
      // The link to the invoice or the account; null if the message concerns neither.
      linkKeyOf(
        sql`case when messages.invoice_id is null then 'balance' else 'invoice' end`,
        sql.ref('messages.tutor_id'),
        sql`coalesce(messages.invoice_id, messages.family_id)`,
      )
        .$castTo<string | null>()
        .as('linkKey'),
    ]);

export type MessageRecord = RowOf<ReturnType<typeof selectMessages>>;

export const messageById = (tx: Tx, tutorId: string, id: number) =>
  selectMessages(tx, tutorId).where('id', '=', id);

/** The latest email with the invoice that has been sent or is waiting to be sent. */
export const latestInvoiceEmail = (tx: Tx, tutorId: string, invoiceId: number) =>
  selectMessages(tx, tutorId)
    .where('invoice_id', '=', invoiceId)
    .where('kind', '=', 'invoice')
    .where('channel', '=', 'email')
    .where('state', 'in', ['waiting', 'sent', 'delivered', 'read'])
    .orderBy('id', 'desc')
    .limit(1);

/** Messages with an attached document are sent by a separate job. */
export async function waitingMessageIds(
  tx: Tx,
  tutorId: string,
  withDocument: boolean,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('messages')
    .where('tutor_id', '=', tutorId)
    .where('state', '=', sql.lit('waiting'))
    .where('invoice_id', withDocument ? 'is not' : 'is', null)
    .select('id')
    .execute();
  return rows.map((row) => row.id);
}

export const messagesByIds = (tx: Tx, tutorId: string, ids: readonly number[]) =>
  selectMessages(tx, tutorId).where('id', '=', sql<number>`any(${ids}::int[])`).orderBy('id');

/** Skips older drafts of change notices to the same recipients about the same sessions, because they are outdated. */
export async function skipReplacedDrafts(
  tx: Tx,
  tutorId: string,
  firstNewId: number,
  lessons: readonly CommunicatedSession[],
): Promise<void> {
  await sql`
    update messages m set state = 'skipped', failure_reason = 'A newer message about the lesson has replaced this one.'
    where m.tutor_id = ${tutorId}::uuid and m.kind = 'lesson_change' and m.state = 'draft' and m.id < ${firstNewId}::int
      and exists (
        select 1 from message_sessions ms
        join unnest(${lessons.map(({ recipient }) => recipient)}::text[], ${lessons.map(({ rootSessionId }) => rootSessionId)}::int[],
            ${lessons.map(({ studentId }) => studentId)}::int[])
          as l(recipient, root_session_id, student_id)
          on l.recipient = ms.recipient and l.root_session_id = ms.root_session_id and l.student_id = ms.student_id
        where ms.tutor_id = m.tutor_id and ms.message_id = m.id)`.execute(tx);
}

export type MessageChange = Partial<{
  state: string;
  address: string;
  attempts: number;
  failure_reason: string | null;
  sent_at: Date | null;
  subject: string;
  text: string;
  vendor_id: string | null;
}>;

export async function updateMessage(
  tx: Tx,
  tutorId: string,
  id: number,
  change: MessageChange,
): Promise<void> {
  await tx
    .updateTable('messages')
    .set(change)
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}
