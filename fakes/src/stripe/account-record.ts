import type { Stripe } from 'stripe';

export type CapabilityStatus = 'active' | 'pending' | 'restricted' | 'rejected' | 'unsupported';

/** A stored account; v1 and v2 of the API present it differently. */
export interface AccountRecord {
  id: string;
  createdAt: number;
  contactEmail: string | null;
  displayName: string | null;
  dashboard: 'full' | 'express' | 'none';
  country: string | null;
  entityType: Stripe.V2.Core.Account.Identity.EntityType | null;
  currency: string | null;
  feesCollector: 'application' | 'application_custom' | 'application_express' | 'stripe';
  lossesCollector: 'application' | 'stripe';
  metadata: Record<string, string>;
  isMerchant: boolean;
  detailsSubmitted: boolean;
  cardPayments: CapabilityStatus;
  payouts: CapabilityStatus;
  closed: boolean;
  deauthorized: boolean;
}

/** The v2 representation; the optional parts are present only if named in `include`. */
export function toV2Account(
  record: AccountRecord,
  include: readonly string[],
): Stripe.V2.Core.Account {
  return {
    id: record.id,
    object: 'v2.core.account',
    applied_configurations: record.isMerchant && !record.closed ? ['merchant'] : [],
    closed: record.closed,
    ...(record.contactEmail === null ? {} : { contact_email: record.contactEmail }),
    created: new Date(record.createdAt).toISOString(),
    dashboard: record.dashboard,
    ...(record.displayName === null ? {} : { display_name: record.displayName }),
    livemode: false,
    metadata: record.metadata,
    ...(include.includes('configuration.merchant')
      ? { configuration: toConfiguration(record) }
      : {}),
    ...(include.includes('defaults') ? { defaults: toDefaults(record) } : {}),
    ...(include.includes('identity') ? { identity: toIdentity(record) } : {}),
    ...(include.includes('requirements') ? { requirements: toRequirements(record) } : {}),
    ...(include.includes('future_requirements') ? { future_requirements: { entries: [] } } : {}),
  };
}

function toConfiguration(record: AccountRecord): Stripe.V2.Core.Account.Configuration {
  if (!record.isMerchant) return {};
  return {
    merchant: {
      applied: !record.closed,
      capabilities: {
        card_payments: {
          status: record.cardPayments,
          status_details: STATUS_DETAILS[record.cardPayments],
        },
        stripe_balance: {
          payouts: { status: record.payouts, status_details: STATUS_DETAILS[record.payouts] },
        },
      },
    },
  };
}

type StatusDetail =
  Stripe.V2.Core.Account.Configuration.Merchant.Capabilities.CardPayments.StatusDetail;

const STATUS_DETAILS: Record<CapabilityStatus, StatusDetail[]> = {
  active: [],
  pending: [{ code: 'requirements_pending_verification', resolution: 'no_resolution' }],
  restricted: [{ code: 'requirements_past_due', resolution: 'provide_info' }],
  rejected: [{ code: 'rejected_other', resolution: 'contact_stripe' }],
  unsupported: [{ code: 'unsupported_business', resolution: 'no_resolution' }],
};

function toDefaults(record: AccountRecord): Stripe.V2.Core.Account.Defaults {
  return {
    ...(record.currency === null ? {} : { currency: record.currency }),
    responsibilities: {
      fees_collector: record.feesCollector,
      losses_collector: record.lossesCollector,
      requirements_collector: 'stripe',
    },
  };
}

function toIdentity(record: AccountRecord): Stripe.V2.Core.Account.Identity {
  return {
    ...(record.country === null ? {} : { country: record.country }),
    ...(record.entityType === null ? {} : { entity_type: record.entityType }),
  };
}

/** Onboarding requirements, all of them due until the form is submitted. */
const REQUIREMENTS = ['identity.individual.date_of_birth', 'defaults.payout_methods'];

function toRequirements(record: AccountRecord): Stripe.V2.Core.Account.Requirements {
  const hasRequirements =
    !record.detailsSubmitted ||
    record.cardPayments === 'restricted' ||
    record.payouts === 'restricted';
  if (!hasRequirements) return { entries: [] };
  const deadline = { status: record.detailsSubmitted ? 'past_due' : 'currently_due' } as const;
  return {
    entries: REQUIREMENTS.map((description) => ({
      awaiting_action_from: 'user',
      description,
      errors: [],
      impact: {
        restricts_capabilities: [
          { capability: 'card_payments', configuration: 'merchant', deadline },
          { capability: 'stripe_balance.payouts', configuration: 'merchant', deadline },
        ],
      },
      minimum_deadline: deadline,
      requested_reasons: [{ code: 'routine_onboarding' }],
    })),
    summary: { minimum_deadline: deadline },
  };
}

/** The v1 representation. */
export function toV1Account(record: AccountRecord): Stripe.Account {
  return {
    id: record.id,
    object: 'account',
    ...(record.country === null ? {} : { country: record.country.toUpperCase() }),
    ...(record.currency === null ? {} : { default_currency: record.currency }),
    charges_enabled: record.cardPayments === 'active',
    details_submitted: record.detailsSubmitted,
    email: record.contactEmail,
    metadata: record.metadata,
    payouts_enabled: record.payouts === 'active',
    type: record.dashboard === 'full' ? 'standard' : 'none',
    capabilities: {
      card_payments: record.cardPayments === 'active' ? 'active' : 'inactive',
    },
  };
}
