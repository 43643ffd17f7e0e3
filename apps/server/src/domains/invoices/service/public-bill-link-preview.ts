import type { Context } from '../../../context.ts';
import type { PageDescription } from '../../../platform/http/public-page-metadata.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { getTutor } from '../../accounts/service/profile/read-tutor.ts';
import { businessSettingsByTutor } from '../queries/business-settings.ts';
import { billingName } from '../rules/party-snapshot.ts';
import { resolvePayLink } from './public-bill.ts';
import { getInvoice } from './read.ts';

const PAYMENT_DESCRIPTION = 'See what is due and how to pay.';
const INVOICE_DESCRIPTION = 'See the invoice and how to pay.';

export const PAYMENT_PAGE: PageDescription = { title: 'Payment', description: PAYMENT_DESCRIPTION };
export const INVOICE_PAGE: PageDescription = { title: 'Invoice', description: INVOICE_DESCRIPTION };

/** Chat apps show this to everyone in a conversation, so it contains neither a child's name nor an amount. */
export async function describePublicBill(
  context: Context,
  token: string,
  requestContext: Pick<RequestContext, 'network'>,
): Promise<PageDescription> {
  const { kind, tutorId, targetId } = await resolvePayLink(context, token, requestContext);
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    if (kind === 'balance') {
      const { name } = await getTutor(tx, tutorId);
      const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
      return { ...PAYMENT_PAGE, title: `Payment to ${billingName(name, business)}` };
    }
    const invoice = await getInvoice(context, tx, tutorId, targetId);
    if (invoice.state === 'void') return INVOICE_PAGE;
    const documentName = invoice.kind === 'invoice' ? 'Invoice' : 'Credit note';
    return { ...INVOICE_PAGE, title: `${documentName} from ${invoice.parties.from.name}` };
  });
}
