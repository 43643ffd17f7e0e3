import type { Overlap } from '@lessonbook/contract/errors';
import { formatMoney } from '@lessonbook/contract/money';
import type { Context } from '../../../context.ts';
import { bringForward, putOnAgenda } from '../../../platform/agenda.ts';
import type { Tx } from '../../../platform/db.ts';
import { openAccountIn } from '../../payments/service/open-account.ts';
import { DAY } from './day.ts';
import { notify } from './inbox.ts';
import { REMINDERS } from './settings.ts';

/** A new tutor's days are looked at from now on. */
export async function hearSignedUp(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await putOnAgenda(tx, tutorId, DAY, context.clock.now());
}

/** A lesson that was just written down may be due to be reminded of at once; one that changed may have to be corrected. */
export async function lookAgain(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await bringForward(tx, tutorId, REMINDERS, context.clock.now());
}

export async function hearTransferClaimed(
  context: Context,
  tx: Tx,
  { tutorId, familyId }: { tutorId: string; familyId: number },
): Promise<void> {
  const account = await openAccountIn(tx, tutorId, familyId);
  const owed = account.balances
    .filter((balance) => balance.owed > 0)
    .map((balance) => formatMoney(balance.owed, balance.currency, 'en-GB'));
  const amount = owed.length > 0 ? owed.join(' and ') : 'money';
  await notify(context, tx, tutorId, {
    kind: 'transfer_claimed',
    occasion: `claim ${familyId} ${context.clock.now().toISOString()}`,
    text: `${account.name} says that ${amount} was sent by bank transfer.`,
    path: `/families/${familyId}`,
    needsYou: true,
  });
}

/** The year ahead is written down by night, when nobody can be asked. */
export async function hearOverlaps(
  context: Context,
  tx: Tx,
  { tutorId, overlaps }: { tutorId: string; overlaps: Overlap[] },
): Promise<void> {
  const [first] = overlaps;
  if (!first) return;
  const { date, startTime, withTitle } = first;
  const more = overlaps.length > 1 ? ` It is not the only one: ${overlaps.length} in all.` : '';
  await notify(context, tx, tutorId, {
    kind: 'overlap_accepted',
    occasion: `overlaps ${overlaps.map((each) => `${each.date} ${each.withSessionId}`).join(' ')}`,
    text: `On ${date} a lesson at ${startTime} overlaps with ${withTitle}.${more}`,
    path: `/sessions?date=${date}`,
    needsYou: true,
  });
}
