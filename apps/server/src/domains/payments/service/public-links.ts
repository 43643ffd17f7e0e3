import type { Context } from '../../../context.ts';
import { sha256 } from '../../../platform/crypto.ts';
import { findPublicLink, insertPublicLink, type PublicLink } from '../queries/public-links.ts';

export const addPublicLink = insertPublicLink;

/** What a link without a login is for; none for a token that we never gave out. */
export const readPublicLink = (
  context: Context,
  token: string,
): Promise<Omit<PublicLink, 'tokenHash'> | undefined> =>
  findPublicLink(context.db.global, sha256(token));
