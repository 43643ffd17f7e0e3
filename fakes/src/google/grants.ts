import { createHash } from 'node:crypto';
import type { AdjustableClock } from '../shared/clock.ts';
import type { IdKind } from './id-formats.ts';
import { OauthError } from './oauth-error.ts';

export const CALENDAR_SCOPE = 'https://www.googleapis.com/auth/calendar.app.created';

const MINUTE = 60_000;
const DAY = 86_400_000;
const CODE_TTL = 10 * MINUTE;
const UNUSED_TTL = 183 * DAY;
const TESTING_TTL = 7 * DAY;
const ACCESS_SECONDS = 3_599;

/** What a user granted on the consent page. */
export interface Consent {
  user: string;
  scopes: string[];
  redirectUri: string;
  challenge: string | null;
  challengeMethod: 'S256' | 'plain';
  /** `access_type=offline`. */
  offline: boolean;
  /** `prompt=consent`: issues a refresh token even if the user already has one. */
  promptConsent: boolean;
}

interface RefreshToken {
  user: string;
  scopes: string[];
  createdAt: number;
  usedAt: number;
}

export interface AccessToken {
  user: string;
  scopes: string[];
  expiresAt: number;
}

export interface TokenResponse {
  access_token: string;
  expires_in: number;
  scope: string;
  token_type: 'Bearer';
  refresh_token?: string;
  refresh_token_expires_in?: number;
}

/** Users' grants and their tokens. */
export class Grants {
  /** App in "Testing" status: refresh tokens expire after seven days. */
  testing = false;
  private readonly codes = new Map<string, Consent & { createdAt: number }>();
  private readonly refreshTokens = new Map<string, RefreshToken>();
  private readonly accessTokens = new Map<string, AccessToken>();
  private readonly clock: AdjustableClock;
  private readonly newId: (kind: IdKind) => string;

  constructor(clock: AdjustableClock, newId: (kind: IdKind) => string) {
    this.clock = clock;
    this.newId = newId;
  }

  createCode(consent: Consent): string {
    const code = this.newId('code');
    this.codes.set(code, { ...consent, createdAt: this.clock.millis() });
    return code;
  }

  /** Single use: a failed attempt also invalidates the code. */
  exchangeCode(code: string, redirectUri: string, verifier: string | null): TokenResponse {
    const consent = this.codes.get(code);
    this.codes.delete(code);
    if (!consent || consent.createdAt + CODE_TTL < this.clock.millis()) {
      throw new OauthError(400, 'invalid_grant', 'Bad Request');
    }
    if (consent.redirectUri !== redirectUri) {
      throw new OauthError(400, 'redirect_uri_mismatch', 'Bad Request');
    }
    checkVerifier(consent, verifier);
    const { user, scopes, offline, promptConsent } = consent;
    const isFirstGrant = !this.hasRefreshToken(user);
    return {
      ...this.createAccessToken(user, scopes),
      ...(offline && (promptConsent || isFirstGrant) ? this.createRefreshToken(user, scopes) : {}),
    };
  }

  refresh(token: string): TokenResponse {
    const now = this.clock.millis();
    const stored = this.refreshTokens.get(token);
    const isExpired =
      !stored ||
      stored.usedAt + UNUSED_TTL < now ||
      (this.testing && stored.createdAt + TESTING_TTL <= now);
    if (isExpired) {
      throw new OauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
    }
    stored.usedAt = now;
    return this.createAccessToken(stored.user, stored.scopes);
  }

  /** Revoking one token revokes all of the user's tokens. */
  revokeToken(token: string): void {
    const stored = this.refreshTokens.get(token) ?? this.accessTokens.get(token);
    if (!stored) throw new OauthError(400, 'invalid_token', 'Token expired or revoked');
    this.revoke(stored.user);
  }

  revoke(user: string): void {
    for (const tokens of [this.refreshTokens, this.accessTokens, this.codes]) {
      for (const [token, stored] of tokens) if (stored.user === user) tokens.delete(token);
    }
  }

  /** Expires access tokens early, so that the next call has to refresh. */
  expireAccessTokens(user?: string): void {
    for (const [token, stored] of this.accessTokens) {
      if (user === undefined || stored.user === user) this.accessTokens.delete(token);
    }
  }

  /** The access token, if it is still valid. */
  findAccessToken(token: string): AccessToken | undefined {
    const stored = this.accessTokens.get(token);
    return stored && stored.expiresAt > this.clock.millis() ? stored : undefined;
  }

  /** The granted scopes, or null if not connected. */
  scopesOf(user: string): string[] | null {
    const stored = [...this.refreshTokens.values()].filter((each) => each.user === user).at(-1);
    return stored?.scopes ?? null;
  }

  users(): string[] {
    return [...new Set([...this.refreshTokens.values()].map(({ user }) => user))];
  }

  private hasRefreshToken(user: string): boolean {
    return this.scopesOf(user) !== null;
  }

  private createAccessToken(user: string, scopes: string[]): TokenResponse {
    const token = this.newId('accessToken');
    const expiresAt = this.clock.millis() + ACCESS_SECONDS * 1000;
    this.accessTokens.set(token, { user, scopes, expiresAt });
    return {
      access_token: token,
      expires_in: ACCESS_SECONDS,
      scope: scopes.join(' '),
      token_type: 'Bearer',
    };
  }

  private createRefreshToken(user: string, scopes: string[]) {
    const token = this.newId('refreshToken');
    const now = this.clock.millis();
    this.refreshTokens.set(token, { user, scopes, createdAt: now, usedAt: now });
    return {
      refresh_token: token,
      ...(this.testing ? { refresh_token_expires_in: TESTING_TTL / 1000 - 1 } : {}),
    };
  }
}

function checkVerifier({ challenge, challengeMethod }: Consent, verifier: string | null): void {
  if (challenge === null) return;
  if (verifier === null) throw new OauthError(400, 'invalid_grant', 'Missing code verifier.');
  const computed =
    challengeMethod === 'S256'
      ? createHash('sha256').update(verifier).digest('base64url')
      : verifier;
  if (computed !== challenge) throw new OauthError(400, 'invalid_grant', 'Invalid code verifier.');
}
