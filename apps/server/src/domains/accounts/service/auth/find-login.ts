import type { Context } from '../../../../context.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import { skipIfMoving } from '../../../../platform/db/tutor-move-write-guards.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import { findLoginByToken, updateLoginLastSeen } from '../../queries/logins.ts';
import { isLastSeenStale, loginExpiry, recentAuthCutoff } from '../../rules/expirations.ts';

/** Resolves the login cookie; runs on every authenticated request. */
export async function findLogin(context: Context, token: string): Promise<Login | null> {
  const { db, clock } = context;
  const tokenHash = sha256(token);
  const now = clock.now();
  const login = await findLoginByToken(db.global, tokenHash, now);
  if (!login) return null;
  const found: Login = {
    tutorId: login.tutorId,
    tokenHash,
    isRecentlyAuthenticated: login.reauthenticatedAt > recentAuthCutoff(now),
  };
  if (!isLastSeenStale(login.lastSeenAt, now)) return found;
  const extendedUntil = loginExpiry(login.createdAt, now);
  const isExtended = await skipIfMoving(updateLoginLastSeen(db.global, found, now, extendedUntil));
  return isExtended ? { ...found, extendedUntil } : found;
}
