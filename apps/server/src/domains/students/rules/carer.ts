import type { StudentInput } from '@lessonbook/contract/students';
import { normalizePhone } from './phone.ts';

export interface CarerDetails {
  name: string;
  relationship: string | null;
  phone: string | null;
  email: string | null;
}

/** What saving a student means for the carer. */
export type CarerPlan =
  | { kind: 'none' }
  | { kind: 'new'; carer: CarerDetails }
  | { kind: 'existing'; carerId: number; change: Partial<CarerDetails> }
  | { kind: 'nameless' };

export type CarerForm = Pick<
  StudentInput,
  'carerId' | 'carerName' | 'carerRelationship' | 'carerPhone' | 'carerEmail'
>;

type GivenFields = { [Field in keyof CarerDetails]: string | null | undefined };

/**
 * A picked carer is taken, else the student's own is kept, and what the form says about it changes it for every student
 * who shares it. An empty field clears; a field that was not sent stays. Emptying all of them parts the student
 * from the carer, who stays in the book: siblings and past charges may refer to it.
 */
export function planCarer(
  form: CarerForm,
  ownCarerId: number | null,
  callingCode: string | null,
): CarerPlan {
  const given = givenFields(form, callingCode);
  const isFilled = Object.values(given).some((value) => typeof value === 'string');
  // An explicit none parts the student from the carer; a name beside it is somebody new.
  const carerId = form.carerId === undefined ? ownCarerId : form.carerId;

  if (carerId === null) {
    if (!isFilled) return { kind: 'none' };
    const { name, relationship = null, phone = null, email = null } = given;
    return name
      ? { kind: 'new', carer: { name, relationship, phone, email } }
      : { kind: 'nameless' };
  }
  if (!isFilled) {
    // A picked carer comes with blank fields when the tutor did not touch them.
    const isPicked = typeof form.carerId === 'number';
    const isUnsaid = Object.values({ ...given, id: form.carerId }).every((it) => it === undefined);
    return isPicked || isUnsaid ? { kind: 'existing', carerId, change: {} } : { kind: 'none' };
  }
  if (given.name === null) return { kind: 'nameless' };
  const change = Object.entries(given).filter(([, value]) => value !== undefined);
  return { kind: 'existing', carerId, change: Object.fromEntries(change) };
}

function givenFields(form: CarerForm, callingCode: string | null): GivenFields {
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
