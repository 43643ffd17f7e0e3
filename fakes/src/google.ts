import { randomInt } from 'node:crypto';
import type { ApiContext } from './google/api.ts';
import { handleApi } from './google/api.ts';
import { CallLog } from './google/call-log.ts';
import { Channels } from './google/channels.ts';
import { openConformance } from './google/conformance.ts';
import type { Client, ConsentContext } from './google/consent.ts';
import type { GoogleControl } from './google/control.ts';
import { createControl } from './google/control-api.ts';
import { CALENDAR_SCOPE, Grants } from './google/grants.ts';
import { ID_FORMATS } from './google/ids.ts';
import { ListTokens } from './google/list-tokens.ts';
import { handleOauth } from './google/oauth.ts';
import { handlePage } from './google/pages.ts';
import { DEFAULT_QUOTAS, QuotaCounter, type Quotas } from './google/quota.ts';
import { GoogleState } from './google/state.ts';
import { AdjustableClock, type TimeSource } from './shared/clock.ts';
import { remoteControl } from './shared/control-http.ts';
import { Faults } from './shared/faults.ts';
import { createIdGenerator, seededRandom } from './shared/ids.ts';
import { serve } from './shared/server.ts';
import type { DeliverySettings } from './shared/webhook-delivery.ts';

export interface GoogleOptions {
  /** A free port when left out. */
  port?: number;
  host?: string;
  client?: Client;
  /** Whom the consent page suggests. */
  defaultUser?: string;
  /** Refuses consent without S256; on unless told otherwise, though Google does without. */
  requirePkce?: boolean;
  /** An app in Testing: refresh tokens die after seven days. */
  testing?: boolean;
  quotas?: Partial<Quotas>;
  /** Refuses channels to http addresses, as Google does. */
  httpsOnly?: boolean;
  /** Lists come in pages of no more than this, whatever was asked for. */
  pageLimit?: number;
  delivery?: Partial<DeliverySettings>;
  clock?: TimeSource;
  /** The same ids for the same seed and the same calls; new ones with every start when left out. */
  seed?: number;
  /** How a browser reaches the pages, where that is not the address it listens at. */
  publicUrl?: string;
}

export interface FakeGoogle {
  url: string;
  client: Client;
  scope: string;
  /** For `endpoints` of google-auth-library's `OAuth2Client`. */
  endpoints: { oauth2AuthBaseUrl: string; oauth2TokenUrl: string; oauth2RevokeUrl: string };
  control: GoogleControl;
  close: () => Promise<void>;
}

const DEFAULT_CLIENT: Client = {
  id: 'lessonbook.apps.googleusercontent.com',
  secret: 'GOCSPX-lessonbook',
};

/** A stand-in for Google's OAuth and Calendar v3 that remembers users, calendars, events and channels. */
export async function startGoogle(options: GoogleOptions = {}): Promise<FakeGoogle> {
  const seed = options.seed ?? randomInt(2 ** 31);
  const clock = new AdjustableClock(options.clock);
  const newId = createIdGenerator(ID_FORMATS, seededRandom(seed));
  const client = options.client ?? DEFAULT_CLIENT;
  const defaultUser = options.defaultUser ?? 'tutor@gmail.example';

  const world = new GoogleState(clock, newId);
  world.pageLimit = options.pageLimit ?? world.pageLimit;
  const grants = new Grants(clock, newId);
  grants.testing = options.testing ?? false;
  const channels = new Channels(world, seededRandom(seed + 1));
  channels.httpsOnly = options.httpsOnly ?? false;
  channels.queue.settings = { ...channels.settings, ...options.delivery };
  world.onChange = (calendar) => channels.notifyChange(calendar);
  const traffic = new QuotaCounter(clock);
  traffic.quotas = { ...DEFAULT_QUOTAS, ...options.quotas };

  const api: ApiContext = {
    state: world,
    grants,
    channels,
    lists: new ListTokens(world),
    quota: traffic,
    faults: new Faults(),
    conformance: openConformance(),
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
      if (handlePage({ state: world, consent, defaultUser }, exchange)) return;
      if (await handleOauth({ client, grants, faults: api.faults }, exchange)) return;
      await handleApi(api, exchange);
    },
  });
  world.baseUrl = options.publicUrl ?? server.url;

  return {
    url: server.url,
    client,
    scope: CALENDAR_SCOPE,
    endpoints: {
      oauth2AuthBaseUrl: `${world.baseUrl}/o/oauth2/v2/auth`,
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

/** The control of a stand-in that another process started. */
export function connectGoogle(url: string): GoogleControl {
  return remoteControl(url) as GoogleControl;
}
