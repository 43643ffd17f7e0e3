import { accounts } from '@lessonbook/contract/accounts';
import type { BrowserContext, ConsoleMessage } from '@playwright/test';

export interface ConsoleGuard {
  /** Announces that the server will refuse this call; the browser's remark on it is then no complaint. */
  allowErrorResponse: (path: string, status: number) => void;
  /** Announces that the test takes the network away; what the browser says about that is then no complaint. */
  allowOffline: () => void;
  errors: () => string[];
}

/** In Chromium's words, of a call and of a page. */
const NO_NETWORK = /net::ERR_(INTERNET_DISCONNECTED|FAILED|NETWORK_CHANGED)/;

/** A visitor without a login asks who is signed in and is told: nobody. */
const ANONYMOUS_ME = { path: '/api/me', status: 401 };

/** What was on its way when somebody logged out is refused; no longer than this after. */
const LOGOUT_GRACE_MS = 10_000;

export async function guardConsole(context: BrowserContext): Promise<ConsoleGuard> {
  const refusals = [ANONYMOUS_ME];
  const complaints: string[] = [];
  let leftAt = Number.NEGATIVE_INFINITY;
  let mayLackNetwork = false;

  context.on('request', (asked) => {
    if (new URL(asked.url()).pathname === accounts.logout.path) leftAt = performance.now();
  });

  function isAnnounced(message: ConsoleMessage): boolean {
    const [, status] = message.text().match(/^Failed to load resource: .* status of (\d+)/) ?? [];
    if (!status) return mayLackNetwork && NO_NETWORK.test(message.text());
    if (status === '401' && performance.now() - leftAt < LOGOUT_GRACE_MS) return true;
    const { pathname } = new URL(message.location().url);
    return refusals.some((each) => each.path === pathname && each.status === Number(status));
  }

  context.on('console', (message) => {
    if (message.type() !== 'error' || isAnnounced(message)) return;
    complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (problem) => complaints.push(`page: ${problem.error().stack}`));

  // The browser also logs violations, but words them as it likes; the event is certain.
  await context.exposeBinding('reportViolation', (_source, what: string) => {
    complaints.push(`content security policy: ${what}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = Reflect.get(window, 'reportViolation') as (what: string) => void;
      report(`${event.violatedDirective} refused ${event.blockedURI || event.sourceFile}`);
    });
  });

  return {
    allowErrorResponse: (path, status) => void refusals.push({ path, status }),
    allowOffline: () => {
      mayLackNetwork = true;
    },
    errors: () => complaints,
  };
}
