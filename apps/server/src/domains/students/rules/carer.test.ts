import { describe, expect, test } from 'vitest';
import { type CarerForm, planCarer } from './carer.ts';

const BLANK = { carerName: '', carerRelationship: '', carerPhone: '', carerEmail: '' };
const plan = (form: CarerForm, ownCarerId: number | null = null) =>
  planCarer(form, ownCarerId, '+44');

describe('a student without a carer', () => {
  test('stays without when nothing is said, however it is not said', () => {
    expect(plan({})).toEqual({ kind: 'none' });
    expect(plan(BLANK)).toEqual({ kind: 'none' });
    expect(plan({ ...BLANK, carerId: null, carerName: null })).toEqual({ kind: 'none' });
  });

  test('gets a new one by name, its blank fields empty and its phone readable', () => {
    expect(plan({ ...BLANK, carerName: 'Ruth Hale', carerPhone: '07700 900123' })).toEqual({
      kind: 'new',
      carer: { name: 'Ruth Hale', relationship: null, phone: '+447700900123', email: null },
    });
  });

  test('gets the picked one as it is when the fields are blank', () => {
    const asItIs = { kind: 'existing', carerId: 7, change: {} };
    expect(plan({ carerId: 7 })).toEqual(asItIs);
    expect(plan({ ...BLANK, carerId: 7 })).toEqual(asItIs);
  });

  test('a picked one is changed by what is given, and only by that', () => {
    expect(plan({ carerId: 7, carerPhone: '07700 900123' })).toEqual({
      kind: 'existing',
      carerId: 7,
      change: { phone: '+447700900123' },
    });
    expect(plan({ ...BLANK, carerId: 7, carerName: 'Ruth Hale' })).toEqual({
      kind: 'existing',
      carerId: 7,
      change: { name: 'Ruth Hale', relationship: null, phone: null, email: null },
    });
  });

  test.each(['carerRelationship', 'carerPhone', 'carerEmail'])(
    '%s alone makes no carer: a name is missing',
    (field) => {
      expect(plan({ [field]: 'x' })).toEqual({ kind: 'nameless' });
      expect(plan({ ...BLANK, [field]: 'x' })).toEqual({ kind: 'nameless' });
    },
  );
});

describe('a student with a carer', () => {
  test('keeps and changes that one', () => {
    expect(plan({ ...BLANK, carerName: 'Ruth Hale' }, 3)).toEqual({
      kind: 'existing',
      carerId: 3,
      change: { name: 'Ruth Hale', relationship: null, phone: null, email: null },
    });
    expect(plan({ carerEmail: 'ruth@example.com' }, 3)).toEqual({
      kind: 'existing',
      carerId: 3,
      change: { email: 'ruth@example.com' },
    });
  });

  test('keeps it untouched when the carer is not mentioned at all', () => {
    expect(plan({}, 3)).toEqual({ kind: 'existing', carerId: 3, change: {} });
  });

  test('has none any more when all fields were emptied, or none was chosen', () => {
    expect(plan(BLANK, 3)).toEqual({ kind: 'none' });
    expect(plan({ ...BLANK, carerId: null }, 3)).toEqual({ kind: 'none' });
    expect(plan({ carerId: null }, 3)).toEqual({ kind: 'none' });
  });

  test('changes to another', () => {
    expect(plan({ ...BLANK, carerId: 7 }, 3)).toEqual({ kind: 'existing', carerId: 7, change: {} });
  });

  test('cannot keep one whose name was emptied beside filled fields', () => {
    expect(plan({ ...BLANK, carerPhone: '07700 900123' }, 3)).toEqual({ kind: 'nameless' });
    expect(plan({ ...BLANK, carerId: 3, carerPhone: '07700 900123' }, 3)).toEqual({
      kind: 'nameless',
    });
  });
});
