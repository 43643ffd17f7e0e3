import type {
  AgreementInput,
  AgreementSettings,
  AskedToAgree,
} from '@lessonbook/contract/agreements';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { sendAgreementEmails } from '../../messages/service/outbound/agreement-emails.ts';
import {
  agreementVersions,
  insertAgreement,
  payingContacts,
  setAgreementAsked,
} from '../queries/agreements.ts';
import { portalState } from '../queries/portal-settings.ts';
import { withStates } from '../rules/agreement-versions.ts';

/* The tutor's side of the agreement. */

const queries = (tx: Tx, tutorId: string, now: Date) =>
  [
    tutorQuery(tx, tutorId),
    portalState(tx, tutorId),
    agreementVersions(tx, tutorId),
    payingContacts(tx, tutorId, now),
  ] as const;

type Rows = Readonly<Awaited<ReturnType<typeof executeBatch<ReturnType<typeof queries>>>>>;

function toState({ clock }: Context, [tutors, [state], versions, people]: Rows) {
  const today = dateInZone(toTutorOrThrow(tutors).timeZone, clock.now());
  const isPortalOpen = Boolean(state?.openedAt);
  return { today, isPortalOpen, versions: withStates(versions, today), people };
}

const toSettings = ({
  isPortalOpen,
  versions,
  people,
}: ReturnType<typeof toState>): AgreementSettings => ({
  isPortalOpen,
  versions: versions
    .map(({ publishedAt, askedAt, ...version }) => ({
      ...version,
      publishedAt: publishedAt.toISOString(),
      askedAt: askedAt?.toISOString() ?? null,
    }))
    .toReversed(),
  people: people.map(({ contactId, familyId, name, hasAccess, email, acceptances }) => ({
    contactId,
    familyId,
    name,
    hasAccess,
    hasEmail: email !== null,
    acceptances,
  })),
});

export const readAgreement = async (
  context: Context,
  tutorId: string,
): Promise<AgreementSettings> =>
  toSettings(
    toState(
      context,
      await context.db.tutorRead(tutorId, (tx) => queries(tx, tutorId, context.clock.now())),
    ),
  );

/** A version never changes, so a correction is a new version. It cannot start before the last one. */
export async function publishAgreement(
  context: Context,
  tutorId: string,
  { text, startsOn }: AgreementInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<AgreementSettings> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const { today, versions } = toState(
        context,
        await executeBatch(tx, queries(tx, tutorId, now)),
      );
      const last = versions.at(-1);
      if (startsOn < today) throw invalidStart('Please choose today or a later date');
      if (last && startsOn < last.startsOn)
        throw invalidStart('Your last version starts later. Choose the same date or a later one');
      if (last?.text === text)
        throw new AppError('invalid', UNCHANGED, { fields: { text: UNCHANGED } });
      const version = (last?.version ?? 0) + 1;
      await insertAgreement(tx, tutorId, { version, text, startsOn, now });
      await recordAudit(tx, tutorId, {
        action: 'agreement_published',
        at: now,
        metadata: { version },
      });
      return { version };
    }),
  );
  return readAgreement(context, tutorId);
}

const UNCHANGED = 'This is the text of your last version';

const invalidStart = (message: string): AppError =>
  new AppError('invalid', message, { fields: { startsOn: message } });

/** Each person is emailed once about a version, so a repeated request reaches only those added since. */
export async function askToAgree(
  context: Context,
  tutorId: string,
  version: number,
): Promise<AskedToAgree> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const { isPortalOpen, versions, people } = toState(
      context,
      await executeBatch(tx, queries(tx, tutorId, now)),
    );
    const asked = versions.find((each) => each.version === version);
    if (!asked) throw new AppError('not_found', "We couldn't find that version.");
    if (asked.state === 'past')
      throw new AppError('conflict', 'A later version has replaced this one.');
    if (!isPortalOpen)
      throw new AppError('conflict', 'Please open the family portal first, then ask again.');
    const open = people.filter(
      ({ acceptances }) => !acceptances.some((each) => each.version === version),
    );
    const withAccess = open.filter(({ hasAccess }) => hasAccess);
    const recipients = withAccess.flatMap(({ email, acceptances, ...person }) => {
      const hasAcceptedEarlier = acceptances.some((each) => each.version < version);
      return email === null ? [] : [{ ...person, email, hasAcceptedEarlier }];
    });
    const counts = await sendAgreementEmails(context, tx, tutorId, asked, recipients);
    if (counts.sent > 0) await setAgreementAsked(tx, tutorId, version, now);
    return {
      ...counts,
      withoutAccess: open.length - withAccess.length,
      withoutEmail: withAccess.length - recipients.length,
    };
  });
}
