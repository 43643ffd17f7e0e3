import type {
  CustomMessageInput,
  CustomMessageRecipient,
  CustomMessageRecipientsInput,
  FamilyResult,
} from '@lessonbook/contract/bulk-messages';
import { firstName } from '@lessonbook/contract/first-name';
import { fillPlaceholders, findMissingValue } from '@lessonbook/contract/message-placeholders';
import { type Currency, formatMoney } from '@lessonbook/contract/money';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { randomToken } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import {
  getOwedAmounts,
  getPayers,
} from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import {
  familiesWithLessonOn,
  studentsOfFamilies,
} from '../../queries/families-for-bulk-messages.ts';
import { customMessagesSince } from '../../queries/recent-messages-to-families.ts';
import { getRenderContext } from '../reminders/render-lesson-reminder.ts';
import { withLinkPlaceholder } from './pay-link-placeholder.ts';
import { chooseAddresses, type FamilyMessage, sendToFamilies } from './send-to-families.ts';

/** Repeating a request within this time, for example after a reload or from a second window, sends nothing new. */
const REPEAT_DAYS = 1;

/** The channel by which each family would be sent the message, and the values of its placeholders. */
export async function previewCustomMessage(
  context: Context,
  tutorId: string,
  input: CustomMessageRecipientsInput,
): Promise<CustomMessageRecipient[]> {
  return context.db.tutorSnapshot(tutorId, (tx) => getRecipients(context, tx, tutorId, input));
}

async function getRecipients(
  context: Context,
  tx: Tx,
  tutorId: string,
  { familyIds, channel }: CustomMessageRecipientsInput,
): Promise<(CustomMessageRecipient & { timeZone: string | null })[]> {
  const accounts = await getPayers(tx, tutorId, familyIds);
  const owed = await getOwedAmounts(tx, tutorId, familyIds);
  const { tutor, today } = await getRenderContext(context, tx, tutorId);
  const students = await studentsOfFamilies(tx, tutorId, familyIds, today).execute();
  const studentsByFamily = Map.groupBy(students, ({ familyId }) => familyId);
  const addresses = await chooseAddresses(context, tx, tutorId, accounts, channel);
  return [...new Set(familyIds)].map((familyId) => {
    const account = accounts.get(familyId);
    const address = addresses.get(familyId);
    if (!account || !address) throw new AppError('not_found', 'Family not found');
    const children = studentsByFamily.get(familyId) ?? [];
    return {
      familyId,
      ...address,
      timeZone: account.timeZone,
      values: {
        name: firstName(account.name),
        children: joinNames(children.map(({ name }) => firstName(name))),
        amount: formatOwed(owed.get(familyId) ?? []),
        tutor,
      },
    };
  });
}

/** 'Maya', 'Maya and Leo', 'Maya, Leo and Ada' */
const joinNames = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');

const formatOwed = (amounts: readonly { owed: number; currency: Currency }[]): string =>
  amounts.map(({ owed, currency }) => formatMoney(owed, currency, 'en-GB')).join(' and ');

/** Sends each family its own message, with its own names and amounts. */
export async function sendCustomMessage(
  context: Context,
  tutorId: string,
  input: CustomMessageInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<FamilyResult[]> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const recipients = await getRecipients(context, tx, tutorId, input);
      const recent = await customMessagesSince(
        tx,
        tutorId,
        input.familyIds,
        add24HourDays(now, -REPEAT_DAYS),
      ).execute();
      const sent = new Set(recent.map(contentKey));
      const messages = recipients.map((recipient): FamilyMessage => {
        const { familyId, toName, channel, address, values, timeZone } = recipient;
        const problem =
          recipient.problem ?? findMissingValue(`${input.subject} ${input.text}`, values);
        if (problem !== null || !address) {
          return { familyId, toName, outcome: 'not_sent', problem: problem ?? '' };
        }
        const content = {
          subject: fillPlaceholders(input.subject, values),
          text: withLinkPlaceholder(context, fillPlaceholders(input.text, values)),
        };
        if (sent.has(contentKey({ familyId, channel, ...content }))) {
          const sentBefore = 'The same message was sent to them today.';
          return { familyId, toName, outcome: 'already_sent', problem: sentBefore };
        }
        const message = {
          dedupeKey: `custom ${familyId} ${channel} ${randomToken(9)}`,
          kind: 'custom' as const,
          familyId,
          toName,
          channel,
          address,
          timeZone,
          ...content,
        };
        return { familyId, toName, message };
      });
      return sendToFamilies(context, tx, tutorId, messages);
    }),
  );
}

const contentKey = (message: {
  familyId: number | null;
  channel: string;
  subject: string;
  text: string;
}): string => JSON.stringify([message.familyId, message.channel, message.subject, message.text]);

export async function readFamiliesWithLesson(
  context: Context,
  tutorId: string,
  date: string,
): Promise<{ familyIds: number[] }> {
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [
    familiesWithLessonOn(tx, tutorId, date),
  ]);
  return { familyIds: rows.map(({ familyId }) => familyId) };
}
