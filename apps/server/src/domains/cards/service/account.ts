import {
  type DefaultMethod,
  STRIPE_NOT_READY_MESSAGE,
  type StripeConnectStatus,
} from '@lessonbook/contract/card-payments';
import type { Context } from '../../../context.ts';
import {
  CardAccountAccessError,
  type CardAccountState,
  CardProviderUnavailableError,
  CardRequestRejectedError,
} from '../../../integrations/card-provider.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { scheduleWork } from '../../../platform/queue/tenant-schedule.ts';
import { notifyOwner } from '../../accounts/service/email/security-email.ts';
import { getTutorContact } from '../../accounts/service/profile/read-tutor.ts';
import { cardAccountProblem } from '../events.ts';
import { CARD_RECONCILE_WORK } from '../job-types.ts';
import {
  type CardAccount,
  cardAccountByTutor,
  ensureCardAccountRow,
  updateCardAccount,
} from '../queries/accounts.ts';
import { insertAccountOwner } from '../queries/stripe-account-owners.ts';
import { countryForTimeZone } from '../rules/country-for-time-zone.ts';
import { getProvider, withProviderErrors } from './provider-errors.ts';

const NOT_CONNECTED: StripeConnectStatus = {
  connected: false,
  onboardingComplete: false,
  payoutsEnabled: false,
};

const toStatus = ({ canTakeCards, payoutsEnabled }: CardAccountState): StripeConnectStatus => ({
  connected: true,
  onboardingComplete: canTakeCards,
  payoutsEnabled,
});

const readAccount = async (context: Context, tutorId: string): Promise<CardAccount | undefined> => {
  const [[account]] = await context.db.tutorRead(tutorId, (tx) => [
    cardAccountByTutor(tx, tutorId),
  ]);
  return account;
};

/** Reads the status from the provider, or returns the last known status if the provider is unavailable. */
export async function readStatus(context: Context, tutorId: string): Promise<StripeConnectStatus> {
  const account = await readAccount(context, tutorId);
  if (!account?.accountId || !context.cards) return NOT_CONNECTED;
  try {
    const state = await refreshFromProvider(context, tutorId, account, true);
    return state ? toStatus(state) : NOT_CONNECTED;
  } catch (error) {
    if (
      !(error instanceof CardProviderUnavailableError || error instanceof CardRequestRejectedError)
    )
      throw error;
    return toStatus(account);
  }
}

/** Reads the account from the provider and stores its state. Returns null if we no longer have access to it. */
export async function refreshAccount(
  context: Context,
  tutorId: string,
): Promise<CardAccountState | null> {
  return refreshFromProvider(context, tutorId, await readAccount(context, tutorId), false);
}

async function refreshFromProvider(
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
    if (!(error instanceof CardAccountAccessError)) throw error;
    await disconnectAccount(context, tutorId, accountId);
    return null;
  }
  const { canTakeCards, payoutsEnabled } = state;
  const isUnchanged =
    account.canTakeCards === canTakeCards && account.payoutsEnabled === payoutsEnabled;
  if (isUnchanged) return state;
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const before = await cardAccountByTutor(tx, tutorId).executeTakeFirst();
    if (before?.accountId !== accountId) return;
    await updateCardAccount(tx, tutorId, {
      charges_enabled: canTakeCards,
      payouts_enabled: payoutsEnabled,
    });
    if (!before.canTakeCards && canTakeCards) {
      await recordAudit(tx, tutorId, { action: 'cards_connected', at: context.clock.now() });
      await notifyOwner(context, tx, tutorId, 'cards-connected');
    }
    if (before.payoutsEnabled && !payoutsEnabled) {
      const dedupeKey = `payouts ${context.clock.now().toISOString()}`;
      const problem = 'payouts stopped' as const;
      await context.events.publish(tx, cardAccountProblem, { tutorId, problem, dedupeKey });
    }
  });
  return state;
}

/** Called once access has been revoked. Recorded payments are kept; families can no longer pay by card. */
async function disconnectAccount(
  context: Context,
  tutorId: string,
  accountId: string,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const account = await cardAccountByTutor(tx, tutorId).executeTakeFirst();
    if (account?.accountId !== accountId) return;
    await updateCardAccount(tx, tutorId, {
      account_id: null,
      idempotency_key: randomToken(),
      default_method: 'manual',
      charges_enabled: false,
      payouts_enabled: false,
    });
    const dedupeKey = `lost ${accountId}`;
    await context.events.publish(tx, cardAccountProblem, {
      tutorId,
      problem: 'disconnected',
      dedupeKey,
    });
  });
}

/** Returns the onboarding URL until onboarding is complete, then the provider's dashboard. */
export async function connect(context: Context, tutorId: string): Promise<{ url: string }> {
  const cards = getProvider(context);
  return withProviderErrors(async () => {
    const existingId = await ensureAccount(context, tutorId);
    const state = await refreshAccount(context, tutorId);
    // If we lost access to the account, refreshAccount has removed it, so create another.
    const accountId = state ? existingId : await ensureAccount(context, tutorId);
    if (state?.canTakeCards) return { url: context.config.stripe?.dashboardUrl ?? '' };
    const { origin } = context.config;
    const url = await cards.onboardingUrl(accountId, {
      refreshUrl: `${origin}/payment-methods?stripe=refresh`,
      returnUrl: `${origin}/payment-methods?stripe=success`,
    });
    return { url };
  });
}

/** Never creates a second account: concurrent requests use the same idempotency key, and the first stored id wins. */
async function ensureAccount(context: Context, tutorId: string): Promise<string> {
  const now = context.clock.now();
  const { row, contact } = await context.db.tutorTransaction(tutorId, async (tx) => ({
    row: await ensureCardAccountRow(tx, tutorId, now),
    contact: await getTutorContact(tx, tutorId),
  }));
  if (row.accountId) return row.accountId;
  if (contact.isDemo) {
    throw new AppError('forbidden', "The demo can't be connected to Stripe.");
  }
  const { email, name, timeZone } = contact;
  const accountId = await getProvider(context).createAccount({
    key: row.connectKey,
    email,
    name,
    country: countryForTimeZone(timeZone),
  });
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const current = await ensureCardAccountRow(tx, tutorId, now);
    if (current.accountId) return current.accountId;
    await updateCardAccount(tx, tutorId, { account_id: accountId });
    await insertAccountOwner(tx, accountId, tutorId);
    await scheduleWork(tx, tutorId, CARD_RECONCILE_WORK, now);
    return accountId;
  });
}

interface PaymentMethodSettings {
  defaultPaymentMethod: DefaultMethod;
  sendsReceipts: boolean;
}

const toMethodSettings = (
  account: Pick<CardAccount, 'defaultMethod' | 'sendsReceipts'> | undefined,
): PaymentMethodSettings => ({
  defaultPaymentMethod: (account?.defaultMethod ?? 'manual') as DefaultMethod,
  sendsReceipts: account?.sendsReceipts ?? true,
});

export const readDefaultMethod = async (
  context: Context,
  tutorId: string,
): Promise<PaymentMethodSettings> => toMethodSettings(await readAccount(context, tutorId));

/** Whether payers are emailed a receipt for each card payment. */
export const areReceiptsEnabled = async (tx: Tx, tutorId: string): Promise<boolean> =>
  toMethodSettings(await cardAccountByTutor(tx, tutorId).executeTakeFirst()).sendsReceipts;

export async function changeDefaultMethod(
  context: Context,
  tutorId: string,
  {
    paymentMethod,
    sendsReceipts,
  }: { paymentMethod: DefaultMethod; sendsReceipts?: boolean | undefined },
): Promise<PaymentMethodSettings> {
  if (paymentMethod === 'stripe') {
    const { connected, onboardingComplete } = await readStatus(context, tutorId);
    if (!connected || !onboardingComplete) throw new AppError('conflict', STRIPE_NOT_READY_MESSAGE);
  }
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const account = await ensureCardAccountRow(tx, tutorId, now);
    const isReady = account.accountId !== null && account.canTakeCards;
    if (paymentMethod === 'stripe' && !isReady) {
      throw new AppError('conflict', STRIPE_NOT_READY_MESSAGE);
    }
    const receipts = sendsReceipts ?? account.sendsReceipts;
    await updateCardAccount(tx, tutorId, {
      default_method: paymentMethod,
      sends_receipts: receipts,
    });
    return toMethodSettings({ defaultMethod: paymentMethod, sendsReceipts: receipts });
  });
}
