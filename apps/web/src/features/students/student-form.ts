import type { Carer, Student, StudentInput } from '@lessonbook/contract/students';

/** The order is that of the screen: the first wrong one gets the focus. */
export function formOf(student: Student | null) {
  return {
    name: student?.name ?? '',
    phone: student?.phone ?? '',
    email: student?.email ?? '',
    subject: student?.subject ?? '',
    notes: student?.notes ?? '',
    carerName: student?.carerName ?? '',
    carerRelationship: student?.carerRelationship ?? '',
    carerPhone: student?.carerPhone ?? '',
    carerEmail: student?.carerEmail ?? '',
  };
}

type StudentForm = ReturnType<typeof formOf>;

export const blankCarer = {
  carerName: '',
  carerRelationship: '',
  carerPhone: '',
  carerEmail: '',
} as const satisfies Partial<StudentForm>;

export const carerFields = (carer: Carer) => ({
  carerName: carer.name,
  carerRelationship: carer.relationship ?? '',
  carerPhone: carer.phone ?? '',
  carerEmail: carer.email ?? '',
});

/** Emptying all that is said about a carer parts the student from them; the carer stays in the book. */
export function toInput(form: StudentForm, carerId: number | null): StudentInput {
  const said = Object.keys(blankCarer) as (keyof typeof blankCarer)[];
  return { ...form, carerId: said.some((field) => form[field].trim() !== '') ? carerId : null };
}
