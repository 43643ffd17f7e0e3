/** A value of `kind` in tenant_schedule. The work is due when the next instalment is due or has been missed. */
export const INSTALMENTS_WORK = 'instalments';
