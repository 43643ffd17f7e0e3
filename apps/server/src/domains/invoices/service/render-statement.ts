import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { FileResponse } from '../../../platform/http/file-responses.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { getTutor } from '../../accounts/service/profile/read-tutor.ts';
import { getAccountStatement } from '../../payments/service/amounts-owed-and-transfer-claims.ts';
import { getStatementOfPeriod } from '../../payments/service/statement-of-period.ts';
import { businessSettingsByTutor } from '../queries/business-settings.ts';
import { billingName } from '../rules/party-snapshot.ts';
import { consumePdfLimit } from './rate-limits.ts';

/** The charges and payments of an account in a period. */
export async function renderStatementPdf(
  context: Context,
  tutorId: string,
  familyId: number,
  period: { from: string; to: string },
): Promise<FileResponse> {
  const now = context.clock.now();
  const input = await context.db.tutorSnapshot(tutorId, async (tx) => {
    const { name, timeZone } = await getTutor(tx, tutorId);
    const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
    const { name: payerName } = await getAccountStatement(tx, tutorId, familyId);
    return {
      tutorName: billingName(name, business),
      payerName,
      period,
      today: dateInZone(timeZone, now),
      now,
      ...(await getStatementOfPeriod(tx, tutorId, familyId, period)),
    };
  });
  return {
    name: `Statement ${period.from} to ${period.to}.pdf`,
    body: await context.pdf.render(tutorId, 'drawStatement', input),
  };
}

/** Renders the statement for the tutor, subject to the limit for PDF downloads. */
export async function downloadStatementPdf(
  context: Context,
  tutorId: string,
  familyId: number,
  period: { from: string; to: string },
  requestContext: RequestContext,
): Promise<FileResponse> {
  await consumePdfLimit(context, tutorId, requestContext);
  return renderStatementPdf(context, tutorId, familyId, period);
}
