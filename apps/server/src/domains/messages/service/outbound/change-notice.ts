import { firstName } from '@lessonbook/contract/first-name';
import type { ChangeNoticeInput, MessagePreview } from '@lessonbook/contract/messages';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { type MessageSession, sessionsByIds } from '../../queries/sessions.ts';
import {
  type Change,
  type ChangeKind,
  changeTemplateValues,
  toChange,
} from '../../rules/change-text.ts';
import {
  addressOf,
  missingAddressMessage,
  type Person,
  selectRecipients,
} from '../../rules/recipients.ts';
import { DEFAULT_TEMPLATES, fillTemplate } from '../../rules/templates.ts';
import { getSettings, type Settings } from '../reminders/reminder-settings.ts';
import { createMessage, toCommunicatedSession } from './create-message.ts';
import { consumeEmailQuota } from './email-quota.ts';

interface RecipientSessions {
  person: Person;
  familyId: number | null;
  sessions: MessageSession[];
}

/** One message per person, however many lessons have changed. */
function groupByPerson(
  sessions: readonly MessageSession[],
  defaultRecipient: string,
): RecipientSessions[] {
  const recipients = new Map<string, RecipientSessions>();
  for (const session of sessions) {
    const { familyId } = session;
    for (const person of selectRecipients(
      session,
      session.studentPreferences?.recipient ?? defaultRecipient,
    )) {
      const entry = recipients.get(person.key) ?? { person, familyId, sessions: [] };
      entry.sessions.push(session);
      recipients.set(person.key, entry);
    }
  }
  return [...recipients.values()];
}

/** Replacement sessions, keyed by the id of the session that was rescheduled. */
type Replacements = ReadonlyMap<number, MessageSession>;

async function findReplacements(
  tx: Tx,
  tutorId: string,
  recipients: readonly RecipientSessions[],
): Promise<Replacements> {
  const rescheduled = recipients
    .flatMap(({ sessions }) => sessions)
    .filter((session) => session.movedToId !== null);
  const replacements = await sessionsByIds(
    tx,
    tutorId,
    rescheduled.map((session) => session.movedToId ?? 0),
  ).execute();
  return new Map(
    rescheduled.flatMap((session) => {
      const replacement = replacements.find(({ id }) => id === session.movedToId);
      return replacement ? [[session.id, replacement] as const] : [];
    }),
  );
}

export async function renderChangeNotice(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  notice: { name: string; kind: ChangeKind; changes: readonly Change[] },
): Promise<{ subject: string; text: string }> {
  const { name, timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  const values = {
    name: firstName(notice.name),
    tutor: name,
    ...changeTemplateValues(notice.kind, notice.changes, today),
  };
  const custom = settings.templates.lesson_change;
  return {
    subject: fillTemplate(custom.subject || DEFAULT_TEMPLATES.lesson_change.subject, values),
    text: fillTemplate(custom.text || DEFAULT_TEMPLATES.lesson_change.text, values),
  };
}

const toNotice = (
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
    const recipients = await findRecipients(tx, tutorId, settings, input.sessionIds);
    const replacements = await findReplacements(tx, tutorId, recipients);
    for (const recipient of recipients) {
      const notice = toNotice(input.kind, recipient, replacements);
      const address = addressOf(recipient.person, input.channel);
      const to = { toName: recipient.person.name, channel: input.channel };
      previews.push({
        ...to,
        familyId: recipient.familyId,
        sessionIds: recipient.sessions.map((session) => session.id),
        address,
        ...(await renderChangeNotice(context, tx, tutorId, settings, notice)),
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

/** Recipients without an address are left out; the preview shows this. */
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
  const hasSingleRecipient = recipients.length === 1;
  await consumeEmailQuota(
    context,
    tx,
    tutorId,
    recipients.flatMap(({ person }) => {
      const address = addressOf(person, input.channel);
      return address ? [{ toName: person.name, channel: input.channel, address }] : [];
    }),
  );
  const ids: number[] = [];
  for (const recipient of recipients) {
    const { person, familyId, sessions } = recipient;
    const address = addressOf(person, input.channel);
    if (address === null) continue;
    const notice = toNotice(input.kind, recipient, replacements);
    const content = await renderChangeNotice(context, tx, tutorId, settings, notice);
    const sessionIds = sessions.map((session) => session.id);
    const id = await createMessage(context, tx, tutorId, {
      dedupeKey: `${input.kind} ${person.key} ${sessionIds.join(',')} ${input.channel}`,
      kind: 'lesson_change',
      channel: input.channel,
      familyId,
      toName: person.name,
      address,
      subject: (hasSingleRecipient && input.subject) || content.subject,
      text: (hasSingleRecipient && input.text) || content.text,
      lessons: sessions.map((session) =>
        toCommunicatedSession(
          session,
          input.kind === 'moved' ? (replacements.get(session.id) ?? session) : null,
        ),
      ),
    });
    if (id !== null) ids.push(id);
  }
  return ids;
}
