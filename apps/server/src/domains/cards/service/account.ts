import { CARD_NOT_READY, type CardStatus, type DefaultMethod } from '@lessonbook/contract/cards';
import type { Context } from '../../../context.ts';
import {
  CardAccountLost,
  type CardAccountState,
  CardsRefused,
  CardsUnavailable,
} from '../../../integrations/card-provider.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import { scheduleWork } from '../../../platform/queue/tenant-schedule.ts';
import { getTutorContact } from '../../accounts/service/profile/profile.ts';
import { cardAccountProblem } from '../events.ts';
import {
  type CardAccount,
  cardAccountOf,
  ensureCardAccountRow,
  insertAccountOwner,
  updateCardAccount,
} from '../queries/accounts.ts';
import { countryOf } from '../rules/country.ts';
import { getProvider, withProviderErrors } from './provider-errors.ts';

/** The tutors whose card payments are compared with the provider's books are on the agenda under this name. */
export const CARD_RECONCILE_WORK = 'cards';

const NOT_CONNECTED: CardStatus = {
  connected: false,
  onboardingComplete: false,
  payoutsEnabled: false,
};

const toStatus = ({ canTakeCards, payoutsEnabled }: CardAccountState): CardStatus => ({
  connected: true,
  onboardingComplete: canTakeCards,
  payoutsEnabled,
});

const readAccount = async (context: Context, tutorId: string): Promise<CardAccount | undefined> => {
  const [[account]] = await context.db.tutorRead(tutorId, (tx) => [cardAccountOf(tx, tutorId)]);
  return account;
};

/** As the provider says; while it cannot be asked, as it said last. */
export async function readStatus(context: Context, tutorId: string): Promise<CardStatus> {
  const account = await readAccount(context, tutorId);
  if (!account?.accountId || !context.cards) return NOT_CONNECTED;
  try {
    const state = await refresh(context, tutorId, account, true);
    return state ? toStatus(state) : NOT_CONNECTED;
  } catch (error) {
    if (!(error instanceof CardsUnavailable || error instanceof CardsRefused)) throw error;
    return toStatus(account);
  }
}

/** Asks the provider and keeps what it says. None when the account is not ours to act for any more. */
export async function refreshAccount(
  context: Context,
  tutorId: string,
): Promise<CardAccountState | null> {
  return refresh(context, tutorId, await readAccount(context, tutorId), false);
}

async function refresh(
  context: Context,
  tutorId: string,
  account: CardAccount | undefined,
  quick: boolean,
): Promise<CardAccountState | null> {
  if (!account?.accountId) return null;
  const { accountId } = account;
  let state: CardAccountState;
  try {
    state = await getProvider(context).accountState(accountId, quick);
  } catch (error) {
    if (!(error instanceof CardAccountLost)) throw error;
    await disconnectAccount(context, tutorId, accountId);
    return null;
  }
  const { canTakeCards, payoutsEnabled } = state;
  const same = account.canTakeCards === canTakeCards && account.payoutsEnabled === payoutsEnabled;
  if (same) return state;
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const before = await cardAccountOf(tx, tutorId).executeTakeFirst();
    if (before?.accountId !== accountId) return;
    await updateCardAccount(tx, tutorId, {
      charges_enabled: canTakeCards,
      payouts_enabled: payoutsEnabled,
    });
    if (!before.canTakeCards && canTakeCards)
      await recordAudit(tx, tutorId, { act: 'cards_connected', at: context.clock.now() });
    if (before.payoutsEnabled && !payoutsEnabled) {
      const occasion = `payouts ${context.clock.now().toISOString()}`;
      const what = 'payouts stopped' as const;
      await context.events.publish(tx, cardAccountProblem, { tutorId, what, occasion });
    }
  });
  return state;
}

/** The tutor or the provider has ended it. What was paid stays in the book; nobody is asked for a card any more. */
async function disconnectAccount(
  context: Context,
  tutorId: string,
  accountId: string,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const account = await cardAccountOf(tx, tutorId).executeTakeFirst();
    if (account?.accountId !== accountId) return;
    await updateCardAccount(tx, tutorId, {
      account_id: null,
      idempotency_key: randomToken(),
      default_method: 'manual',
      charges_enabled: false,
      payouts_enabled: false,
    });
    const occasion = `lost ${accountId}`;
    await context.events.publish(tx, cardAccountProblem, {
      tutorId,
      what: 'disconnected',
      occasion,
    });
  });
}

/** Where the button leads: to onboarding until that is complete, then to the provider's own pages. */
export async function connect(context: Context, tutorId: string): Promise<{ url: string }> {
  const cards = getProvider(context);
  return withProviderErrors(async () => {
    const known = await ensureAccount(context, tutorId);
    const state = await refreshAccount(context, tutorId);
    // An account that was lost meanwhile has been let go of, and the next one is made at once.
    const accountId = state ? known : await ensureAccount(context, tutorId);
    if (state?.canTakeCards) return { url: context.config.stripe?.dashboardUrl ?? '' };
    const { origin } = context.config;
    const url = await cards.onboardingUrl(accountId, {
      refreshUrl: `${origin}/payment-methods?stripe=refresh`,
      returnUrl: `${origin}/payment-methods?stripe=success`,
    });
    return { url };
  });
}

/** Never makes a second one: both of two askers use the same key, and the first answer that is kept stands. */
async function ensureAccount(context: Context, tutorId: string): Promise<string> {
  const now = context.clock.now();
  const { prepared, contact } = await context.db.tutorTransaction(tutorId, async (tx) => ({
    prepared: await ensureCardAccountRow(tx, tutorId, now),
    contact: await getTutorContact(tx, tutorId),
  }));
  if (prepared.accountId) return prepared.accountId;
  if (contact.isDemo) {
    throw new AppError('forbidden', 'The demo cannot be connected to Stripe.');
  }
  const { email, name, timeZone } = contact;
  const made = await getProvider(context).createAccount({
    key: prepared.connectKey,
    email,
    name,
    country: countryOf(timeZone),
  });
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const current = await ensureCardAccountRow(tx, tutorId, now);
    if (current.accountId) return current.accountId;
    await updateCardAccount(tx, tutorId, { account_id: made });
    await insertAccountOwner(tx, made, tutorId);
    await scheduleWork(tx, tutorId, CARD_RECONCILE_WORK, now);
    return made;
  });
}

export async function readDefaultMethod(
  context: Context,
  tutorId: string,
): Promise<{ defaultPaymentMethod: DefaultMethod }> {
  const account = await readAccount(context, tutorId);
  return { defaultPaymentMethod: (account?.defaultMethod ?? 'manual') as DefaultMethod };
}

export async function changeDefaultMethod(
  context: Context,
  tutorId: string,
  method: DefaultMethod,
): Promise<{ defaultPaymentMethod: DefaultMethod }> {
  if (method === 'stripe') {
    const { connected, onboardingComplete } = await readStatus(context, tutorId);
    if (!connected || !onboardingComplete) throw new AppError('conflict', CARD_NOT_READY);
  }
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const account = await ensureCardAccountRow(tx, tutorId, now);
    if (method === 'stripe' && !account.accountId) throw new AppError('conflict', CARD_NOT_READY);
    await updateCardAccount(tx, tutorId, { default_method: method });
  });
  return { defaultPaymentMethod: method };
}
