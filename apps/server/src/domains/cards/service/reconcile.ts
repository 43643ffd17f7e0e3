import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { CardAccountLost, CardsRefused, CardsUnavailable } from '../../../integrations/cards.ts';
import { claimDue, lockAgenda, settleAgenda } from '../../../platform/agenda.ts';
import { cardAccountOf } from '../queries/accounts.ts';
import { undecidedCheckouts } from '../queries/checkouts.ts';
import { CARDS, refreshAccount } from './account.ts';
import { converge } from './converge.ts';
import { providerOf } from './provider.ts';

const AT_ONCE = 20;
/** The provider repeats an event for three days; a day more, and nothing can fall between two looks. */
const LOOK_BACK_DAYS = 4;
const SOON_MS = 15 * 60_000;

/** The tutors whose turn it is, one after the other. What cannot be asked now is asked again later. */
export async function reconcileEveryone(context: Context): Promise<void> {
  const { db, clock } = context;
  if (!context.cards) return;
  for (;;) {
    const due = await db.inGlobal((tx) => claimDue(tx, CARDS, clock.now(), AT_ONCE));
    if (due.length === 0) return;
    for (const tutorId of due) await reconcile(context, tutorId);
  }
}

/** Compares the book with the provider's, and repairs it. Gives how many checkouts had to be repaired. */
export async function reconcile(context: Context, tutorId: string): Promise<number> {
  let repaired = 0;
  try {
    await refreshAccount(context, tutorId);
    for (const { accountId, sessionId } of await toCompare(context, tutorId)) {
      if (await converge(context, tutorId, accountId, sessionId)) repaired += 1;
    }
  } catch (error) {
    const passing =
      error instanceof CardsUnavailable ||
      error instanceof CardsRefused ||
      error instanceof CardAccountLost;
    if (!passing) throw error;
    context.log.warn({ err: error }, 'the card provider could not be compared with');
  }
  if (repaired > 0) context.log.warn({ repaired }, 'card payments were repaired from the provider');
  await settle(context, tutorId);
  return repaired;
}

async function toCompare(
  context: Context,
  tutorId: string,
): Promise<{ accountId: string; sessionId: string }[]> {
  const [[account], undecided] = await context.db.readTutor(tutorId, (tx) => [
    cardAccountOf(tx, tutorId),
    undecidedCheckouts(tx, tutorId),
  ]);
  const found = new Map<string, string>();
  for (const { accountId, sessionId } of undecided) {
    if (sessionId !== null) found.set(sessionId, accountId);
  }
  if (account?.accountId) {
    const { accountId } = account;
    const since = addDays(context.clock.now(), -LOOK_BACK_DAYS);
    for await (const sessionId of providerOf(context).sessionsTouchedSince(accountId, since)) {
      found.set(sessionId, accountId);
    }
  }
  return [...found].map(([sessionId, accountId]) => ({ sessionId, accountId }));
}

/** Soon again while something is undecided, otherwise tomorrow. */
async function settle(context: Context, tutorId: string): Promise<void> {
  const now = context.clock.now();
  await context.db.withTutor(tutorId, async (tx) => {
    await lockAgenda(tx, tutorId, CARDS);
    const undecided = await undecidedCheckouts(tx, tutorId).execute();
    const next = undecided.length > 0 ? new Date(now.getTime() + SOON_MS) : addDays(now, 1);
    await settleAgenda(tx, tutorId, CARDS, next);
  });
}
