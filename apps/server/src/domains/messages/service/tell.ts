import type { MessagePreview, TellInput } from '@lessonbook/contract/messages';
import { firstName } from '@lessonbook/contract/names';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { tutorOf } from '../../accounts/service/profile.ts';
import type { ToldLesson } from '../queries/messages.ts';
import { type SessionInWords, sessionsByIds } from '../queries/sessions.ts';
import { type Change, type ChangeKind, changeOf, changeValues } from '../rules/changes.ts';
import { addressOf, type Person, recipientsOf } from '../rules/recipients.ts';
import { fill, type LessonInWords, lessonLine, PROPOSALS } from '../rules/words.ts';
import { addMessage } from './add-message.ts';
import { noAddress } from './payment-reminder.ts';
import { type Settings, settingsIn } from './settings.ts';

interface Told {
  person: Person;
  familyId: number | null;
  sessions: SessionInWords[];
}

/** Each family once, however many of its lessons changed. */
function byPerson(sessions: readonly SessionInWords[], everyone: string): Told[] {
  const told = new Map<string, Told>();
  for (const session of sessions) {
    const { familyId } = session;
    for (const person of recipientsOf(session, session.own?.recipient ?? everyone)) {
      const known = told.get(person.key) ?? { person, familyId, sessions: [] };
      known.sessions.push(session);
      told.set(person.key, known);
    }
  }
  return [...told.values()];
}

/** Where a moved lesson takes place now, by the id of the session that was moved. */
type NewPlaces = ReadonlyMap<number, SessionInWords>;

async function newPlaces(tx: Tx, tutorId: string, told: readonly Told[]): Promise<NewPlaces> {
  const moved = told
    .flatMap((each) => each.sessions)
    .filter((session) => session.movedToId !== null);
  const places = await sessionsByIds(
    tx,
    tutorId,
    moved.map((session) => session.movedToId ?? 0),
  ).execute();
  return new Map(
    moved.flatMap((session) => {
      const place = places.find(({ id }) => id === session.movedToId);
      return place ? [[session.id, place] as const] : [];
    }),
  );
}

/** The template about changed lessons, filled in for one reader. */
export async function changeWords(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  reader: { name: string; kind: ChangeKind; changes: readonly Change[] },
): Promise<{ subject: string; text: string }> {
  const { name, timeZone } = await tutorOf(tx, tutorId);
  const today = dateIn(timeZone, context.clock.now());
  const values = {
    name: firstName(reader.name),
    tutor: name,
    ...changeValues(reader.kind, reader.changes, today),
  };
  const own = settings.templates.lesson_change;
  return {
    subject: fill(own.subject || PROPOSALS.lesson_change.subject, values),
    text: fill(own.text || PROPOSALS.lesson_change.text, values),
  };
}

const readerOf = (kind: ChangeKind, { person, sessions }: Told, places: NewPlaces) => ({
  name: person.name,
  kind,
  changes: sessions.map((session) => changeOf(session, places.get(session.id) ?? null)),
});

export async function previewTell(
  context: Context,
  tutorId: string,
  input: TellInput,
): Promise<MessagePreview[]> {
  return context.db.lookAtTutor(tutorId, async (tx) => {
    const settings = await settingsIn(tx, tutorId);
    const previews: MessagePreview[] = [];
    const everyone = await whomToTell(tx, tutorId, settings, input.sessionIds);
    const places = await newPlaces(tx, tutorId, everyone);
    for (const told of everyone) {
      const reader = readerOf(input.kind, told, places);
      const address = addressOf(told.person, input.channel);
      const to = { toName: told.person.name, channel: input.channel };
      previews.push({
        ...to,
        familyId: told.familyId,
        sessionIds: told.sessions.map((session) => session.id),
        address,
        ...(await changeWords(context, tx, tutorId, settings, reader)),
        at: null,
        problem: address ? null : noAddress(to),
      });
    }
    return previews;
  });
}

async function whomToTell(
  tx: Tx,
  tutorId: string,
  settings: Settings,
  sessionIds: readonly number[],
): Promise<Told[]> {
  const sessions = await sessionsByIds(tx, tutorId, sessionIds).execute();
  if (sessions.length !== new Set(sessionIds).size) {
    throw new AppError('not_found', 'Session not found');
  }
  return byPerson(sessions, settings.recipient);
}

/** Ends a cancellation, a move or time off; whoever has no address is left out, which the preview has said. */
export async function tellFamilies(
  context: Context,
  tutorId: string,
  input: TellInput,
  repeat: Repeatable | null,
): Promise<number[]> {
  const now = context.clock.now();
  return context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, now, () => tell(context, tx, tutorId, input)),
  );
}

async function tell(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: TellInput,
): Promise<number[]> {
  const settings = await settingsIn(tx, tutorId);
  const told = await whomToTell(tx, tutorId, settings, input.sessionIds);
  const places = await newPlaces(tx, tutorId, told);
  const alone = told.length === 1;
  const ids: number[] = [];
  for (const each of told) {
    const address = addressOf(each.person, input.channel);
    if (address === null) continue;
    const reader = readerOf(input.kind, each, places);
    const words = await changeWords(context, tx, tutorId, settings, reader);
    const sessionIds = each.sessions.map((session) => session.id);
    const id = await addMessage(context, tx, tutorId, {
      intent: `${input.kind} ${each.person.key} ${sessionIds.join(',')} ${input.channel}`,
      kind: 'lesson_change',
      channel: input.channel,
      familyId: each.familyId,
      toName: each.person.name,
      address,
      subject: (alone && input.subject) || words.subject,
      text: (alone && input.text) || words.text,
      lessons: each.sessions.map((session) =>
        toldOf(session, input.kind === 'moved' ? (places.get(session.id) ?? session) : null),
      ),
    });
    if (id !== null) ids.push(id);
  }
  return ids;
}

/** What a reader believes of a lesson from now on. */
export const toldOf = (
  lesson: LessonInWords & { id: number },
  takesPlace: { startsAt: Date } | null,
): ToldLesson => ({
  sessionId: lesson.id,
  toldAt: takesPlace?.startsAt ?? null,
  student: firstName(lesson.studentName),
  line: lessonLine(lesson),
});
