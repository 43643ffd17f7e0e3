import { bills } from '@lessonbook/contract/bills';
import { businessDetails } from '@lessonbook/contract/business';
import { cards } from '@lessonbook/contract/cards';
import { invoices } from '@lessonbook/contract/invoices';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import { changeBusiness, readBusiness } from './service/business.ts';
import { creditInvoice, voidInvoice } from './service/correct.ts';
import {
  changeDraft,
  draftInvoice,
  invoiceEveryone,
  lineChoices,
  throwAway,
} from './service/drafts.ts';
import { issueInvoices } from './service/issue.ts';
import { payByCard } from './service/pay-by-card.ts';
import { printBill, printInvoice } from './service/print.ts';
import { claimTransfer, readBill } from './service/public-bill.ts';
import { readInvoice, readInvoiceRows, readInvoices } from './service/read.ts';

export function invoiceRoutes(http: Http, context: Context): void {
  http.on(invoices.listInvoices, ({ login, query }) => readInvoices(context, login.tutorId, query));
  http.on(invoices.draftInvoice, async ({ login, body, repeat }) =>
    readInvoiceRows(
      context,
      login.tutorId,
      await draftInvoice(context, login.tutorId, body, repeat),
    ),
  );
  http.on(invoices.invoiceEveryone, async ({ login, body, repeat }) =>
    readInvoiceRows(
      context,
      login.tutorId,
      await invoiceEveryone(context, login.tutorId, body, repeat),
    ),
  );
  http.on(invoices.issueInvoices, async ({ login, body, repeat }) => {
    await issueInvoices(context, login.tutorId, body.ids, repeat);
    return readInvoiceRows(context, login.tutorId, body.ids);
  });
  http.on(invoices.invoice, ({ login, params }) => readInvoice(context, login.tutorId, params.id));
  http.on(invoices.invoiceLineChoices, ({ login, params }) =>
    lineChoices(context, login.tutorId, params.id),
  );
  http.on(invoices.changeInvoice, async ({ login, params, body }) => {
    await changeDraft(context, login.tutorId, params.id, body);
    return readInvoice(context, login.tutorId, params.id);
  });
  http.on(invoices.deleteInvoice, async ({ login, params }) => {
    await throwAway(context, login.tutorId, params.id);
    return { message: 'The draft is gone' };
  });
  http.on(invoices.voidInvoice, async ({ login, params, body, repeat }) => {
    await voidInvoice(context, login.tutorId, params.id, body.reason || null, repeat);
    return readInvoice(context, login.tutorId, params.id);
  });
  http.on(invoices.creditInvoice, async ({ login, params, body, repeat }) =>
    readInvoice(
      context,
      login.tutorId,
      await creditInvoice(context, login.tutorId, params.id, body, repeat),
    ),
  );
  http.onFile(invoices.invoicePdf, ({ login, params }) =>
    printInvoice(context, login.tutorId, params.id),
  );
  http.on(businessDetails.business, ({ login }) => readBusiness(context, login.tutorId));
  http.on(businessDetails.saveBusiness, ({ login, body }) =>
    changeBusiness(context, login.tutorId, body),
  );
}

/** For whoever holds a link; nobody here is signed in. */
export function payRoutes(http: Http, context: Context): void {
  http.on(bills.publicBill, ({ params, visitor }) => readBill(context, params.token, visitor));
  http.onFile(bills.publicInvoicePdf, ({ params, visitor }) =>
    printBill(context, params.token, visitor),
  );
  http.on(cards.payByCard, ({ params, body, visitor }) =>
    payByCard(context, params.token, body.currency, visitor),
  );
  http.on(bills.claimTransfer, ({ params, visitor }) =>
    claimTransfer(context, params.token, visitor),
  );
}
