import type { Stripe } from 'stripe';
import {
  type AccountRecord,
  accountInV1,
  accountInV2,
  type CapabilityStatus,
} from './account-record.ts';
import { hint, tell } from './events.ts';
import { noAccess, Refusal } from './refusal.ts';
import type { World } from './world.ts';

type CreateParams = Stripe.V2.Core.AccountCreateParams;
type UpdateParams = Stripe.V2.Core.AccountUpdateParams;

export function createAccount(world: World, params: CreateParams): Stripe.V2.Core.Account {
  const responsibilities = params.defaults?.responsibilities;
  const dashboard = params.dashboard ?? 'full';
  if (dashboard === 'express' && responsibilities?.losses_collector === 'stripe') {
    throw new Refusal({
      status: 400,
      code: 'invalid_parameters',
      message: 'losses_collector "stripe" is not supported with the express dashboard.',
      beforeWork: true,
    });
  }
  const record: AccountRecord = {
    id: world.newId('account'),
    createdAt: world.clock.millis(),
    contactEmail: params.contact_email ?? null,
    displayName: params.display_name ?? null,
    dashboard,
    country: params.identity?.country?.toLowerCase() ?? null,
    entityType: params.identity?.entity_type ?? null,
    currency: params.defaults?.currency ?? null,
    feesCollector: responsibilities?.fees_collector ?? 'stripe',
    lossesCollector: responsibilities?.losses_collector ?? 'stripe',
    metadata: textsOf(params.metadata),
    isMerchant: params.configuration?.merchant !== undefined,
    detailsSubmitted: false,
    cardPayments: 'restricted',
    payouts: 'restricted',
    closed: false,
    deauthorized: false,
  };
  world.accounts.set(record.id, record);
  hint(world, 'v2.core.account.created', record.id);
  return accountInV2(record, params.include ?? []);
}

export function retrieveAccount(world: World, id: string, include: readonly string[]) {
  return accountInV2(findAccount(world, id), include);
}

export function retrieveAccountInV1(world: World, id: string): Stripe.Account {
  const record = world.accounts.get(id);
  if (!record || record.deauthorized) throw noAccess(id);
  return accountInV1(record);
}

export function updateAccount(world: World, id: string, params: UpdateParams) {
  const record = findAccount(world, id);
  if (record.closed) throw closedAlready(id);
  if (params.contact_email !== undefined) record.contactEmail = params.contact_email;
  if (params.display_name !== undefined) record.displayName = params.display_name;
  if (params.dashboard !== undefined) record.dashboard = params.dashboard;
  if (params.identity?.country !== undefined) {
    record.country = params.identity.country.toLowerCase();
  }
  if (params.defaults?.currency !== undefined) record.currency = params.defaults.currency;
  if (params.configuration?.merchant) record.isMerchant = true;
  for (const [key, value] of Object.entries(params.metadata ?? {})) {
    // As Stripe does: an empty value takes the key away.
    if (value === null || value === '') delete record.metadata[key];
    else record.metadata[key] = String(value);
  }
  hint(world, 'v2.core.account.updated', id);
  return accountInV2(record, params.include ?? []);
}

export function closeAccount(world: World, id: string): Stripe.V2.Core.Account {
  const record = findAccount(world, id);
  if (record.closed) throw closedAlready(id);
  record.closed = true;
  record.cardPayments = 'restricted';
  record.payouts = 'restricted';
  hint(world, 'v2.core.account.closed', id);
  return accountInV2(record, []);
}

/** The tutor finished the form: Stripe has all it asked for. */
export function completeOnboarding(world: World, id: string): void {
  findAccount(world, id).detailsSubmitted = true;
  setCapabilities(world, id, { cardPayments: 'active', payouts: 'active' });
}

export interface CapabilityChange {
  cardPayments?: CapabilityStatus;
  payouts?: CapabilityStatus;
}

export function setCapabilities(world: World, id: string, change: CapabilityChange): void {
  const record = findAccount(world, id);
  const changed: string[] = [];
  if (change.cardPayments !== undefined && change.cardPayments !== record.cardPayments) {
    record.cardPayments = change.cardPayments;
    changed.push('card_payments');
  }
  if (change.payouts !== undefined && change.payouts !== record.payouts) {
    record.payouts = change.payouts;
    changed.push('stripe_balance.payouts');
  }
  if (changed.length === 0) return;
  hint(world, 'v2.core.account[requirements].updated', id);
  for (const updated_capability of changed) {
    const type = 'v2.core.account[configuration.merchant].capability_status_updated';
    hint(world, type, id, { updated_capability });
  }
}

/** The tutor takes the platform's access away in their own dashboard. */
export function deauthorize(world: World, id: string): void {
  findAccount(world, id).deauthorized = true;
  const application = { id: 'ca_Lessonbook0000000000000000000', object: 'application' };
  tell(world, world.room(id), 'account.application.deauthorized', {
    ...application,
    name: 'Lessonbook',
  });
}

export function findAccount(world: World, id: string): AccountRecord {
  const record = world.accounts.get(id);
  if (!record) {
    throw new Refusal({ status: 404, code: 'not_found', message: `Account ${id} not found` });
  }
  if (record.deauthorized) throw noAccess(id);
  return record;
}

function closedAlready(id: string): Refusal {
  return new Refusal({
    status: 400,
    code: 'account_closed',
    message: `Account ${id} has been closed.`,
  });
}

function textsOf(values: object | null | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([key, value]) => [key, String(value)]),
  );
}
