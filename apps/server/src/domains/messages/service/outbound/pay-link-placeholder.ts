import type { Context } from '../../../../context.ts';
import { payUrl } from '../../../../platform/payment-and-feed-link-tokens.ts';

/** Replaces the link in stored texts, because its token must not be stored. Templates use the same placeholder. */
export const LINK_PLACEHOLDER = '{link}';

/** The text as read by the recipient, with the current link to the invoice or the account. */
export function withPayLink(
  { config }: Context,
  text: string,
  target: { invoiceId?: number | null; linkKey: string | null },
): string {
  if (target.linkKey === null || !text.includes(LINK_PLACEHOLDER)) return text;
  const kind = (target.invoiceId ?? null) === null ? 'balance' : 'invoice';
  return text.replaceAll(LINK_PLACEHOLDER, payUrl(config, kind, target.linkKey));
}

/** Needed because tutors edit a preview that contains the link, and may paste links from elsewhere. */
export const withLinkPlaceholder = ({ config }: Context, text: string): string =>
  text
    .split(config.origin)
    .map((part, index) => {
      if (index === 0) return part;
      const rest = part.replace(/^\/(pay|invoices)\/[bi]_[\w-]+/, '');
      return rest === part ? config.origin + part : LINK_PLACEHOLDER + rest;
    })
    .join('');
