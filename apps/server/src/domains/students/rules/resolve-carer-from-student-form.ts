import type { StudentInput } from '@lessonbook/contract/students';
import { normalizePhone } from './phone.ts';

export interface CarerDetails {
  name: string;
  relationship: string | null;
  phone: string | null;
  email: string | null;
}

/** How saving a student affects the carer. */
export type CarerChange =
  | { kind: 'none' }
  | { kind: 'new'; carer: CarerDetails }
  | { kind: 'existing'; carerId: number; change: Partial<CarerDetails> }
  | { kind: 'missing_name' };

export type CarerForm = Pick<
  StudentInput,
  'carerId' | 'carerName' | 'carerRelationship' | 'carerPhone' | 'carerEmail'
>;

type FormFields = { [Field in keyof CarerDetails]: string | null | undefined };

/**
 * Uses the selected carer, or the student's current carer if none is selected. Changes apply to every student who
 * shares the carer. An empty field is cleared; a field that was not sent is left unchanged. If all fields are empty,
 * the carer is detached from the student but not deleted, because siblings and past charges may refer to it.
 */
export function resolveCarerChange(
  form: CarerForm,
  currentCarerId: number | null,
  callingCode: string | null,
): CarerChange {
  const fields = toFields(form, callingCode);
  const isFilled = Object.values(fields).some((value) => typeof value === 'string');
  // An explicit null detaches the carer, or creates a new one if a name is sent as well.
  const carerId = form.carerId === undefined ? currentCarerId : form.carerId;

  if (carerId === null) {
    if (!isFilled) return { kind: 'none' };
    const { name, relationship = null, phone = null, email = null } = fields;
    return name
      ? { kind: 'new', carer: { name, relationship, phone, email } }
      : { kind: 'missing_name' };
  }
  if (!isFilled) {
    // The form sends blank fields for a selected carer whose details the tutor has not edited.
    const isSelected = typeof form.carerId === 'number';
    const isOmitted = Object.values({ ...fields, id: form.carerId }).every(
      (value) => value === undefined,
    );
    return isSelected || isOmitted ? { kind: 'existing', carerId, change: {} } : { kind: 'none' };
  }
  if (fields.name === null) return { kind: 'missing_name' };
  const change = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { kind: 'existing', carerId, change: Object.fromEntries(change) };
}

function toFields(form: CarerForm, callingCode: string | null): FormFields {
  const phone = emptyToNull(form.carerPhone);
  return {
    name: emptyToNull(form.carerName),
    relationship: emptyToNull(form.carerRelationship),
    phone: phone ? normalizePhone(phone, callingCode) : phone,
    email: emptyToNull(form.carerEmail),
  };
}

const emptyToNull = (text: string | null | undefined): string | null | undefined =>
  text === '' ? null : text;
