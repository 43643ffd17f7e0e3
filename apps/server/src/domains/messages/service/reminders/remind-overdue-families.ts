import {
  type FamilyResult,
  MAX_RECIPIENTS,
  type OverdueReminder,
} from '@lessonbook/contract/bulk-messages';
import { NO_PAYMENT_METHOD_MESSAGE } from '@lessonbook/contract/messages';
import type { Currency } from '@lessonbook/contract/money';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { randomToken } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { canBePaid } from '../../../invoices/service/business-settings.ts';
import {
  getAccountStatements,
  getPayers,
} from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import { lastPaymentReminders } from '../../queries/recent-messages-to-families.ts';
import { findStoppedAddresses, normalizeAddress } from '../../queries/reminder-opt-outs.ts';
import { optedOutMessage } from '../../rules/cannot-send-texts.ts';
import {
  chooseAddresses,
  type FamilyMessage,
  sendToFamilies,
} from '../outbound/send-to-families.ts';
import { findOverdueFamilies } from './overdue-reminders.ts';
import { renderPaymentReminder } from './payment-reminder.ts';
import { getSettings } from './reminder-settings.ts';
import { getRenderContext } from './render-lesson-reminder.ts';

/** A family is reminded at most once within this time, so that a repeated request sends nothing. */
const REPEAT_DAYS = 1;

type Candidate = OverdueReminder & { isReminded: boolean };

/** Families with overdue charges, oldest debt first. */
export async function listOverdueReminders(
  context: Context,
  tutorId: string,
): Promise<{ families: OverdueReminder[]; problem: string | null }> {
  return context.db.tutorSnapshot(tutorId, async (tx) => ({
    families: await getCandidates(context, tx, tutorId),
    problem: (await canBePaid(context, tx, tutorId)) ? null : NO_PAYMENT_METHOD_MESSAGE,
  }));
}

async function getCandidates(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyIds?: ReadonlySet<number>,
): Promise<Candidate[]> {
  const now = context.clock.now();
  const { today } = await getRenderContext(context, tx, tutorId);
  const rows = await findOverdueFamilies(tx, tutorId, today, now);
  const byFamily = Map.groupBy(
    familyIds ? rows.filter(({ familyId }) => familyIds.has(familyId)) : rows,
    ({ familyId }) => familyId,
  );
  const debts = [...byFamily]
    .map(([familyId, owed]) => ({
      familyId,
      overdue: owed.map(({ currency, owed: amount }) => ({
        currency: currency as Currency,
        amount,
      })),
      dueSince: owed.map(({ dueSince }) => dueSince).toSorted()[0] as string,
    }))
    .toSorted((a, b) => a.dueSince.localeCompare(b.dueSince))
    .slice(0, MAX_RECIPIENTS);
  const ids = debts.map(({ familyId }) => familyId);
  const accounts = await getPayers(tx, tutorId, ids);
  const addresses = await chooseAddresses(context, tx, tutorId, accounts, 'email');
  const stopped = await findStoppedAddresses(tx, tutorId, 'payment_reminder');
  const reminders = await lastPaymentReminders(tx, tutorId, ids).execute();
  const lastByFamily = new Map(reminders.map((last) => [last.familyId, last]));
  const repeatAfter = add24HourDays(now, -REPEAT_DAYS);
  return debts.flatMap((debt) => {
    const account = accounts.get(debt.familyId);
    const address = addresses.get(debt.familyId);
    if (!account || !address) return [];
    const last = lastByFamily.get(debt.familyId);
    const hasStopped = [account.email, account.phone].some(
      (each) => each !== null && stopped.has(normalizeAddress(each)),
    );
    return {
      ...debt,
      ...address,
      problem: hasStopped ? optedOutMessage(account.name, 'payment_reminder') : address.problem,
      lastRemindedAt: last?.at.toISOString() ?? null,
      isReminded: last !== undefined && (last.isDraft || last.at > repeatAfter),
    };
  });
}

/** Creates one reminder for each of these families, except families that have paid in the meantime. */
export async function createOverdueReminders(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
): Promise<FamilyResult[]> {
  if (!(await canBePaid(context, tx, tutorId))) {
    throw new AppError('conflict', NO_PAYMENT_METHOD_MESSAGE);
  }
  const accounts = await getAccountStatements(tx, tutorId, familyIds);
  const candidates = await getCandidates(context, tx, tutorId, new Set(familyIds));
  const byFamily = new Map(candidates.map((candidate) => [candidate.familyId, candidate]));
  const settings = await getSettings(tx, tutorId);
  const renderContext = await getRenderContext(context, tx, tutorId);
  const messages = familyIds.map((familyId): FamilyMessage => {
    const candidate = byFamily.get(familyId);
    const account = accounts.get(familyId);
    const toName = account?.name ?? '';
    const content =
      candidate &&
      account &&
      renderPaymentReminder(renderContext, account, settings, candidate.channel);
    if (!content) {
      return { familyId, toName, outcome: 'already_sent', problem: 'Nothing is overdue any more.' };
    }
    if (candidate.isReminded) {
      const problem = 'They were reminded in the last 24 hours, or a reminder is in To send.';
      return { familyId, toName, outcome: 'already_sent', problem };
    }
    if (candidate.problem !== null || !content.address) {
      return { familyId, toName, outcome: 'not_sent', problem: candidate.problem ?? '' };
    }
    const message = {
      ...content,
      address: content.address,
      familyId,
      dedupeKey: `manual ${familyId} ${content.channel} ${randomToken(9)}`,
      kind: 'payment_reminder' as const,
      // Automatic, so that the approved WhatsApp template is sent to people who have consented.
      automatic: content.channel === 'whatsapp',
    };
    return { familyId, toName, message };
  });
  return sendToFamilies(context, tx, tutorId, messages);
}
