import { accounts } from '@lessonbook/contract/accounts';
import type { BrowserContext, ConsoleMessage } from '@playwright/test';

export interface ConsoleGuard {
  /** Allows the browser's console error for this response. */
  allowErrorResponse: (path: string, status: number) => void;
  /** Allows console errors about being offline. */
  allowOffline: () => void;
  errors: () => string[];
}

/** Chromium's messages for requests and pages that fail while offline. */
const NO_NETWORK = /net::ERR_(INTERNET_DISCONNECTED|FAILED|NETWORK_CHANGED)/;

/** The app requests the current user even for a visitor who is not logged in. */
const ANONYMOUS_ME = { path: '/api/me', status: 401 };
/** The same in the family portal. */
const ANONYMOUS_CONTACT = { path: '/api/portal/login', status: 401 };

/** For this long after a logout, requests that were in flight may get a 401. */
const LOGOUT_GRACE_MS = 10_000;

export async function guardConsole(context: BrowserContext): Promise<ConsoleGuard> {
  const allowedResponses = [ANONYMOUS_ME, ANONYMOUS_CONTACT];
  const errors: string[] = [];
  let loggedOutAt = Number.NEGATIVE_INFINITY;
  let mayBeOffline = false;

  context.on('request', (request) => {
    if (new URL(request.url()).pathname === accounts.logout.path) loggedOutAt = performance.now();
  });

  function isAllowed(message: ConsoleMessage): boolean {
    const [, status] = message.text().match(/^Failed to load resource: .* status of (\d+)/) ?? [];
    if (!status) return mayBeOffline && NO_NETWORK.test(message.text());
    if (status === '401' && performance.now() - loggedOutAt < LOGOUT_GRACE_MS) return true;
    const { pathname } = new URL(message.location().url);
    return allowedResponses.some(
      (each) => each.path === pathname && each.status === Number(status),
    );
  }

  context.on('console', (message) => {
    if (message.type() !== 'error' || isAllowed(message)) return;
    errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (webError) => errors.push(`page: ${webError.error().stack}`));

  // The browser also logs violations, but the wording varies, so this uses the event.
  await context.exposeBinding('reportViolation', (_source, violation: string) => {
    errors.push(`content security policy: ${violation}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const report = Reflect.get(window, 'reportViolation') as (violation: string) => void;
      report(`${event.violatedDirective} blocked ${event.blockedURI || event.sourceFile}`);
    });
  });

  return {
    allowErrorResponse: (path, status) => void allowedResponses.push({ path, status }),
    allowOffline: () => {
      mayBeOffline = true;
    },
    errors: () => errors,
  };
}
