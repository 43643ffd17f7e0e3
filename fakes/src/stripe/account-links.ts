import type { Stripe } from 'stripe';
import { findAccount } from './accounts.ts';
import { invalidParam, missingParam } from './refusal.ts';
import type { World } from './world.ts';

const LIVES_MILLIS = 5 * 60_000;

export function createAccountLink(
  world: World,
  params: Partial<Stripe.V2.Core.AccountLinkCreateParams>,
): Stripe.V2.Core.AccountLink {
  if (params.account === undefined) throw missingParam('account');
  const useCase = params.use_case;
  if (useCase === undefined) throw missingParam('use_case');
  const urls = useCase.account_onboarding ?? useCase.account_update;
  if (urls === undefined) throw missingParam(`use_case.${useCase.type}`);
  if (!URL.canParse(urls.refresh_url)) {
    throw invalidParam('use_case.refresh_url', 'Not a valid URL', 'url_invalid');
  }
  const record = findAccount(world, params.account);
  if (record.closed) throw invalidParam('account', 'The account has been closed.');

  const token = world.newId('link');
  world.links.set(token, {
    token,
    account: record.id,
    refreshUrl: urls.refresh_url,
    returnUrl: urls.return_url ?? urls.refresh_url,
    expiresAt: world.clock.millis() + LIVES_MILLIS,
    state: 'fresh',
  });
  return {
    object: 'v2.core.account_link',
    account: record.id,
    created: world.clock.iso(),
    expires_at: world.clock.iso(LIVES_MILLIS),
    livemode: false,
    url: `${world.baseUrl}/setup/e/${record.id}/${token}`,
    use_case: useCase,
  };
}
