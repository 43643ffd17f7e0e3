import { EARLIEST_DATE } from '@lessonbook/contract/dates';
import { expect, test } from 'vitest';
import {
  applyFields,
  type CommonFields,
  diffFields,
  toSeatColumns,
  toSessionColumns,
} from './lesson-field-changes.ts';

const session: CommonFields = {
  studentId: 1,
  subjectId: 2,
  title: 'Maya - Maths',
  fee: 3500,
  currency: 'GBP',
  place: null,
  usesGoogleMeet: false,
  travelFee: null,
  notes: null,
};
const form = { studentId: 1, subjectId: 2, title: 'Maya - Maths', fee: 35, currency: 'GBP' };

test('an unchanged form produces no changes', () => {
  expect(diffFields(session, form)).toEqual({});
  expect(diffFields(session, { ...form, place: '', notes: '' })).toEqual({});
});

test('returns only the changed fields', () => {
  expect(diffFields(session, { ...form, fee: 40.5, place: 'Library' })).toEqual({
    fee: 4050,
    place: 'Library',
  });
});

test('a cleared fee or place becomes null', () => {
  expect(diffFields({ ...session, place: 'Library' }, { ...form, fee: null })).toEqual({
    fee: null,
    place: null,
  });
});

test('Google Meet replaces any other place', () => {
  const meet = { place: 'Google Meet', usesGoogleMeet: true };
  expect(diffFields(session, { ...form, usesGoogleMeet: true, place: 'Library' })).toEqual(meet);
  const online = { ...session, ...meet };
  expect(diffFields(online, { ...form, usesGoogleMeet: true })).toEqual({});
  // If the field is omitted, Google Meet stays on.
  expect(diffFields(online, { ...form, place: 'Library' })).toEqual({});
  expect(diffFields(online, { ...form, usesGoogleMeet: false, place: 'Library' })).toEqual({
    place: 'Library',
    usesGoogleMeet: false,
  });
});

test('switching Google Meet on or off removes the link', () => {
  expect(toSessionColumns({ usesGoogleMeet: false, place: null })).toEqual({
    place: null,
    uses_google_meet: false,
    meet_link: null,
  });
});

test('copies every field except the notes to all sessions', () => {
  const changes = diffFields(session, {
    studentId: 3,
    subjectId: 4,
    title: 'Noah - Art',
    fee: null,
    currency: 'EUR',
    place: 'Studio',
    notes: 'Bring brushes',
  });
  expect(toSessionColumns(changes)).toEqual({
    subject_id: 4,
    title: 'Noah - Art',
    place: 'Studio',
  });
  expect(toSeatColumns(changes, 'lesson')).toEqual({
    student_id: 3,
    fee: null,
    fee_source: 'lesson',
    currency: 'EUR',
  });
  expect(toSessionColumns({})).toEqual({});
  const roster = [{ studentId: 1, position: 0, fee: 2000, fromDate: EARLIEST_DATE, toDate: null }];
  expect(applyFields({ ...session, roster }, changes)).toMatchObject({
    notes: 'Bring brushes',
    fee: null,
    roster: [{ studentId: 3, fee: null }],
  });
});
