import type { MessagePreview } from '@lessonbook/contract/messages';
import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { claimDue, lockAgenda, settleAgenda } from '../../../platform/agenda.ts';
import type { Tx } from '../../../platform/db.ts';
import { contactIn, switchesOf, tutorOf } from '../../accounts/service/profile.ts';
import { comingBetween } from '../queries/sessions.ts';
import { suppressedAmong, suppressionOf } from '../queries/suppressions.ts';
import { approvedReminder, textOf } from '../rules/approved.ts';
import { nextMorning } from '../rules/morning.ts';
import { type PlannedReminder, planReminders } from '../rules/plan.ts';
import { addMessages } from './add-message.ts';
import { goingByThemselves } from './by-itself.ts';
import { chaseOverdue } from './chase.ts';
import { correctReaders } from './correct.ts';
import { todayFor, wordsOf } from './reminder-words.ts';
import { REMINDERS, type Settings, settingsIn } from './settings.ts';
import { freshenDrafts } from './still-true.ts';
import { toldOf } from './tell.ts';

const AT_ONCE = 50;
/** The longest lead is two days; a day more shows when to look again. */
const AHEAD_DAYS = 3;

/** Every minute: the tutors who have something due, a few at a time, each in a transaction of its own. */
export async function remindEveryone(context: Context): Promise<void> {
  const { db, clock } = context;
  for (;;) {
    const due = await db.inGlobal((tx) => claimDue(tx, REMINDERS, clock.now(), AT_ONCE));
    if (due.length === 0) return;
    for (const tutorId of due) await remindOrLog(context, tutorId);
  }
}

/** One book that cannot be read must not keep the others waiting; it comes round again. */
async function remindOrLog(context: Context, tutorId: string): Promise<void> {
  try {
    await remindFamilies(context, tutorId);
  } catch (error) {
    context.log.error({ err: error }, 'the reminders of one tutor could not be looked at');
  }
}

/** Runs as often as it likes: what was said is known by its intent. */
export async function remindFamilies(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.withTutor(tutorId, async (tx) => {
    await lockAgenda(tx, tutorId, REMINDERS);
    const settings = await settingsIn(tx, tutorId);
    if (settings.startedAt === null) return settleAgenda(tx, tutorId, REMINDERS, null);
    const { timeZone, leavingAt } = await contactIn(tx, tutorId);
    // Whoever leaves has nothing said to families any more; whoever stays after all is looked at at once.
    if (leavingAt) return settleAgenda(tx, tutorId, REMINDERS, nextMorning(timeZone, now));
    const { lessonReminders } = await switchesOf(tx, tutorId);
    const planned = lessonReminders ? await plan(tx, tutorId, settings, timeZone, now) : [];
    await goOut(
      context,
      tx,
      tutorId,
      settings,
      planned.filter((each) => each.at <= now),
    );
    await freshenDrafts(context, tx, tutorId);
    await correctReaders(context, tx, tutorId, settings);
    await chaseOverdue(context, tx, tutorId, settings);
    const next = planned.find((each) => each.at > now)?.at;
    // Beyond what was looked at there may be more, and mornings are for chasing.
    const morning = nextMorning(timeZone, now);
    await settleAgenda(tx, tutorId, REMINDERS, next && next < morning ? next : morning);
  });
}

async function plan(
  tx: Tx,
  tutorId: string,
  settings: Settings,
  timeZone: string,
  now: Date,
): Promise<PlannedReminder[]> {
  const coming = await comingBetween(tx, tutorId, now, addDays(now, AHEAD_DAYS)).execute();
  return planReminders(coming, settings, timeZone);
}

async function goOut(
  context: Context,
  tx: Tx,
  tutorId: string,
  settings: Settings,
  due: readonly PlannedReminder[],
): Promise<void> {
  if (due.length === 0) return;
  const stopped = await suppressedAmong(tx, tutorId, due);
  const today = await todayFor(context, tx, tutorId);
  await addMessages(
    context,
    tx,
    tutorId,
    due
      .filter((each) => !stopped.has(`${each.channel} ${each.address.toLowerCase()}`))
      .map(({ intent, person, channel, address, familyId, lessons }) => ({
        intent,
        kind: 'lesson_reminder' as const,
        automatic: true,
        channel,
        familyId,
        toName: person.name,
        address,
        ...wordsOf(today, settings, person, lessons),
        lessons: lessons.map((lesson) => toldOf(lesson, lesson)),
      })),
  );
}

/** What would go out in the next days: shown before the tutor presses 'Start reminders'. */
export async function firstBatch(context: Context, tutorId: string): Promise<MessagePreview[]> {
  const now = context.clock.now();
  return context.db.lookAtTutor(tutorId, async (tx) => {
    const settings = await settingsIn(tx, tutorId);
    const { timeZone } = await tutorOf(tx, tutorId);
    const previews: MessagePreview[] = [];
    if (!(await switchesOf(tx, tutorId)).lessonReminders) return previews;
    const planned = await plan(tx, tutorId, settings, timeZone, now);
    const numbers = planned.filter((each) => each.channel === 'whatsapp');
    const going = await goingByThemselves(
      context,
      tx,
      tutorId,
      numbers.map((each) => each.address),
    );
    const to = await todayFor(context, tx, tutorId);
    for (const reminder of planned) {
      const { person, channel, address, familyId, lessons, at } = reminder;
      const stopped = await suppressionOf(tx, tutorId, channel, address);
      previews.push({
        familyId,
        sessionIds: lessons.map((lesson) => lesson.id),
        toName: person.name,
        channel,
        address,
        ...wordsOf(to, settings, person, lessons),
        ...(channel === 'whatsapp' && going.has(address)
          ? { text: textOf(approvedReminder({ ...to, name: person.name }, lessons)) }
          : {}),
        at: (at > now ? at : now).toISOString(),
        problem: stopped ? (SUPPRESSED[stopped] ?? null) : null,
      });
    }
    return previews;
  });
}

const SUPPRESSED: Record<string, string> = {
  bounced: 'Mail to this address came back. Please correct it.',
  unsubscribed: 'They asked for no more reminders.',
};
