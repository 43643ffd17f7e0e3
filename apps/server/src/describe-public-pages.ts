import { FIRST_VIEW_ID } from '@lessonbook/contract/portal';
import type { Context } from './context.ts';
import {
  describePublicBill,
  INVOICE_PAGE,
  PAYMENT_PAGE,
} from './domains/invoices/service/public-bill-link-preview.ts';
import {
  describeUnsubscribePage,
  UNSUBSCRIBE_PAGE,
} from './domains/messages/service/outbound/unsubscribe-link.ts';
import { readInitialPageData } from './domains/portal/service/initial-page-data.ts';
import { AppError } from './platform/app-error.ts';
import type { ContactLogin } from './platform/http/authentication.ts';
import type { PageDescription } from './platform/http/public-page-metadata.ts';
import type { RequestContext } from './platform/http/request-context.ts';

export interface PageVisitor extends Pick<RequestContext, 'network' | 'userAgent'> {
  /** Null unless this browser is signed in to the family portal. */
  readContactLogin: () => Promise<ContactLogin | null>;
}

/** The family portal. Its title never depends on the path, which may contain the public id of a contact. */
const FAMILY_PAGE: PageDescription = {
  title: 'Family portal',
  description: 'Your lessons, from your tutor.',
  file: 'family.html',
};

async function describeFamilyPage(
  context: Context,
  page: string,
  visitor: PageVisitor,
): Promise<PageDescription> {
  const content = await readInitialPageData(
    context,
    await visitor.readContactLogin(),
    page,
    visitor,
  );
  const data = { id: FIRST_VIEW_ID, content };
  if (content.login) return { ...FAMILY_PAGE, data };
  const file = content.options.hasWhatsApp ? 'family-sign-in-whatsapp.html' : 'family-sign-in.html';
  return { ...FAMILY_PAGE, file, hasHeading: true, data };
}

const PUBLIC_PAGES = [
  {
    pattern: /^\/family(?:\/+(.*?))?\/*$/,
    fallback: FAMILY_PAGE,
    describe: describeFamilyPage,
  },
  { pattern: /^\/pay(?:\/(.*))?$/, fallback: PAYMENT_PAGE, describe: describePublicBill },
  {
    // Paths with a number are invoices in the tutor's account, and 'everyone' is a page of the app.
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
  visitor: PageVisitor,
): Promise<PageDescription | null> {
  for (const { pattern, fallback, describe } of PUBLIC_PAGES) {
    const [match, token = ''] = pattern.exec(path) ?? [];
    if (match === undefined) continue;
    try {
      return await describe(context, token, visitor);
    } catch (error) {
      // The page is sent anyway, and shows the message for an invalid link or an exceeded rate limit.
      if (!(error instanceof AppError))
        context.log.warn({ err: error }, 'sending a public page without its title and data');
      return fallback;
    }
  }
  return null;
}
