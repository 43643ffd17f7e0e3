import { defineEndpoints } from './endpoint.ts';
import { IdParams } from './schema-fields.ts';
import { Session } from './sessions.ts';

export const cancellationFees = defineEndpoints({
  waiveCancellationFee: {
    method: 'POST',
    path: '/api/sessions/:id/waive-cancellation-fee',
    access: 'login',
    summary:
      'Waive the fee for a cancellation; an amount that was already charged is reversed or credited',
    params: IdParams,
    reply: Session,
  },
});
