import { IconUser } from '@tabler/icons-react';
import { expect, test } from 'vitest';
import type { Command, Section } from './search-commands.ts';
import { containsWords, searchCommands } from './search-commands.ts';

const command = (section: Section, label: string, keywords = ''): Command => ({
  id: label,
  section,
  label,
  keywords,
  Icon: IconUser,
  opens: 'page',
  run: () => {},
});

const all = [
  command('Actions', 'New lesson', 'add'),
  command('Actions', 'New student', 'add'),
  command('Go to', 'Invoices', 'bills'),
  command('Go to', 'Bulk invoice', 'everyone all bills'),
  command('Students', 'Zoë Brontë', 'Ruth Hale'),
  command('Students', 'Nora-Lee Øst'),
  command('Students', 'Emma Newman'),
  command('Families', 'Ruth Hale', 'Zoë Brontë'),
];

const labels = (typed: string, commands = all) =>
  searchCommands(commands, typed).map((result) => [
    result.section,
    ...result.commands.map(({ label }) => label),
  ]);

test('matches the starts of words, in any order and ignoring accents', () => {
  expect(labels('zoe')).toEqual([
    ['Students', 'Zoë Brontë'],
    ['Families', 'Ruth Hale'],
  ]);
  expect(labels('bro zo')[0]).toEqual(['Students', 'Zoë Brontë']);
  expect(labels('ost')).toEqual([['Students', 'Nora-Lee Øst']]);
  expect(labels('lee')).toEqual([['Students', 'Nora-Lee Øst']]);
  expect(labels('mma')).toEqual([]);
});

test('results are ranked: exact label, label prefix, word prefix, keyword', () => {
  expect(labels('invoices')).toEqual([['Go to', 'Invoices']]);
  expect(labels('invoice')).toEqual([['Go to', 'Invoices', 'Bulk invoice']]);
  expect(labels('bills')).toEqual([['Go to', 'Invoices', 'Bulk invoice']]);
  expect(labels('new')).toEqual([
    ['Actions', 'New lesson', 'New student'],
    ['Students', 'Emma Newman'],
  ]);
  expect(labels('hale')).toEqual([
    ['Families', 'Ruth Hale'],
    ['Students', 'Zoë Brontë'],
  ]);
});

test('F141 results from the server keep their order, and their section comes first only if a name matches better', () => {
  const found = [
    command('Invoices', 'INV-2'),
    command('Students', 'Zara'),
    command('Students', 'Zoë'),
  ];
  const labelsWith = (typed: string) =>
    searchCommands(all.slice(0, 4), typed, found).map((result) => [
      result.section,
      ...result.commands.map(({ label }) => label),
    ]);
  expect(labelsWith('zo')).toEqual([
    ['Students', 'Zara', 'Zoë'],
    ['Invoices', 'INV-2'],
  ]);
  expect(labelsWith('inv')).toEqual([
    ['Go to', 'Invoices', 'Bulk invoice'],
    ['Invoices', 'INV-2'],
    ['Students', 'Zara', 'Zoë'],
  ]);
});

test('F141 a result contains the typed words in its label or hint, ignoring accents', () => {
  const zoe = { ...command('Students', 'Zoë Brontë'), hint: 'Carer: Ruth' };
  expect(containsWords(zoe, 'ruth zo')).toBe(true);
  expect(containsWords(zoe, 'zoe hale')).toBe(false);
});

test('without a query, shows actions, pages and students, but no families', () => {
  expect(labels(' ').map(([section]) => section)).toEqual(['Actions', 'Go to', 'Students']);
  const families = all.filter(({ section }) => section === 'Families');
  expect(labels('', families)).toEqual([['Families', 'Ruth Hale']]);
});
