import type { ChangeNoticeInput, MessagePreview } from '@lessonbook/contract/messages';
import { firstName } from '@lessonbook/contract/person-name';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import { getTutor } from '../../../accounts/service/profile/profile.ts';
import type { CommunicatedSession } from '../../queries/messages.ts';
import { type MessageSession, sessionsByIds } from '../../queries/sessions.ts';
import {
  type Change,
  type ChangeKind,
  changeTemplateValues,
  toChange,
} from '../../rules/change-text.ts';
import { addressOf, type Person, recipientsOf } from '../../rules/recipients.ts';
import {
  DEFAULT_TEMPLATES,
  fillTemplate,
  formatLessonLine,
  type LessonText,
} from '../../rules/templates.ts';
import { missingAddressMessage } from '../reminders/payment-reminder.ts';
import { getSettings, type Settings } from '../reminders/reminder-settings.ts';
import { createMessage } from './create-message.ts';

interface RecipientSessions {
  person: Person;
  familyId: number | null;
  sessions: MessageSession[];
}

/** Each family once, however many of its lessons changed. */
function groupByPerson(sessions: readonly MessageSession[], everyone: string): RecipientSessions[] {
  const recipients = new Map<string, RecipientSessions>();
  for (const session of sessions) {
    const { familyId } = session;
    for (const person of recipientsOf(session, session.own?.recipient ?? everyone)) {
      const known = recipients.get(person.key) ?? { person, familyId, sessions: [] };
      known.sessions.push(session);
      recipients.set(person.key, known);
    }
  }
  return [...recipients.values()];
}

/** Where a moved lesson takes place now, by the id of the session that was moved. */
type Replacements = ReadonlyMap<number, MessageSession>;

async function findReplacements(
  tx: Tx,
  tutorId: string,
  recipients: readonly RecipientSessions[],
): Promise<Replacements> {
  const moved = recipients
    .flatMap((each) => each.sessions)
    .filter((session) => session.movedToId !== null);
  const replacements = await sessionsByIds(
    tx,
    tutorId,
    moved.map((session) => session.movedToId ?? 0),
  ).execute();
  return new Map(
    moved.flatMap((session) => {
      const place = replacements.find(({ id }) => id === session.movedToId);
      return place ? [[session.id, place] as const] : [];
    }),
  );
}

/** The template about changed lessons, filled in for one reader. */
export async function renderChangeNotice(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  reader: { name: string; kind: ChangeKind; changes: readonly Change[] },
): Promise<{ subject: string; text: string }> {
  const { name, timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  const values = {
    name: firstName(reader.name),
    tutor: name,
    ...changeTemplateValues(reader.kind, reader.changes, today),
  };
  const own = settings.templates.lesson_change;
  return {
    subject: fillTemplate(own.subject || DEFAULT_TEMPLATES.lesson_change.subject, values),
    text: fillTemplate(own.text || DEFAULT_TEMPLATES.lesson_change.text, values),
  };
}

const toReader = (
  kind: ChangeKind,
  { person, sessions }: RecipientSessions,
  replacements: Replacements,
) => ({
  name: person.name,
  kind,
  changes: sessions.map((session) => toChange(session, replacements.get(session.id) ?? null)),
});

export async function previewChangeNotice(
  context: Context,
  tutorId: string,
  input: ChangeNoticeInput,
): Promise<MessagePreview[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const settings = await getSettings(tx, tutorId);
    const previews: MessagePreview[] = [];
    const everyone = await findRecipients(tx, tutorId, settings, input.sessionIds);
    const replacements = await findReplacements(tx, tutorId, everyone);
    for (const recipients of everyone) {
      const reader = toReader(input.kind, recipients, replacements);
      const address = addressOf(recipients.person, input.channel);
      const to = { toName: recipients.person.name, channel: input.channel };
      previews.push({
        ...to,
        familyId: recipients.familyId,
        sessionIds: recipients.sessions.map((session) => session.id),
        address,
        ...(await renderChangeNotice(context, tx, tutorId, settings, reader)),
        at: null,
        problem: address ? null : missingAddressMessage(to),
      });
    }
    return previews;
  });
}

async function findRecipients(
  tx: Tx,
  tutorId: string,
  settings: Settings,
  sessionIds: readonly number[],
): Promise<RecipientSessions[]> {
  const sessions = await sessionsByIds(tx, tutorId, sessionIds).execute();
  if (sessions.length !== new Set(sessionIds).size) {
    throw new AppError('not_found', 'Session not found');
  }
  return groupByPerson(sessions, settings.recipient);
}

/** Ends a cancellation, a move or time off; whoever has no address is left out, which the preview has said. */
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

async function createChangeNotices(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: ChangeNoticeInput,
): Promise<number[]> {
  const settings = await getSettings(tx, tutorId);
  const recipients = await findRecipients(tx, tutorId, settings, input.sessionIds);
  const replacements = await findReplacements(tx, tutorId, recipients);
  const alone = recipients.length === 1;
  const ids: number[] = [];
  for (const each of recipients) {
    const address = addressOf(each.person, input.channel);
    if (address === null) continue;
    const reader = toReader(input.kind, each, replacements);
    const content = await renderChangeNotice(context, tx, tutorId, settings, reader);
    const sessionIds = each.sessions.map((session) => session.id);
    const id = await createMessage(context, tx, tutorId, {
      dedupeKey: `${input.kind} ${each.person.key} ${sessionIds.join(',')} ${input.channel}`,
      kind: 'lesson_change',
      channel: input.channel,
      familyId: each.familyId,
      toName: each.person.name,
      address,
      subject: (alone && input.subject) || content.subject,
      text: (alone && input.text) || content.text,
      lessons: each.sessions.map((session) =>
        snapshotOf(
          session,
          input.kind === 'moved' ? (replacements.get(session.id) ?? session) : null,
        ),
      ),
    });
    if (id !== null) ids.push(id);
  }
  return ids;
}

/** What a reader believes of a lesson from now on. */
export const snapshotOf = (
  lesson: LessonText & { id: number },
  takesPlaceAt: { startsAt: Date } | null,
): CommunicatedSession => ({
  sessionId: lesson.id,
  toldAt: takesPlaceAt?.startsAt ?? null,
  student: firstName(lesson.studentName),
  line: formatLessonLine(lesson),
});
