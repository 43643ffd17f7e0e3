import type { PlannedNotice } from '@lessonbook/contract/move-online-or-cancel-days';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { type SeatRef, seatKey } from '../../../lessons/events.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import { skipReplacedDrafts } from '../../queries/messages.ts';
import { sessionsByIds } from '../../queries/sessions.ts';
import { type NoticeKind, toChange } from '../../rules/lesson-change-notice-text.ts';
import { selectRecipients, toReader } from '../../rules/recipients.ts';
import { getSettings, type Settings } from '../reminders/reminder-settings.ts';
import { changeDedupeKey, renderChangeNotice, toChangedSession } from './change-notice.ts';
import { canSendEmail, createMessages, type OutgoingMessage } from './create-message.ts';
import { consumeAvailableQuota, consumeEmailQuota } from './email-quota.ts';
import {
  findNotices,
  loadCommunications,
  type Notice,
  seatKey as rootSeatKey,
  slotOf,
  toCommunicated,
  toExpected,
} from './find-pending-change-notices.ts';
import { chooseAddresses } from './send-to-families.ts';

/* One message for each person about everything that a single action by the tutor has changed for their own children. */

interface BulkChange {
  kind: Exclude<NoticeKind, 'moved'>;
  seats: readonly SeatRef[];
  /** A sentence written by the tutor. */
  note?: string | null | undefined;
  /** Whether to send only as many emails as the limits allow. Otherwise, exceeding the tutor's limit is an error. */
  sendsWithinQuota?: boolean;
}

type SeatNotice = Omit<Notice, 'kind'>;

interface PersonalNotice extends PlannedNotice {
  notices: SeatNotice[];
}

const UNVERIFIED_TEXT = 'Please confirm your own email address before you email families.';

export async function planBulkNotices(
  context: Context,
  tx: Tx,
  tutorId: string,
  change: BulkChange,
): Promise<PlannedNotice[]> {
  const personal = await preparePersonalNotices(context, tx, tutorId, change);
  return personal.map(({ notices: _, ...planned }) => planned);
}

/** Emails the notices or saves them as WhatsApp drafts. Returns the number of people for each outcome. */
export async function sendBulkNotices(
  context: Context,
  tx: Tx,
  tutorId: string,
  change: BulkChange,
): Promise<{ emailed: number; toSend: number; notSent: number }> {
  const personal = await preparePersonalNotices(context, tx, tutorId, change);
  const messages = personal.flatMap(({ address, problem, ...planned }) =>
    address && problem === null ? [toMessage({ ...planned, address })] : [],
  );
  const consumeQuota = change.sendsWithinQuota ? consumeAvailableQuota : consumeEmailQuota;
  const allowed = await consumeQuota(context, tx, tutorId, messages);
  const ids = await createMessages(context, tx, tutorId, allowed);
  const [firstId] = ids;
  if (firstId !== undefined) {
    const lessons = allowed.flatMap((message) => message.lessons);
    await skipReplacedDrafts(tx, tutorId, firstId, lessons);
    // From now on, the reminder job sends corrections if the lessons change.
    await scheduleWork(tx, tutorId, REMINDERS_WORK, context.clock.now());
  }
  const emailed = allowed.filter(({ channel }) => channel === 'email').length;
  return {
    emailed,
    toSend: allowed.length - emailed,
    notSent: personal.length - allowed.length,
  };
}

function toMessage({
  notices,
  address,
  ...planned
}: Omit<PersonalNotice, 'problem' | 'address'> & { address: string }) {
  const { toName, channel, familyId, subject, text } = planned;
  const [{ person }] = notices as [SeatNotice];
  return {
    dedupeKey: changeDedupeKey(
      'change',
      `${person.key} ${channel}`,
      notices.map(({ session, lastMessageId }) => ({ ...session, lastMessageId })),
    ),
    kind: 'lesson_change',
    channel,
    familyId,
    toName,
    address,
    timeZone: person.timeZone,
    subject,
    text,
    lessons: notices.map(toCommunicated),
  } satisfies OutgoingMessage;
}

async function preparePersonalNotices(
  context: Context,
  tx: Tx,
  tutorId: string,
  change: BulkChange,
): Promise<PersonalNotice[]> {
  const settings = await getSettings(tx, tutorId);
  const notices = await findSeatNotices(tx, tutorId, settings, change);
  const groups = [...Map.groupBy(notices, ({ person }) => person.key).values()];
  const canEmail = await canSendEmail(tx, tutorId);
  const people = new Map(
    groups.map(([first], index) => {
      const { name, email, phone } = (first as SeatNotice).person;
      return [index, { name, email: canEmail ? email : null, phone }];
    }),
  );
  const addresses = await chooseAddresses(context, tx, tutorId, people, 'email');
  const personal: PersonalNotice[] = [];
  for (const [index, group] of groups.entries()) {
    const [{ person, reader, familyId }] = group as [SeatNotice];
    const chosen = addresses.get(index);
    if (!chosen) continue;
    const rendered = await renderChangeNotice(context, tx, tutorId, settings, {
      name: person.name,
      reader,
      kind: change.kind,
      changes: group.map(({ known, session }) =>
        toChange(known, slotOf(session), toChangedSession(session)),
      ),
    });
    const isUnverified = !canEmail && person.email !== null && chosen.problem !== null;
    personal.push({
      ...chosen,
      problem: isUnverified ? UNVERIFIED_TEXT : chosen.problem,
      familyId,
      students: [...new Set(group.map(({ known }) => known.studentName))],
      sessionIds: [...new Set(group.map(({ session }) => session.id))],
      subject: rendered.subject,
      text: insertNote(rendered.text, change.note),
      notices: group,
    });
  }
  return personal;
}

/** Inserts the tutor's note after the greeting. */
function insertNote(text: string, note: string | null | undefined): string {
  if (!note) return text;
  const [greeting = '', ...paragraphs] = text.split('\n\n');
  return [greeting, note, ...paragraphs].join('\n\n');
}

async function findSeatNotices(
  tx: Tx,
  tutorId: string,
  settings: Settings,
  { kind, seats }: BulkChange,
): Promise<SeatNotice[]> {
  if (seats.length === 0) return [];
  const keys = new Set(seats.map(seatKey));
  const sessionIds = [...new Set(seats.map(({ sessionId }) => sessionId))];
  const isAffected = ({ session }: SeatNotice) =>
    keys.has(seatKey({ sessionId: session.id, studentId: session.studentId }));
  if (kind === 'cancelled' || kind === 'restored') {
    const pending = await findNotices(tx, tutorId, settings, { sessionIds });
    return pending.filter((notice) => notice.kind === kind && isAffected(notice));
  }
  const sessions = (await sessionsByIds(tx, tutorId, sessionIds).execute()).filter(slotOf);
  const rootIds = sessions.map(({ rootSessionId }) => rootSessionId);
  const communications = await loadCommunications(tx, tutorId, rootIds);
  const { timeZone } = await getTutor(tx, tutorId);
  return sessions
    .flatMap((session) =>
      selectRecipients(session, session.studentPreferences?.recipient ?? settings.recipient).map(
        (person) => {
          const reader = toReader(person, timeZone);
          const received = communications.get(`${rootSeatKey(session)} ${person.key}`) ?? [];
          return {
            person,
            reader,
            familyId: session.familyId,
            session,
            // The text gives the current time, even if the family was last sent a different one.
            known: toExpected(session, reader),
            wasInformed: received.length > 0,
            lastMessageId: received.at(-1)?.messageId ?? 0,
            draft: undefined,
          };
        },
      ),
    )
    .filter(isAffected);
}
