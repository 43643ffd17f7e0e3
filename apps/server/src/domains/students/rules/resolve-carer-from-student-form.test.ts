import { describe, expect, test } from 'vitest';
import { type CarerForm, resolveCarerChange } from './resolve-carer-from-student-form.ts';

const BLANK = { carerName: '', carerRelationship: '', carerPhone: '', carerEmail: '' };
const resolve = (form: CarerForm, currentCarerId: number | null = null) =>
  resolveCarerChange(form, currentCarerId, '+44');

describe('a student without a carer', () => {
  test('stays without one when no carer field is filled in', () => {
    expect(resolve({})).toEqual({ kind: 'none' });
    expect(resolve(BLANK)).toEqual({ kind: 'none' });
    expect(resolve({ ...BLANK, carerId: null, carerName: null })).toEqual({ kind: 'none' });
  });

  test('gets a new carer when a name is given; blank fields become null and the phone number is normalised', () => {
    expect(resolve({ ...BLANK, carerName: 'Ruth Hale', carerPhone: '07700 900123' })).toEqual({
      kind: 'new',
      carer: { name: 'Ruth Hale', relationship: null, phone: '+447700900123', email: null },
    });
  });

  test('gets the selected one unchanged when the fields are blank', () => {
    const unchanged = { kind: 'existing', carerId: 7, change: {} };
    expect(resolve({ carerId: 7 })).toEqual(unchanged);
    expect(resolve({ ...BLANK, carerId: 7 })).toEqual(unchanged);
  });

  test('gets the selected one, and only the fields sent are changed', () => {
    expect(resolve({ carerId: 7, carerPhone: '07700 900123' })).toEqual({
      kind: 'existing',
      carerId: 7,
      change: { phone: '+447700900123' },
    });
    expect(resolve({ ...BLANK, carerId: 7, carerName: 'Ruth Hale' })).toEqual({
      kind: 'existing',
      carerId: 7,
      change: { name: 'Ruth Hale', relationship: null, phone: null, email: null },
    });
  });

  test.each(['carerRelationship', 'carerPhone', 'carerEmail'])(
    '%s without a name is rejected',
    (field) => {
      expect(resolve({ [field]: 'x' })).toEqual({ kind: 'missing_name' });
      expect(resolve({ ...BLANK, [field]: 'x' })).toEqual({ kind: 'missing_name' });
    },
  );
});

describe('a student with a carer', () => {
  test('keeps the carer and updates the details', () => {
    expect(resolve({ ...BLANK, carerName: 'Ruth Hale' }, 3)).toEqual({
      kind: 'existing',
      carerId: 3,
      change: { name: 'Ruth Hale', relationship: null, phone: null, email: null },
    });
    expect(resolve({ carerEmail: 'ruth@example.com' }, 3)).toEqual({
      kind: 'existing',
      carerId: 3,
      change: { email: 'ruth@example.com' },
    });
  });

  test('keeps the carer unchanged when no carer field is sent', () => {
    expect(resolve({}, 3)).toEqual({ kind: 'existing', carerId: 3, change: {} });
  });

  test('is detached from the carer when all fields are empty or carerId is null', () => {
    expect(resolve(BLANK, 3)).toEqual({ kind: 'none' });
    expect(resolve({ ...BLANK, carerId: null }, 3)).toEqual({ kind: 'none' });
    expect(resolve({ carerId: null }, 3)).toEqual({ kind: 'none' });
  });

  test('can be moved to another carer', () => {
    expect(resolve({ ...BLANK, carerId: 7 }, 3)).toEqual({
      kind: 'existing',
      carerId: 7,
      change: {},
    });
  });

  test('needs a carer’s name when other carer fields are filled in', () => {
    expect(resolve({ ...BLANK, carerPhone: '07700 900123' }, 3)).toEqual({ kind: 'missing_name' });
    expect(resolve({ ...BLANK, carerId: 3, carerPhone: '07700 900123' }, 3)).toEqual({
      kind: 'missing_name',
    });
  });
});
