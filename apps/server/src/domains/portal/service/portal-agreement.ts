import type { AcceptAgreementInput, PortalAgreement } from '@lessonbook/contract/portal-agreement';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { executeAsContact, executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { type Contact, signedOutError } from '../../../platform/http/authentication.ts';
import { maskIp } from '../../../platform/http/client-network.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import {
  insertAcceptance,
  type PortalAgreementRow,
  payingContacts,
  portalAgreements,
} from '../queries/agreements.ts';
import { portalTutor } from '../queries/portal-views.ts';
import { withStates } from '../rules/agreement-versions.ts';
import { acceptancesByContact } from './rate-limits.ts';

/* The family's side of the agreement. Only people who pay are asked: both the views and the application check that. */

interface Tutor {
  name: string;
  timeZone: string;
}

/** What the person is asked to accept, or has accepted: the current version and those that will apply later. */
function toAgreement(
  { clock }: Context,
  contact: Contact,
  tutor: Tutor,
  rows: readonly PortalAgreementRow[],
  isPayer: boolean,
): PortalAgreement {
  const today = dateInZone(tutor.timeZone, clock.now());
  const own = isPayer ? rows.filter(({ contactId }) => contactId === contact.contactId) : [];
  return {
    tutorName: tutor.name,
    versions: withStates(own, today)
      .filter(({ state }) => state !== 'past')
      .map(({ version, text, startsOn, state, acceptedAt, acceptedName }) => ({
        version,
        text,
        startsOn,
        isComing: state === 'coming',
        accepted: acceptedAt && {
          on: dateInZone(tutor.timeZone, acceptedAt),
          name: acceptedName ?? '',
        },
      })),
  };
}

export async function readPortalAgreement(
  context: Context,
  contact: Contact,
): Promise<PortalAgreement> {
  const { tutorId, contactId } = contact;
  const [payers] = await context.db.tutorRead(tutorId, (tx) => [
    payingContacts(tx, tutorId, context.clock.now(), contactId),
  ]);
  const [[tutor], rows] = await context.db.contactRead(contact, (tx) => [
    portalTutor(tx),
    portalAgreements(tx),
  ]);
  if (!tutor) throw signedOutError();
  return toAgreement(context, contact, tutor, rows, payers.length > 0);
}

/** Accepting a version again changes nothing. A version that a later one has replaced can no longer be accepted. */
export async function acceptAgreement(
  context: Context,
  contact: Contact,
  { version, name }: AcceptAgreementInput,
  { network }: Pick<RequestContext, 'network'>,
): Promise<PortalAgreement> {
  const { tutorId, contactId } = contact;
  const now = context.clock.now();
  await context.limiter.consume(acceptancesByContact, `${tutorId} ${contactId}`);
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const [payers] = await executeBatch(tx, [payingContacts(tx, tutorId, now, contactId)]);
    const [[tutor], rows] = await executeAsContact(tx, contact, [
      portalTutor(tx),
      portalAgreements(tx),
    ]);
    if (!tutor) throw signedOutError();
    const { versions } = toAgreement(context, contact, tutor, rows, payers.length > 0);
    if (versions.length === 0)
      throw new AppError('not_found', 'There is no agreement for you to accept.');
    if (!versions.some((each) => each.version === version))
      throw new AppError('conflict', 'The agreement has changed. Please read the new version.');
    const acceptance = { contactId, version, name, network: maskIp(network), now };
    if (!(await insertAcceptance(tx, tutorId, acceptance))) return;
    await recordAudit(tx, tutorId, {
      action: 'agreement_accepted_by_family',
      at: now,
      metadata: { contactId, version },
      omitRequestContext: true,
    });
  });
  return readPortalAgreement(context, contact);
}
