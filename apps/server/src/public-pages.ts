import type { Context } from './context.ts';
import {
  describePublicBill,
  INVOICE_PAGE,
  PAYMENT_PAGE,
} from './domains/invoices/service/describe-public-bill.ts';
import {
  describeUnsubscribePage,
  UNSUBSCRIBE_PAGE,
} from './domains/messages/service/outbound/unsubscribe.ts';
import { AppError } from './platform/app-error.ts';
import type { PageDescription } from './platform/http/page-description.ts';
import type { RequestContext } from './platform/http/request-context.ts';

/** The family portal. Its title depends on no path, which may contain the key of a contact. */
const FAMILY_PAGE: PageDescription = {
  title: 'Family portal',
  description: 'Your lessons, from your tutor.',
  file: 'family.html',
};

const PUBLIC_PAGES = [
  { pattern: /^\/family(?:\/.*)?$/, fallback: FAMILY_PAGE, describe: async () => FAMILY_PAGE },
  { pattern: /^\/pay(?:\/(.*))?$/, fallback: PAYMENT_PAGE, describe: describePublicBill },
  {
    // Digits are an invoice in the tutor's account, and 'everyone' is a page of the app.
    pattern: /^\/invoices\/(?!(?:\d{1,10}|everyone)\/?$)(.+)$/,
    fallback: INVOICE_PAGE,
    describe: describePublicBill,
  },
  {
    pattern: /^\/unsubscribe(?:\/(.*))?$/,
    fallback: UNSUBSCRIBE_PAGE,
    describe: describeUnsubscribePage,
  },
];

/** The title and description of a page for families; null for other pages. */
export async function describePublicPage(
  context: Context,
  path: string,
  requestContext: Pick<RequestContext, 'network'>,
): Promise<PageDescription | null> {
  for (const { pattern, fallback, describe } of PUBLIC_PAGES) {
    const [match, token = ''] = pattern.exec(path) ?? [];
    if (match === undefined) continue;
    try {
      return await describe(context, token, requestContext);
    } catch (error) {
      // The page is shown anyway; it explains a wrong link or a limit itself.
      if (!(error instanceof AppError)) context.log.warn({ err: error }, 'no title for a page');
      return fallback;
    }
  }
  return null;
}
