import type { Context } from '../../../context.ts';
import { sha256 } from '../../../platform/crypto.ts';
import {
  findPublicLink,
  findPublicLinks,
  insertPublicLinks,
  type PublicLink,
} from '../queries/public-links.ts';

export const addPublicLinks = insertPublicLinks;

/** What a link without a login is for; none for a token that we never gave out. */
export const readPublicLink = (
  context: Context,
  token: string,
): Promise<Omit<PublicLink, 'tokenHash'> | undefined> =>
  findPublicLink(context.db.global, sha256(token));

/** The same for many tokens at once, each with what it leads to. */
export async function readPublicLinks(
  context: Context,
  tokens: readonly string[],
): Promise<Map<string, Omit<PublicLink, 'tokenHash'>>> {
  if (tokens.length === 0) return new Map();
  const hashes = new Map(tokens.map((token) => [sha256(token).toString('hex'), token]));
  const links = await findPublicLinks(
    context.db.global,
    tokens.map((token) => sha256(token)),
  );
  return new Map(
    links.map(({ tokenHash, ...link }) => [hashes.get(tokenHash.toString('hex')) ?? '', link]),
  );
}
