import { arrears } from '@lessonbook/contract/arrears';
import { families } from '@lessonbook/contract/families';
import { payments } from '@lessonbook/contract/payments';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { students } from '@lessonbook/contract/students';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { readArrears, reverseWriteOff, writeOff } from './service/arrears-and-write-offs.ts';
import {
  changeFamily,
  dismissClaim,
  listFamilies,
  listOwingFamilies,
  readFamily,
  readStudentBalance,
  replacePayLink,
} from './service/families.ts';
import { agreeInstalments, endInstalments } from './service/instalment-plans.ts';
import { reverseOpeningBalance, setOpeningBalance } from './service/opening-balance.ts';
import { setPayers } from './service/payers.ts';
import { readPaymentForm } from './service/payment-form.ts';
import { previewStudentDeletion } from './service/preview-student-deletion.ts';
import { listPayments, readPayment } from './service/read-payments.ts';
import { recordPayment, reversePayment } from './service/record-and-reverse-payments.ts';
import { refundPayment } from './service/refund-payment.ts';

export function paymentRoutes(http: HttpServer, context: Context): void {
  http.on(payments.listPayments, ({ login, query }) => listPayments(context, login.tutorId, query));
  http.on(payments.paymentFormData, ({ login, query }) =>
    readPaymentForm(context, login.tutorId, query),
  );
  http.on(payments.payment, ({ login, params }) => readPayment(context, login.tutorId, params.id));
  http.on(payments.recordPayment, async ({ login, body, idempotencyKey }) =>
    readPayment(
      context,
      login.tutorId,
      await recordPayment(context, login.tutorId, body, idempotencyKey),
    ),
  );
  http.on(payments.refundPayment, async ({ login, params, body, idempotencyKey }) =>
    readPayment(
      context,
      login.tutorId,
      await refundPayment(context, login.tutorId, params.id, body, idempotencyKey),
    ),
  );
  http.on(payments.reversePayment, async ({ login, params, idempotencyKey }) =>
    readPayment(
      context,
      login.tutorId,
      await reversePayment(context, login.tutorId, params.id, idempotencyKey),
    ),
  );
}

export function familyRoutes(http: HttpServer, context: Context): void {
  http.on(families.listFamilies, ({ login, query }) => listFamilies(context, login.tutorId, query));
  http.on(families.balances, ({ login, query }) =>
    listOwingFamilies(context, login.tutorId, query),
  );
  http.on(families.family, ({ login, params, query }) =>
    readFamily(context, login.tutorId, params.id, query),
  );
  http.on(families.updateFamily, ({ login, params, body }) =>
    changeFamily(context, login.tutorId, params.id, body),
  );
  http.on(families.replacePayLink, ({ login, params }) =>
    replacePayLink(context, login.tutorId, params.id),
  );
  http.on(families.setOpeningBalance, async ({ login, params, body, idempotencyKey }) => ({
    balances: await setOpeningBalance(context, login.tutorId, params.id, body, idempotencyKey),
  }));
  http.on(families.reverseCharge, async ({ login, params, idempotencyKey }) => ({
    balances: await reverseOpeningBalance(
      context,
      login.tutorId,
      params.id,
      params.chargeId,
      idempotencyKey,
    ),
  }));
  http.on(arrears.arrears, ({ login, params }) => readArrears(context, login.tutorId, params.id));
  http.on(arrears.writeOff, async ({ login, params, body, idempotencyKey }) => {
    await writeOff(context, login.tutorId, params.id, body, idempotencyKey);
    return {};
  });
  http.on(arrears.reverseWriteOff, async ({ login, params, body, idempotencyKey }) => {
    await reverseWriteOff(context, login.tutorId, params.id, body.chargeIds, idempotencyKey);
    return {};
  });
  http.on(arrears.agreeInstalments, async ({ login, params, body, idempotencyKey }) => {
    await agreeInstalments(context, login.tutorId, params.id, body, idempotencyKey);
    return {};
  });
  http.on(arrears.endInstalments, async ({ login, params, body }) => {
    await endInstalments(context, login.tutorId, params.id, body.currency);
    return {};
  });
  http.on(families.dismissClaim, async ({ login, params }) => {
    await dismissClaim(context, login.tutorId, params.id);
    return { message: 'Set aside' };
  });
  http.on(studentContacts.setPayers, ({ login, params, body }) =>
    setPayers(context, login.tutorId, params.id, body),
  );
  http.on(families.studentBalance, ({ login, params }) =>
    readStudentBalance(context, login.tutorId, params.id),
  );
  http.on(students.previewStudentDeletion, ({ login, params }) =>
    previewStudentDeletion(context, login.tutorId, params.id),
  );
}
