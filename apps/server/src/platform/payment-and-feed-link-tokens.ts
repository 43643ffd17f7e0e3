import { timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { deriveToken, randomToken, secretsMatch, sha256 } from './crypto/tokens.ts';
import type { Database, Tx } from './db/database.ts';

/*
 * The links that a tutor shares (payment pages and the calendar feed), and the calendar feed of a contact. A token consists of
 * the link's public id, by which it is found, and a MAC of the kind, the public id and the version. It is never stored.
 * Increasing the version replaces the link.
 */

export type SharedLinkKind = 'balance' | 'invoice' | 'feed' | 'contact_feed';

/** What a link gives access to. */
export interface SharedLink {
  tutorId: string;
  kind: SharedLinkKind;
  targetId: number;
}

export interface LinkKeys {
  readonly secretKey: Buffer;
  /** Still accepted after a rotation. */
  readonly previousSecretKey: Buffer | null;
}

const PREFIXES: Record<SharedLinkKind, string> = {
  balance: 'b',
  invoice: 'i',
  feed: 'f',
  contact_feed: 'c',
};
const PUBLIC_ID_BYTES = 12;
/** 132 bits in base64url. */
const MAC_LENGTH = 22;
const TOKEN_PATTERN = /^([bifc])_([\w-]{16})([\w-]{22})$/;

/** `linkKey` is the link's public id and version, as selected by `linkKeyOf`. */
export function sharedLinkToken(
  { secretKey }: Pick<LinkKeys, 'secretKey'>,
  kind: SharedLinkKind,
  linkKey: string,
): string {
  const [publicId = ''] = linkKey.split(' ');
  return `${PREFIXES[kind]}_${publicId}${deriveMac(secretKey, kind, linkKey)}`;
}

const deriveMac = (key: Buffer, kind: SharedLinkKind, linkKey: string): string =>
  deriveToken(key, 'shared-link', `${kind} ${linkKey}`).slice(0, MAC_LENGTH);

const linkMacs = (keys: LinkKeys, kind: SharedLinkKind, linkKey: string): string[] =>
  [keys.secretKey, keys.previousSecretKey].flatMap((key) =>
    key ? [deriveMac(key, kind, linkKey)] : [],
  );

/** With these hashes, an installation with a different secret key accepts the tokens issued by this one. */
export const linkMacHashes = (keys: LinkKeys, kind: string, linkKey: string): Buffer[] =>
  linkMacs(keys, kind as SharedLinkKind, linkKey).map((mac) => sha256(mac));

/** The public page of an account or an invoice. */
export const payUrl = (
  config: Pick<LinkKeys, 'secretKey'> & { readonly origin: string },
  kind: 'balance' | 'invoice',
  linkKey: string,
): string => `${config.origin}/pay/${sharedLinkToken(config, kind, linkKey)}`;

/** SQL for the public id and version of a link, such as 'Vn3xJw0aPq7LkT2e 1'. Callers cast it if there may be no link. */
export const linkKeyOf = (
  kind: RawBuilder<unknown>,
  tutorId: RawBuilder<unknown>,
  targetId: RawBuilder<unknown>,
): RawBuilder<string> => sql<string>`(
  select sl.public_id || ' ' || sl.version from shared_links sl
  where sl.tutor_id = ${tutorId} and sl.kind = ${kind} and sl.target_id = ${targetId})`;

/** Creates the links that do not exist yet. */
export async function createSharedLinks(
  tx: Tx,
  tutorId: string,
  kind: SharedLinkKind,
  targetIds: readonly number[],
  now: Date,
): Promise<void> {
  if (targetIds.length === 0) return;
  await sql`
    insert into shared_links (public_id, tutor_id, kind, target_id, created_at)
    select l.public_id, ${tutorId}::uuid, ${kind}::text, l.target_id, ${now}::timestamptz
    from unnest(${targetIds.map(() => randomToken(PUBLIC_ID_BYTES))}::text[], ${targetIds}::int[])
      as l(public_id, target_id)
    on conflict (tutor_id, kind, target_id) do nothing`.execute(tx);
}

/** The old link stops working immediately. Returns the new link's key, or undefined if there is no such link. */
export async function replaceSharedLink(
  tx: Tx,
  tutorId: string,
  kind: SharedLinkKind,
  targetId: number,
): Promise<string | undefined> {
  const replaced = await tx
    .updateTable('shared_links')
    .set({ version: sql<number>`version + 1`, moved_macs: [] })
    .where('tutor_id', '=', tutorId)
    .where('kind', '=', kind)
    .where('target_id', '=', targetId)
    .returning(sql<string>`public_id || ' ' || version`.as('linkKey'))
    .executeTakeFirst();
  return replaced?.linkKey;
}

/** Returns undefined if the token is unknown or belongs to an earlier version of the link. */
export async function findSharedLink(
  db: Database,
  keys: LinkKeys,
  token: string,
): Promise<SharedLink | undefined> {
  const [, prefix = '', publicId = '', mac = ''] = TOKEN_PATTERN.exec(token) ?? [];
  if (!publicId) return undefined;
  const row = await db.global
    .selectFrom('shared_links')
    .where('public_id', '=', publicId)
    .select([
      'tutor_id as tutorId',
      'kind',
      'target_id as targetId',
      'version',
      'moved_macs as movedMacs',
    ])
    .executeTakeFirst();
  if (!row) return undefined;
  const kind = row.kind as SharedLinkKind;
  const isValid =
    linkMacs(keys, kind, `${publicId} ${row.version}`).some((known) => secretsMatch(mac, known)) ||
    row.movedMacs.some((hash) => timingSafeEqual(hash, sha256(mac)));
  return isValid && PREFIXES[kind] === prefix
    ? { tutorId: row.tutorId, kind, targetId: row.targetId }
    : undefined;
}

/** Identifies a link in the keys of rate limits, which are stored. */
export const sharedLinkId = ({ tutorId, kind, targetId }: SharedLink): string =>
  `${tutorId} ${kind} ${targetId}`;
