import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import {
  changeFamily,
  dismissClaim,
  listBalances,
  listFamilies,
  readFamily,
  readStudentBalance,
  reverseOpening,
  setOpeningBalance,
} from './service/families.ts';
import { listPayments, readPayment } from './service/read-payments.ts';
import { recordPayment, refundPayment, reversePayment } from './service/record-payment.ts';
import { startPayment } from './service/start-payment.ts';

export function paymentRoutes(http: Http, context: Context): void {
  http.on(payments.listPayments, ({ login, query }) => listPayments(context, login.tutorId, query));
  http.on(payments.startPayment, ({ login, query }) => startPayment(context, login.tutorId, query));
  http.on(payments.payment, ({ login, params }) => readPayment(context, login.tutorId, params.id));
  http.on(payments.recordPayment, async ({ login, body, repeat }) =>
    readPayment(context, login.tutorId, await recordPayment(context, login.tutorId, body, repeat)),
  );
  http.on(payments.refundPayment, async ({ login, params, body, repeat }) =>
    readPayment(
      context,
      login.tutorId,
      await refundPayment(context, login.tutorId, params.id, body, repeat),
    ),
  );
  http.on(payments.reversePayment, async ({ login, params, repeat }) =>
    readPayment(
      context,
      login.tutorId,
      await reversePayment(context, login.tutorId, params.id, repeat),
    ),
  );
}

export function familyRoutes(http: Http, context: Context): void {
  http.on(families.listFamilies, ({ login }) => listFamilies(context, login.tutorId));
  http.on(families.balances, ({ login }) => listBalances(context, login.tutorId));
  http.on(families.family, ({ login, params, query }) =>
    readFamily(context, login.tutorId, params.id, query),
  );
  http.on(families.updateFamily, ({ login, params, body }) =>
    changeFamily(context, login.tutorId, params.id, body),
  );
  http.on(families.setOpeningBalance, async ({ login, params, body, repeat }) => ({
    balances: await setOpeningBalance(context, login.tutorId, params.id, body, repeat),
  }));
  http.on(families.reverseCharge, async ({ login, params, repeat }) => ({
    balances: await reverseOpening(context, login.tutorId, params.id, params.chargeId, repeat),
  }));
  http.on(families.dismissClaim, async ({ login, params }) => {
    await dismissClaim(context, login.tutorId, params.id);
    return { message: 'Set aside' };
  });
  http.on(families.studentBalance, ({ login, params }) =>
    readStudentBalance(context, login.tutorId, params.id),
  );
}
