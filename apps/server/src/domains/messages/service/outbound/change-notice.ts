import { firstName } from '@lessonbook/contract/first-name';
import type { ChangeNoticeInput, Channel, MessagePreview } from '@lessonbook/contract/messages';
import { type Currency, formatMoney } from '@lessonbook/contract/money';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import {
  communicatedSessions,
  messagesByIds,
  skipReplacedDrafts,
  updateMessage,
} from '../../queries/messages.ts';
import type { MessageSession } from '../../queries/sessions.ts';
import { missingAddressMessage } from '../../rules/cannot-send-texts.ts';
import type { ChangeKind } from '../../rules/find-uncommunicated-changes.ts';
import type { Reader } from '../../rules/format-dates-and-lessons.ts';
import {
  type Change,
  type ChangedSession,
  changeTemplateValues,
  type NoticeKind,
  toChange,
} from '../../rules/lesson-change-notice-text.ts';
import { DEFAULT_TEMPLATES, fillTemplate } from '../../rules/message-templates.ts';
import { addressOf, type Person } from '../../rules/recipients.ts';
import { getSettings, type Settings } from '../reminders/reminder-settings.ts';
import { createMessage } from './create-message.ts';
import { consumeEmailQuota, findRecipientProblems } from './email-quota.ts';
import {
  findNotices,
  type Notice,
  seatKey,
  slotOf,
  toCommunicated,
} from './find-pending-change-notices.ts';

interface NoticeGroup {
  kind: ChangeKind;
  person: Person;
  reader: Reader;
  familyId: number | null;
  notices: Notice[];
}

/** One message per person and kind of change, however many lessons have changed. */
const groupNotices = (notices: readonly Notice[]): NoticeGroup[] =>
  [...Map.groupBy(notices, ({ kind, person }) => `${kind} ${person.key}`).values()].map((group) => {
    const [{ kind, person, reader, familyId }] = group as [Notice];
    return { kind, person, reader, familyId, notices: group };
  });

const toRecipient = ({ person }: NoticeGroup, channel: Channel) => ({
  toName: person.name,
  channel,
  address: addressOf(person, channel),
});

export async function renderChangeNotice(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  notice: { name: string; reader: Reader; kind: NoticeKind; changes: readonly Change[] },
): Promise<{ subject: string; text: string }> {
  const { timeZone } = await getTutor(tx, tutorId);
  const tutor = await getSignature(tx, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  const change = changeTemplateValues(notice.kind, notice.changes, today, notice.reader);
  const values = { name: firstName(notice.name), tutor, ...change.values };
  const custom = settings.templates.lesson_change;
  const text = fillTemplate(custom.text || DEFAULT_TEMPLATES.lesson_change.text, values);
  return {
    subject: fillTemplate(custom.subject || DEFAULT_TEMPLATES.lesson_change.subject, values),
    text: addMissingSentences(text, change.feeSentences),
  };
}

/** Adds the sentences about the fee before the signature if a custom template does not contain them. */
function addMissingSentences(text: string, sentences: readonly string[]): string {
  const missing = sentences.filter((sentence) => !text.includes(sentence));
  if (missing.length === 0) return text;
  const paragraphs = text.split('\n\n');
  return [...paragraphs.slice(0, -1), missing.join(' '), ...paragraphs.slice(-1)].join('\n\n');
}

/** The values of a session row that a notice mentions. */
export const toChangedSession = (session: MessageSession): ChangedSession => ({
  ...session,
  cancellationFee:
    session.cancellationFee > 0
      ? formatMoney(session.cancellationFee, session.currency as Currency, 'en-GB')
      : null,
});

const renderGroup = (
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  { person, reader, kind, notices }: NoticeGroup,
) =>
  renderChangeNotice(context, tx, tutorId, settings, {
    name: person.name,
    reader,
    kind,
    changes: notices.map(({ known, session }) =>
      toChange(known, slotOf(session), toChangedSession(session)),
    ),
  });

/** Returns an empty list if all recipients have been sent the current times. */
export async function previewChangeNotice(
  context: Context,
  tutorId: string,
  input: ChangeNoticeInput,
): Promise<MessagePreview[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const settings = await getSettings(tx, tutorId);
    const previews: MessagePreview[] = [];
    const groups = groupNotices(await findNotices(tx, tutorId, settings, input));
    const recipients = new Map(groups.map((group) => [group, toRecipient(group, input.channel)]));
    const problems = await findRecipientProblems(context, tx, tutorId, [...recipients.values()]);
    for (const [group, recipient] of recipients) {
      const { address, ...to } = recipient;
      previews.push({
        ...to,
        familyId: group.familyId,
        sessionIds: [...new Set(group.notices.map(({ session }) => session.id))],
        address,
        ...(await renderGroup(context, tx, tutorId, settings, group)),
        at: null,
        problem: address ? (problems.get(recipient) ?? null) : missingAddressMessage(to),
      });
    }
    return previews;
  });
}

/** Leaves out recipients who have no address or have reported the tutor, as shown in the preview. */
export async function sendChangeNotice(
  context: Context,
  tutorId: string,
  input: ChangeNoticeInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number[]> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, () =>
      createChangeNotices(context, tx, tutorId, input),
    ),
  );
}

/**
 * Used when a family has agreed a change with the tutor. Emails the notice without asking the tutor, and returns the
 * addresses. A notice that cannot be emailed, for example because the tutor's own address is unconfirmed, stays pending.
 */
export async function sendNoticeIfPossible(
  context: Context,
  tx: Tx,
  tutorId: string,
  sessionId: number,
): Promise<string[]> {
  try {
    const input = { sessionIds: [sessionId], channel: 'email' as const };
    const ids = await createChangeNotices(context, tx, tutorId, input);
    return (await messagesByIds(tx, tutorId, ids).execute()).map(({ address }) => address);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}

async function createChangeNotices(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: ChangeNoticeInput,
): Promise<number[]> {
  const settings = await getSettings(tx, tutorId);
  const groups = groupNotices(await findNotices(tx, tutorId, settings, input));
  const hasSingleRecipient = groups.length === 1;
  const recipients = await consumeEmailQuota(
    context,
    tx,
    tutorId,
    groups.flatMap((group) => {
      const { address, ...to } = toRecipient(group, input.channel);
      return address ? [{ group, ...to, address }] : [];
    }),
  );
  const ids: number[] = [];
  for (const { group, address } of recipients) {
    const { person, familyId, notices } = group;
    const rendered = await renderGroup(context, tx, tutorId, settings, group);
    const content = {
      subject: (hasSingleRecipient && input.subject) || rendered.subject,
      text: (hasSingleRecipient && input.text) || rendered.text,
    };
    const draftId = await findReusableDraft(tx, tutorId, group, {
      channel: input.channel,
      address,
    });
    if (draftId !== null) {
      await updateMessage(tx, tutorId, draftId, content);
      ids.push(draftId);
      continue;
    }
    const lessons = notices.map(toCommunicated);
    const id = await createMessage(context, tx, tutorId, {
      dedupeKey: changeDedupeKey(
        'change',
        `${person.key} ${input.channel}`,
        notices.map(({ session, lastMessageId }) => ({ ...session, lastMessageId })),
      ),
      kind: 'lesson_change',
      channel: input.channel,
      familyId,
      toName: person.name,
      address,
      timeZone: person.timeZone,
      ...content,
      lessons,
    });
    if (id === null) continue;
    await skipReplacedDrafts(tx, tutorId, id, lessons);
    ids.push(id);
  }
  // From now on, the reminder job sends corrections if the lessons change again.
  if (ids.length > 0) await scheduleWork(tx, tutorId, REMINDERS_WORK, context.clock.now());
  return ids;
}

/** Finds an unsent draft to this address that gives the current times of the same sessions. */
async function findReusableDraft(
  tx: Tx,
  tutorId: string,
  { notices }: NoticeGroup,
  to: { channel: string; address: string },
): Promise<number | null> {
  const draft = notices[0]?.draft;
  if (!draft || draft.channel !== to.channel || draft.address !== to.address) return null;
  if (notices.some((notice) => notice.draft?.messageId !== draft.messageId)) return null;
  const lessons = await communicatedSessions(tx, tutorId, draft.messageId).execute();
  return lessons.length === notices.length ? draft.messageId : null;
}

/**
 * The key includes the last message about each session, so moving a lesson and moving it back are both sent. It is hashed
 * because a key with 500 sessions would be too long for the unique index.
 */
export function changeDedupeKey(
  prefix: string,
  recipient: string,
  sessions: readonly { rootSessionId: number; studentId: number; lastMessageId: number }[],
): string {
  const versions = sessions.map((session) => `${seatKey(session)}:${session.lastMessageId}`);
  return `${prefix} ${recipient} ${sha256(versions.toSorted().join(' ')).toString('base64url')}`;
}
