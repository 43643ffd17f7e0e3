import { arrears } from '@lessonbook/contract/arrears';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { cards } from '@lessonbook/contract/card-payments';
import { invoiceDrafts } from '@lessonbook/contract/delete-and-restore-invoice-drafts';
import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { publicBills } from '@lessonbook/contract/public-bill';
import { chargeQueries } from '@lessonbook/contract/questions-about-charges';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { listChargeQueries } from '../payments/service/questions-about-charges.ts';
import { answerChargeQuery } from './service/answer-charge-query.ts';
import { readBusiness, updateBusiness } from './service/business-settings.ts';
import { deleteDrafts, restoreDrafts } from './service/delete-and-restore-drafts.ts';
import { exportInvoicesCsv } from './service/export-invoices-csv.ts';
import {
  createDraft,
  createDraftsForAll,
  readAvailableLines,
  updateDraft,
} from './service/invoice-drafts.ts';
import { readInvoiceSummary } from './service/invoice-summary.ts';
import { issueInvoices } from './service/issue.ts';
import { readInvoices } from './service/list-invoices.ts';
import { claimTransfer, readPublicBill, withdrawClaim } from './service/public-bill.ts';
import { startPublicCheckout } from './service/public-checkout.ts';
import { readInvoice, readInvoiceRows } from './service/read.ts';
import { downloadInvoicePdf, renderPublicInvoicePdf } from './service/render-pdf.ts';
import { downloadStatementPdf } from './service/render-statement.ts';
import { replaceInvoiceLink } from './service/replace-link.ts';
import { settleReturnedPayment } from './service/settle-refunded-or-disputed-payment.ts';
import { creditInvoice, voidInvoice } from './service/void-and-credit.ts';

export function invoiceRoutes(http: HttpServer, context: Context): void {
  http.on(chargeQueries.listChargeQueries, ({ login, params }) =>
    listChargeQueries(context, login.tutorId, params.id),
  );
  http.on(chargeQueries.answerChargeQuery, async ({ login, params, body, idempotencyKey }) => {
    await answerChargeQuery(context, login.tutorId, params.id, body, idempotencyKey);
    return {};
  });
  http.on(invoices.listInvoices, ({ login, query }) => readInvoices(context, login.tutorId, query));
  http.on(invoices.invoiceSummary, ({ login, query }) =>
    readInvoiceSummary(context, login.tutorId, query),
  );
  http.onFile(invoices.invoicesCsv, ({ login, query }) =>
    exportInvoicesCsv(context, login.tutorId, query),
  );
  http.on(invoices.draftInvoice, async ({ login, body, idempotencyKey }) =>
    readInvoiceRows(
      context,
      login.tutorId,
      await createDraft(context, login.tutorId, body, idempotencyKey),
    ),
  );
  http.on(invoices.draftAllInvoices, async ({ login, body, idempotencyKey }) =>
    readInvoiceRows(
      context,
      login.tutorId,
      await createDraftsForAll(context, login.tutorId, body, idempotencyKey),
    ),
  );
  http.on(invoices.issueInvoices, async ({ login, body, idempotencyKey }) => {
    await issueInvoices(context, login.tutorId, body.ids, idempotencyKey);
    return readInvoiceRows(context, login.tutorId, body.ids);
  });
  http.on(invoices.invoice, ({ login, params }) => readInvoice(context, login.tutorId, params.id));
  http.on(invoices.availableInvoiceLines, ({ login, params }) =>
    readAvailableLines(context, login.tutorId, params.id),
  );
  http.on(invoices.updateInvoiceDraft, async ({ login, params, body }) => {
    await updateDraft(context, login.tutorId, params.id, body);
    return readInvoice(context, login.tutorId, params.id);
  });
  http.on(invoices.deleteInvoice, async ({ login, params }) => {
    await deleteDrafts(context, login.tutorId, [params.id]);
    return { message: 'The draft has been deleted' };
  });
  http.on(invoiceDrafts.deleteInvoiceDrafts, async ({ login, body }) => ({
    drafts: await deleteDrafts(context, login.tutorId, body.ids),
  }));
  http.on(invoiceDrafts.restoreInvoiceDrafts, async ({ login, body, idempotencyKey }) =>
    readInvoiceRows(
      context,
      login.tutorId,
      await restoreDrafts(context, login.tutorId, body.drafts, idempotencyKey),
    ),
  );
  http.on(invoices.replaceInvoiceLink, ({ login, params }) =>
    replaceInvoiceLink(context, login.tutorId, params.id),
  );
  http.on(invoices.voidInvoice, async ({ login, params, body, idempotencyKey }) => {
    await voidInvoice(context, login.tutorId, params.id, body.reason || null, idempotencyKey);
    return readInvoice(context, login.tutorId, params.id);
  });
  http.on(invoices.creditInvoice, async ({ login, params, body, idempotencyKey }) =>
    readInvoice(
      context,
      login.tutorId,
      await creditInvoice(context, login.tutorId, params.id, body, idempotencyKey),
    ),
  );
  http.onFile(arrears.accountStatement, ({ login, params, query, requestContext }) =>
    downloadStatementPdf(context, login.tutorId, params.id, query, requestContext),
  );
  http.onFile(invoices.invoicePdf, ({ login, params, requestContext }) =>
    downloadInvoicePdf(context, login.tutorId, params.id, requestContext),
  );
  http.on(payments.settleReturnedPayment, ({ login, params, body }) =>
    settleReturnedPayment(context, login.tutorId, params.id, body.stillOwed),
  );
  http.on(businessSettings.businessSettings, ({ login }) => readBusiness(context, login.tutorId));
  http.on(businessSettings.saveBusinessSettings, ({ login, body }) =>
    updateBusiness(context, login.tutorId, body),
  );
}

/** Public: authorised by the token in the link. */
export function payRoutes(http: HttpServer, context: Context): void {
  http.on(publicBills.publicBill, ({ params, requestContext }) =>
    readPublicBill(context, params.token, requestContext),
  );
  http.onFile(publicBills.publicInvoicePdf, ({ params, requestContext }) =>
    renderPublicInvoicePdf(context, params.token, requestContext),
  );
  http.on(cards.payByCard, ({ params, body, requestContext }) =>
    startPublicCheckout(context, params.token, body.currency, requestContext),
  );
  http.on(publicBills.claimTransfer, ({ params, requestContext }) =>
    claimTransfer(context, params.token, requestContext),
  );
  http.on(publicBills.withdrawTransferClaim, ({ params, requestContext }) =>
    withdrawClaim(context, params.token, requestContext),
  );
}
