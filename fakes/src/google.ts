import { randomInt } from 'node:crypto';
import { createConformance } from './google/api-description-conformance.ts';
import { CallLog } from './google/call-log.ts';
import { Channels } from './google/channels.ts';
import type { Client, ConsentContext } from './google/consent.ts';
import type { GoogleControl } from './google/control-interface.ts';
import { createControl } from './google/create-control.ts';
import { CALENDAR_SCOPE, Grants } from './google/grants.ts';
import type { ApiContext } from './google/handle-calendar-api-request.ts';
import { handleCalendarRequest } from './google/handle-calendar-api-request.ts';
import { handlePage } from './google/handle-page-request.ts';
import { ID_FORMATS } from './google/id-formats.ts';
import { ListTokens } from './google/list-tokens.ts';
import { handleOauth } from './google/oauth.ts';
import { DEFAULT_QUOTAS, QuotaCounter, type Quotas } from './google/quota.ts';
import { GoogleState } from './google/state.ts';
import { AdjustableClock, type TimeSource } from './shared/clock.ts';
import { remoteControl } from './shared/control-http.ts';
import { Faults } from './shared/faults.ts';
import { createIdGenerator, seededRandom } from './shared/seeded-random-and-ids.ts';
import { serve } from './shared/server.ts';
import type { DeliverySettings } from './shared/webhook-delivery.ts';

export interface GoogleOptions {
  /** Defaults to a free port. */
  port?: number;
  host?: string;
  client?: Client;
  /** The user pre-filled on the consent page. */
  defaultUser?: string;
  /** Rejects consent requests without PKCE S256. Defaults to true, although Google does not require it. */
  requirePkce?: boolean;
  /** App in "Testing" status: refresh tokens expire after seven days. */
  testing?: boolean;
  quotas?: Partial<Quotas>;
  /** Rejects channels with http addresses, as Google does. */
  httpsOnly?: boolean;
  /** Maximum page size of lists; overrides a larger `maxResults`. */
  pageLimit?: number;
  delivery?: Partial<DeliverySettings>;
  clock?: TimeSource;
  /** The same seed and the same calls produce the same ids. Defaults to a random seed. */
  seed?: number;
  /** Base URL for browsers, if it differs from the listen address. */
  publicUrl?: string;
}

export interface FakeGoogle {
  url: string;
  client: Client;
  scope: string;
  /** For the `endpoints` option of google-auth-library's `OAuth2Client`. */
  endpoints: { oauth2AuthBaseUrl: string; oauth2TokenUrl: string; oauth2RevokeUrl: string };
  control: GoogleControl;
  close: () => Promise<void>;
}

const DEFAULT_CLIENT: Client = {
  id: 'lessonbook.apps.googleusercontent.com',
  secret: 'GOCSPX-lessonbook',
};

/** A stateful fake for Google OAuth and Calendar v3: users, calendars, events and channels. */
export async function startGoogle(options: GoogleOptions = {}): Promise<FakeGoogle> {
  const seed = options.seed ?? randomInt(2 ** 31);
  const clock = new AdjustableClock(options.clock);
  const newId = createIdGenerator(ID_FORMATS, seededRandom(seed));
  const client = options.client ?? DEFAULT_CLIENT;
  const defaultUser = options.defaultUser ?? 'tutor@gmail.example';

  const state = new GoogleState(clock, newId);
  state.pageLimit = options.pageLimit ?? state.pageLimit;
  const grants = new Grants(clock, newId);
  grants.testing = options.testing ?? false;
  const channels = new Channels(state, seededRandom(seed + 1));
  channels.httpsOnly = options.httpsOnly ?? false;
  channels.queue.settings = { ...channels.settings, ...options.delivery };
  state.onChange = (calendar) => channels.notifyChange(calendar);
  const quota = new QuotaCounter(clock);
  quota.quotas = { ...DEFAULT_QUOTAS, ...options.quotas };

  const api: ApiContext = {
    state,
    grants,
    channels,
    listTokens: new ListTokens(state),
    quota,
    faults: new Faults(),
    conformance: createConformance(),
    calls: new CallLog(),
  };
  const requirePkce = options.requirePkce ?? true;
  const consent: ConsentContext = { client, grants, newId, requirePkce, requests: new Map() };
  const control = createControl(api, consent, defaultUser);

  const server = await serve({
    name: 'Google',
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    control,
    handle: async (exchange) => {
      if (handlePage({ state, consent, defaultUser }, exchange)) return;
      if (await handleOauth({ client, grants, faults: api.faults }, exchange)) return;
      await handleCalendarRequest(api, exchange);
    },
  });
  state.baseUrl = options.publicUrl ?? server.url;

  return {
    url: server.url,
    client,
    scope: CALENDAR_SCOPE,
    endpoints: {
      oauth2AuthBaseUrl: `${state.baseUrl}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${server.url}/token`,
      oauth2RevokeUrl: `${server.url}/revoke`,
    },
    control,
    close: async () => {
      channels.close();
      await server.close();
    },
  };
}

/** Controls a fake that runs in another process. */
export function connectGoogle(url: string): GoogleControl {
  return remoteControl(url) as GoogleControl;
}
