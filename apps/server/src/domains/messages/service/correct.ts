import type { Channel } from '@lessonbook/contract/messages';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { tutorOf } from '../../accounts/service/profile.ts';
import { type WrongBelief, wrongBeliefs } from '../queries/beliefs.ts';
import { type Change, type ChangeKind, span } from '../rules/changes.ts';
import { addMessage } from './add-message.ts';
import type { Settings } from './settings.ts';
import { changeWords } from './tell.ts';

const CORRECTED = 'corrected ';

/** Made by the clock like a reminder, though its words are the tutor's. */
export const isCorrection = ({ intent }: { intent: string }): boolean =>
  intent.startsWith(CORRECTED);

/**
 * Whoever was told of a lesson that is no longer so is told again, whatever the tutor does or forgets, and however the
 * lesson changed: moved, called off, deleted, or put back. Words by hand count as telling.
 */
export async function correctReaders(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
): Promise<void> {
  const wrong = await wrongBeliefs(tx, tutorId, context.clock.now()).execute();
  if (wrong.length === 0) return;
  const { timeZone } = await tutorOf(tx, tutorId);
  const letters = Map.groupBy(wrong, (each) => `${kindOf(each)} ${each.channel} ${each.address}`);
  for (const beliefs of letters.values()) {
    const [first] = beliefs as [WrongBelief];
    const kind = kindOf(first);
    const words = await changeWords(context, tx, tutorId, settings, {
      name: first.toName,
      kind,
      changes: beliefs.map((belief) => changeIn(belief, timeZone)),
    });
    const { channel, address, toName, familyId } = first;
    await addMessage(context, tx, tutorId, {
      ...words,
      intent: `${CORRECTED}${address} ${channel} ${beliefs.map(inShort).join(' ')}`,
      kind: 'lesson_change',
      channel: channel as Channel,
      familyId,
      toName,
      address,
      lessons: beliefs.map(({ sessionId, startsAt, student, line }) => ({
        sessionId,
        toldAt: startsAt,
        student,
        line,
      })),
    });
  }
}

function kindOf({ toldAt, startsAt }: WrongBelief): ChangeKind {
  if (startsAt === null) return 'cancelled';
  return toldAt === null ? 'back' : 'moved';
}

/** The same change of the same lesson is the same intent; back and forth again is another one. */
const inShort = ({ sessionId, toldAt, startsAt }: WrongBelief): string =>
  `${sessionId}:${toldAt?.getTime() ?? ''}>${startsAt?.getTime() ?? ''}`;

function changeIn(belief: WrongBelief, timeZone: string): Change {
  const { student, line, toldAt, date, startTime, endTime } = belief;
  const place =
    date === null || startTime === null || endTime === null ? null : { date, startTime, endTime };
  const said = toldAt === null ? (date ?? '') : dateIn(timeZone, toldAt);
  // 'On again' at the old time needs no second line.
  const sameTime = toldAt === null && place !== null && line.includes(span(place));
  return { student, line, date: said, now: sameTime ? null : place };
}
