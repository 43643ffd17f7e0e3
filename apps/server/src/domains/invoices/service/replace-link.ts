import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import {
  replaceSharedLink,
  sharedLinkToken,
} from '../../../platform/payment-and-feed-link-tokens.ts';
import { getInvoiceOrThrow } from './guards.ts';

/** The old link stops working immediately. */
export async function replaceInvoiceLink(
  context: Context,
  tutorId: string,
  id: number,
): Promise<{ token: string }> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const { kind, number } = await getInvoiceOrThrow(tx, tutorId, id);
    const linkKey = await replaceSharedLink(tx, tutorId, 'invoice', id);
    if (linkKey === undefined) {
      throw new AppError('conflict', 'A draft has no link yet. Please issue the invoice first.');
    }
    await recordAudit(tx, tutorId, {
      action: 'link_replaced',
      at: context.clock.now(),
      metadata: { number: `${kind === 'invoice' ? 'invoice' : 'credit note'} ${number}` },
    });
    return { token: sharedLinkToken(context.config, 'invoice', linkKey) };
  });
}
